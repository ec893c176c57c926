import type { ScoredSpan, TextSpan } from "../document.ts";
import { BestList } from "./pick-passages.ts";
import {
  NEWLINE,
  SILENT,
  SPACE_CLASS,
  SPACED,
  boundaryOf,
  letterOf,
  scriptOf,
  similarity,
  wordSet,
  WordReader,
  hashWord,
} from "./word-reader.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer, Units } from "./units.ts";

/** How tables, lists, headings, quoted code and links begin. */
const NOT_PROSE = /^(?:[|#>*+=<{}\\/@$~`_-]|https?:)/u;
const CODE = new Set(Array.from("{};=<>\\|`_", (sign) => sign.charCodeAt(0)));
const MIN_LETTER_SHARE = 0.7;
/** Prose about code contains some code signs; a line of code has several times as many. */
const MAX_CODE_SHARE = 0.06;
const MIN_WORDS = 5;
const MIN_UNSPACED_LETTERS = 10;

/** Whether a range reads as a sentence: mostly words, not a table row, a menu, code or a formula. */
export function isProseRange(text: string, start: number, end: number): boolean {
  if (NOT_PROSE.test(text.slice(start, start + 6))) return false;
  let visible = 0;
  let letters = 0;
  let unspaced = 0;
  let words = 0;
  let code = 0;
  let isInWord = false;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    const isLetter = letterOf(unit) >= SILENT;
    if (isLetter) {
      if (!isDigit(unit)) letters++;
      if (!isInWord) words++;
      if (scriptOf(unit) !== SPACED) unspaced++;
    } else if (CODE.has(unit)) code++;
    isInWord = isLetter;
    const boundary = boundaryOf(unit);
    if (boundary !== SPACE_CLASS && boundary !== NEWLINE) visible++;
  }
  if (letters < MIN_LETTER_SHARE * visible || code > MAX_CODE_SHARE * visible) return false;
  return words >= MIN_WORDS || unspaced >= MIN_UNSPACED_LETTERS;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** How many sentences are kept as candidates. */
const KEPT = 256;
/** More than any summary and its key points contain. */
const MAX_DISTINCT = 64;
/** From this similarity on two sentences say too much of the same. */
const TOO_SIMILAR = 0.5;
/** A sentence far below the best is not used in a summary, and one even further below is not used as a key point. */
const MIN_SHARE_OF_BEST = 0.45;
const MIN_KEY_POINT_SHARE = 0.2;

const FRAGMENT = /^[^\p{L}\p{N}]*\p{Ll}/u;

/** What its passage adds to the score of a sentence: an answer is rarely in one sentence alone. */
const PASSAGE_WORTH = 0.5;
/** The share of a short document's sentences that is left for key points. */
const KEY_POINT_SHARE = 0.5;

interface SentenceLimits {
  /**
   * The passages that answer the query, best first: their sentences are preferred, and a sentence of the best
   * passage leads.
   */
  readonly passages: readonly ScoredSpan[];
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly keyPointChars: number;
}

interface Sentences {
  /** The leading sentence, then the others in document order; joined by single spaces they are within the limit. */
  readonly summary: readonly TextSpan[];
  /** Best first. */
  readonly keyPoints: readonly TextSpan[];
}

/**
 * Whole sentences for a summary, and others for key points: none is used twice. Lines without a full stop are
 * used only if there is nothing else.
 */
export async function pickSentences(
  text: string,
  units: Units,
  scorer: RunScorer,
  limits: SentenceLimits,
  pacer: Pacer,
): Promise<Sentences> {
  const { maxKeyPoints, keyPointChars, passages } = limits;
  const sentences = await bestSentences(text, units, scorer, passages, pacer);
  const isShort = ({ start, end }: TextSpan): boolean => end - start <= keyPointChars;
  const reserved = Math.min(maxKeyPoints, Math.floor(sentences.filter(isShort).length * KEY_POINT_SHARE));
  const lead = leadOf(sentences, passages, limits.maxSummaryChars);
  const floor = (sentences[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
  const fit = sentences.filter(({ score }) => score >= floor);
  const chosen: ScoredSpan[] = [];
  let room = limits.maxSummaryChars;
  for (const sentence of lead === undefined ? fit : [lead, ...fit]) {
    if (chosen.length > 0 && chosen.length >= sentences.length - reserved) break;
    const length = sentence.end - sentence.start + (chosen.length > 0 ? 1 : 0);
    if (length > room || chosen.includes(sentence)) continue;
    chosen.push(sentence);
    room -= length;
  }
  const points = sentences.filter((one) => isShort(one) && !chosen.includes(one));
  const rest = chosen.filter((one) => one !== lead).sort((a, b) => a.start - b.start);
  return {
    summary: (lead === undefined ? rest : [lead, ...rest]).map(toSpan),
    keyPoints: points.slice(0, maxKeyPoints).map(toSpan),
  };
}

/** The best sentence of the best passage that has one: it answers the query. */
function leadOf(
  sentences: readonly ScoredSpan[],
  passages: readonly ScoredSpan[],
  room: number,
): ScoredSpan | undefined {
  for (const passage of passages) {
    const found = sentences.find((one) => isWithin(one, passage) && one.end - one.start <= room);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isWithin(inner: TextSpan, outer: TextSpan): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function toSpan({ start, end }: ScoredSpan): TextSpan {
  return { start, end };
}

async function bestSentences(
  text: string,
  units: Units,
  scorer: RunScorer,
  passages: readonly ScoredSpan[],
  pacer: Pacer,
): Promise<readonly ScoredSpan[]> {
  pacer.enter("sentences");
  const whole = new BestList<ScoredSpan>(text, KEPT);
  const any = new BestList<ScoredSpan>(text, KEPT);
  for (let unit = 0; unit < units.count; unit++) {
    if (pacer.isDue()) await pacer.pause(units.start(unit));
    if (!scorer.hasHits(unit, unit + 1)) continue;
    const [start, end] = [units.start(unit), units.end(unit)];
    const around = passages.find((passage) => isWithin({ start, end }, passage))?.score ?? 0;
    const score = scorer.score(unit, unit + 1) + PASSAGE_WORTH * around;
    if (isFragment(text, start) || !(units.isWhole(unit) || units.isLine(unit))) continue;
    const list = units.isWhole(unit) ? whole : any;
    if (!list.admits(score)) continue;
    if (isProseRange(text, start, end)) list.add({ start, end, score });
  }
  const distinct = keepDistinct(text, whole.items());
  return distinct.length > 0 ? distinct : keepDistinct(text, any.items());
}

/** Whether a range begins in the middle of a sentence, for example after a heading or a misread stop. */
function isFragment(text: string, start: number): boolean {
  return FRAGMENT.test(text.slice(start, start + 4));
}

function keepDistinct(text: string, sentences: readonly ScoredSpan[]): ScoredSpan[] {
  const floor = (sentences[0]?.score ?? 0) * MIN_KEY_POINT_SHARE;
  const kept: (ScoredSpan & { readonly words: ReadonlySet<number> })[] = [];
  for (const sentence of sentences) {
    if (sentence.score < floor) break;
    const words = wordSet(text, sentence.start, sentence.end);
    if (kept.length === MAX_DISTINCT) break;
    if (kept.every((other) => similarity(other.words, words) < TOO_SIMILAR))
      kept.push({ ...sentence, words });
  }
  return kept;
}

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
