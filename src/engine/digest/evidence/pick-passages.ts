import type { ScoredSpan } from "../document.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer, Units } from "./units.ts";
import { similarity, wordSet } from "./word-reader.ts";

/** A run of units, from `from` up to, not including, `to`. */
interface Passage extends ScoredSpan {
  readonly from: number;
  readonly to: number;
}

/** From this similarity on two passages say the same; the second is worth half. */
const NEAR_DUPLICATE = 0.8;
const DUPLICATE_WORTH = 0.5;
/** A passage worth less than this share of the best is noise. */
const MIN_SHARE_OF_BEST = 0.3;
/** A passage next to a chosen one, which could not be part of it, is a little more likely to belong to the answer. */
const NEIGHBOUR_WORTH = 1.2;

function toPassage(units: Units, from: number, to: number, score: number): Passage {
  return { from, to, start: units.start(from), end: units.end(to - 1), score };
}

/** A passage that can be chosen, and with how many of the chosen ones it was compared. */
interface Candidate extends Passage {
  readonly compared: number;
}

/** Chooses passages one by one, best first, so that no two overlap or say the same. */
class PassageChoice {
  readonly #text: string;
  readonly #units: Units;
  readonly #scorer: RunScorer;
  readonly #minScore: number;
  readonly #chosen: ScoredSpan[] = [];
  readonly #words: ReadonlySet<number>[] = [];

  constructor(text: string, units: Units, scorer: RunScorer, minScore: number) {
    this.#text = text;
    this.#units = units;
    this.#scorer = scorer;
    this.#minScore = minScore;
  }

  choose(passages: readonly Passage[], count: number): readonly ScoredSpan[] {
    let left: Candidate[] = passages.map((passage) => ({ ...passage, compared: 0 }));
    while (this.#chosen.length < count) {
      const at = indexOfBest(left);
      const best = left[at];
      const floor = Math.max(this.#minScore, MIN_SHARE_OF_BEST * (this.#chosen[0]?.score ?? 0));
      if (best === undefined || best.score < floor) break;
      const words = wordSet(this.#text, best.start, best.end);
      // Only the next best passage is compared: comparing all would cost more than finding them.
      if (this.#isRepeat(words, best.compared)) {
        left[at] = { ...best, score: best.score * DUPLICATE_WORTH, compared: this.#chosen.length };
        continue;
      }
      this.#chosen.push({ start: best.start, end: best.end, score: best.score });
      this.#words.push(words);
      left = this.#beside(left, best);
    }
    return this.#chosen;
  }

  #isRepeat(words: ReadonlySet<number>, from: number): boolean {
    return this.#words.slice(from).some((other) => similarity(other, words) >= NEAR_DUPLICATE);
  }

  /** The passages that can still be chosen: of an overlapping one, the part that does not overlap. */
  #beside(passages: readonly Candidate[], chosen: Passage): Candidate[] {
    const left: Candidate[] = [];
    const seen = new Set<string>();
    const cut = (from: number, to: number): void => {
      const key = `${from} ${to}`;
      if (from >= to || seen.has(key)) return;
      seen.add(key);
      if (!this.#scorer.hasHits(from, to)) return;
      const score = Math.min(chosen.score, NEIGHBOUR_WORTH * this.#scorer.score(from, to));
      left.push({ ...toPassage(this.#units, from, to, score), compared: 0 });
    };
    for (const passage of passages) {
      if (passage.to <= chosen.from || passage.from >= chosen.to) left.push(passage);
      else {
        cut(passage.from, chosen.from);
        cut(chosen.to, passage.to);
      }
    }
    return left;
  }
}

function indexOfBest(passages: readonly Passage[]): number {
  let at = 0;
  for (const [index, { score, start }] of passages.entries()) {
    const best = passages[at];
    if (best !== undefined && (score > best.score || (score === best.score && start < best.start)))
      at = index;
  }
  return at;
}

/** Passages begin at least this far from each other, so that very short sentences do not give too many. */
const MIN_STEP_CHARS = 32;
/** Passages kept for each requested one: about as many as overlap one position, and some more. */
const KEPT_EACH = 64;
/** A paragraph worth less than this share of its passage matched only short common words of the query. */
const IDLE_SHARE = 0.15;

interface PickOptions {
  readonly count: number;
  readonly maxChars: number;
  readonly minScore: number;
}

/** The best passages that do not overlap: as many whole sentences as fit, starting at every sentence. */
export async function pickPassages(
  text: string,
  units: Units,
  scorer: RunScorer,
  { count, maxChars, minScore }: PickOptions,
  pacer: Pacer,
): Promise<readonly ScoredSpan[]> {
  if (count === 0) return [];
  pacer.enter("passages");
  const best = new BestList<Passage>(text, KEPT_EACH * count);
  const { isLeftOut = () => false } = scorer;
  let last = -MIN_STEP_CHARS;
  for (let from = 0, to = 0; from < units.count; from++) {
    const start = units.start(from);
    if (pacer.isDue()) await pacer.pause(start);
    if (isLeftOut(from)) continue;
    // A unit that is in no passage yet must begin one: a long sentence after a short heading.
    const isHeld = from < to;
    if (isHeld && start - last < MIN_STEP_CHARS && !units.opensPage(from)) continue;
    last = start;
    to = Math.max(to, from + 1);
    while (to < units.count && units.end(to) - start <= maxChars && !units.opensPage(to) && !isLeftOut(to))
      to++;
    if (!scorer.hasHits(from, to)) continue;
    const score = scorer.score(from, to);
    if (score >= minScore && best.admits(score)) best.add(trimmed(units, scorer, from, to, score));
  }
  return new PassageChoice(text, units, scorer, minScore).choose(best.items(), count);
}

/** Leaves out whole paragraphs at either end that say nothing, or almost nothing, of the query. */
function trimmed(units: Units, scorer: RunScorer, from: number, to: number, score: number): Passage {
  const isIdle = (begin: number, end: number): boolean =>
    !scorer.hasHits(begin, end) || scorer.score(begin, end) < IDLE_SHARE * score;
  let first = from;
  let last = to;
  for (let unit = from + 1; unit < to; unit++) {
    if (units.opensParagraph(unit) && isIdle(first, unit)) first = unit;
  }
  for (let unit = to - 1; unit > first; unit--) {
    if (units.opensParagraph(unit) && isIdle(unit, last)) last = unit;
  }
  return toPassage(units, first, last, score);
}

/**
 * Keeps the best of many ranges of a text, best first, equal scores in document order. Identical passages are
 * kept once, so that a passage repeated on every page cannot displace the others.
 */
export class BestList<Item extends ScoredSpan> {
  readonly #text: string;
  readonly #limit: number;
  #items: Item[] = [];
  #floor = 0;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  /** Whether an item with this score could still be kept. */
  admits(score: number): boolean {
    return score > this.#floor;
  }

  add(item: Item): void {
    this.#items.push(item);
    // Sorted only now and then: most items of a long text are never added.
    if (this.#items.length >= 2 * this.#limit) this.#prune();
  }

  items(): readonly Item[] {
    this.#prune();
    return this.#items;
  }

  #prune(): void {
    const said = new Set<string>();
    const kept: Item[] = [];
    for (const item of this.#items.sort((a, b) => b.score - a.score || a.start - b.start)) {
      const words = this.#text.slice(item.start, item.end);
      if (said.has(words)) continue;
      said.add(words);
      if (kept.push(item) === this.#limit) break;
    }
    if (kept.length === this.#limit) this.#floor = kept.at(-1)?.score ?? 0;
    this.#items = kept;
  }
}
