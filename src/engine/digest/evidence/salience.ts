import { isProseRange } from "./pick-sentences.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer, Units } from "./units.ts";
import { SPACED, WordReader, hashWord } from "./word-reader.ts";

/** The most slots in which words are counted; a few words share a slot, which does not change the ranking. */
const MAX_DRAWERS = 1 << 17;
const MIN_DRAWERS = 1 << 10;
/** Shorter words of scripts with spaces are mostly function words such as "the". */
const MIN_LETTERS = 3;
/** A paragraph usually says first what it is about. */
const OPENING_WORTH = 1.15;
/** Code, tables and menus repeat words without being about them. */
const OTHER_WORTH = 0.5;

/**
 * How close each unit is to the subject of the whole document: the cosine between its words and those of all
 * units together. Rare words count more, and words in only one unit do not count. It ranks like TextRank,
 * whose graph grows with the square of the document, but in two linear passes.
 */
class Centrality {
  readonly #drawers: number;
  readonly #unitsWith: Uint32Array;
  readonly #seenIn: Uint32Array;
  readonly #reader = new WordReader();
  #values = new Float32Array();
  #norm = 0;
  #unitCount = 0;
  #stamp = 0;

  constructor(textLength: number) {
    // A short document has few words, and clearing all slots would take longer than reading it.
    const enough = 2 ** Math.ceil(Math.log2(Math.max(1, textLength)));
    this.#drawers = Math.min(MAX_DRAWERS, Math.max(MIN_DRAWERS, enough));
    this.#unitsWith = new Uint32Array(this.#drawers);
    this.#seenIn = new Uint32Array(this.#drawers);
  }

  /** Whether units share words; otherwise no unit is more central than another. */
  get hasCentre(): boolean {
    return this.#norm > 0;
  }

  /** First pass, unit by unit. */
  count(text: string, units: Units, unit: number): void {
    this.#eachWord(text, units, unit, (drawer) => {
      this.#unitsWith[drawer] = (this.#unitsWith[drawer] ?? 0) + 1;
    });
    this.#unitCount++;
  }

  /** Between the passes. */
  settle(): void {
    let square = 0;
    for (const unitsWith of this.#unitsWith) {
      if (unitsWith > 1) square += ((unitsWith - 1) * this.#rarity(unitsWith)) ** 2;
    }
    this.#norm = Math.sqrt(square);
    this.#values = new Float32Array(this.#unitCount);
  }

  /** Second pass, unit by unit. */
  weigh(text: string, units: Units, unit: number): void {
    let product = 0;
    let square = 0;
    this.#eachWord(text, units, unit, (drawer) => {
      const unitsWith = this.#unitsWith[drawer] ?? 0;
      const rarity = this.#rarity(unitsWith);
      product += rarity * rarity * (unitsWith - 1);
      square += rarity * rarity;
    });
    if (square === 0 || this.#norm === 0) return;
    const cosine = product / (Math.sqrt(square) * this.#norm);
    const isSentence = !units.isApart(unit) && isProseRange(text, units.start(unit), units.end(unit));
    const worth = (units.opensParagraph(unit) ? OPENING_WORTH : 1) * (isSentence ? 1 : OTHER_WORTH);
    this.#values[unit] = Math.min(1, cosine * worth);
  }

  of(unit: number): number {
    return this.#values[unit] ?? 0;
  }

  #rarity(unitsWith: number): number {
    return Math.log(1 + (this.#unitCount - unitsWith + 0.5) / (unitsWith + 0.5));
  }

  #eachWord(text: string, units: Units, unit: number, meet: (drawer: number) => void): void {
    const stamp = ++this.#stamp;
    const reader = this.#reader;
    reader.open(text, units.start(unit), units.end(unit));
    while (reader.next()) {
      if (reader.length < (reader.script === SPACED ? MIN_LETTERS : 2)) continue;
      const drawer = hashWord(reader) & (this.#drawers - 1);
      if (this.#seenIn[drawer] === stamp) continue;
      this.#seenIn[drawer] = stamp;
      meet(drawer);
    }
  }
}

/** Without a query: how central passages are or, if no two sentences share a word, how early they come. */
interface Salience {
  readonly scorer: RunScorer;
  readonly ranking: "salience" | "position";
}

/** Finds what a document is about. */
export async function readSalience(text: string, units: Units, pacer: Pacer): Promise<Salience> {
  const centrality = new Centrality(text.length);
  pacer.enter("count");
  for (let unit = 0; unit < units.count; unit++) {
    centrality.count(text, units, unit);
    if (pacer.isDue()) await pacer.pause(units.end(unit));
  }
  centrality.settle();
  if (!centrality.hasCentre) return { scorer: byPosition(units, text.length), ranking: "position" };
  pacer.enter("weigh");
  for (let unit = 0; unit < units.count; unit++) {
    centrality.weigh(text, units, unit);
    if (pacer.isDue()) await pacer.pause(units.end(unit));
  }
  return { scorer: byCentrality(units, centrality), ranking: "salience" };
}

/** A passage is as central as its sentences, longer sentences counting more. */
function byCentrality(units: Units, centrality: Centrality): RunScorer {
  return {
    hasHits: () => true,
    isLeftOut: withoutCode(units),
    score: (from, to) => {
      let sum = 0;
      let length = 0;
      for (let unit = from; unit < to; unit++) {
        const own = units.end(unit) - units.start(unit);
        sum += own * centrality.of(unit);
        length += own;
      }
      return sum / length;
    },
  };
}

/** Words say what a document is about; code is quoted only from a document that has nothing else. */
function withoutCode(units: Units): RunScorer["isLeftOut"] {
  for (let unit = 0; unit < units.count; unit++) if (!units.isCode(unit)) return (one) => units.isCode(one);
  return undefined;
}

function byPosition(units: Units, textLength: number): RunScorer {
  return {
    hasHits: () => true,
    isLeftOut: withoutCode(units),
    score: (from) => 1 - units.start(from) / Math.max(1, textLength),
  };
}
