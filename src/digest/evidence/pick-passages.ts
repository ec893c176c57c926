import type { ScoredSpan } from "../document.ts";
import { BestList } from "./best-list.ts";
import type { Pacer } from "./pacer.ts";
import type { Units } from "./units.ts";
import { similarity, wordSet } from "./word-set.ts";

/** Scores a run of units: 0 to 1. */
export interface RunScorer {
  readonly hasHits: (from: number, to: number) => boolean;
  readonly score: (from: number, to: number) => number;
}

/** A run of units, from `from` to before `to`. */
interface Passage extends ScoredSpan {
  readonly from: number;
  readonly to: number;
}

/** Passages begin at least so far from each other: where sentences are tiny, their number stays small. */
const MIN_STEP_CHARS = 32;
/** Passages kept for each one asked for: about as many as overlap one place, and then some. */
const KEPT_EACH = 64;
/** From here on two passages say the same; the second is worth half. */
const NEAR_DUPLICATE = 0.8;
const DUPLICATE_WORTH = 0.5;
/** What stands beside a chosen passage, and could not be part of it, is a little more likely to belong to the answer. */
const NEIGHBOUR_WORTH = 1.1;

export interface PickOptions {
  readonly count: number;
  readonly maxChars: number;
  readonly minScore: number;
}

/** The best passages that do not overlap: as many whole sentences as fit, from every sentence on. */
export async function pickPassages(
  text: string,
  units: Units,
  scorer: RunScorer,
  { count, maxChars, minScore }: PickOptions,
  pacer: Pacer,
): Promise<readonly ScoredSpan[]> {
  if (count === 0) return [];
  const best = new BestList<Passage>(text, KEPT_EACH * count);
  let last = -MIN_STEP_CHARS;
  for (let from = 0, to = 0; from < units.count; from++) {
    const start = units.start(from);
    if (start - last < MIN_STEP_CHARS && !units.opensPage(from)) continue;
    last = start;
    to = Math.max(to, from + 1);
    while (to < units.count && units.end(to) - start <= maxChars && !units.opensPage(to)) to++;
    if (!scorer.hasHits(from, to)) continue;
    const score = scorer.score(from, to);
    if (score >= minScore && best.admits(score)) best.add(trimmed(units, scorer, from, to, score));
    if (pacer.isDue()) await pacer.pause(start);
  }
  return new Choice(text, units, scorer, minScore).choose(best.items(), count);
}

/** Whole paragraphs at either end that say nothing are left out. */
function trimmed(units: Units, scorer: RunScorer, from: number, to: number, score: number): Passage {
  let first = from;
  let last = to;
  for (let unit = from + 1; unit < to; unit++) {
    if (units.opensParagraph(unit) && !scorer.hasHits(first, unit)) first = unit;
  }
  for (let unit = to - 1; unit > first; unit--) {
    if (units.opensParagraph(unit) && !scorer.hasHits(unit, last)) last = unit;
  }
  return toPassage(units, first, last, score);
}

function toPassage(units: Units, from: number, to: number, score: number): Passage {
  return { from, to, start: units.start(from), end: units.end(to - 1), score };
}

class Choice {
  readonly #text: string;
  readonly #units: Units;
  readonly #scorer: RunScorer;
  readonly #minScore: number;

  constructor(text: string, units: Units, scorer: RunScorer, minScore: number) {
    this.#text = text;
    this.#units = units;
    this.#scorer = scorer;
    this.#minScore = minScore;
  }

  choose(passages: readonly Passage[], count: number): ScoredSpan[] {
    const chosen: ScoredSpan[] = [];
    let left = passages;
    while (chosen.length < count) {
      const best = bestOf(left);
      if (best === undefined) break;
      chosen.push({ start: best.start, end: best.end, score: best.score });
      left = this.#without(left, best);
    }
    return chosen;
  }

  /** What can still be chosen: what overlaps is cut to what stands beside, what says the same is worth less. */
  #without(passages: readonly Passage[], chosen: Passage): Passage[] {
    const words = wordSet(this.#text, chosen.start, chosen.end);
    const left = new Map<string, Passage>();
    const keep = (passage: Passage): void => {
      if (passage.score >= this.#minScore) left.set(`${passage.from} ${passage.to}`, passage);
    };
    for (const passage of passages) {
      if (passage.to <= chosen.from || passage.from >= chosen.to) keep(this.#devalued(passage, words));
      else {
        if (passage.from < chosen.from) keep(this.#neighbour(passage.from, chosen.from, chosen.score));
        if (passage.to > chosen.to) keep(this.#neighbour(chosen.to, passage.to, chosen.score));
      }
    }
    return [...left.values()];
  }

  #neighbour(from: number, to: number, highest: number): Passage {
    const score = this.#scorer.hasHits(from, to) ? NEIGHBOUR_WORTH * this.#scorer.score(from, to) : 0;
    return toPassage(this.#units, from, to, Math.min(highest, score));
  }

  #devalued(passage: Passage, words: ReadonlySet<number>): Passage {
    const own = wordSet(this.#text, passage.start, passage.end);
    if (similarity(own, words) < NEAR_DUPLICATE) return passage;
    return { ...passage, score: passage.score * DUPLICATE_WORTH };
  }
}

function bestOf(passages: readonly Passage[]): Passage | undefined {
  let best = passages[0];
  for (const passage of passages) {
    if (best === undefined) return undefined;
    if (passage.score > best.score || (passage.score === best.score && passage.start < best.start)) best = passage;
  }
  return best;
}
