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

interface Passage extends ScoredSpan {
  readonly words?: ReadonlySet<number>;
}

/** Passages begin at least so far from each other: where sentences are tiny, their number stays small. */
const MIN_STEP_CHARS = 32;
/** Passages kept for each one asked for: about as many as overlap one place, and then some. */
const KEPT_EACH = 64;
/** From here on two passages say the same; the second is worth half. */
const NEAR_DUPLICATE = 0.8;
const DUPLICATE_WORTH = 0.5;

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
  return choose(text, best.items(), count, minScore);
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
  return { start: units.start(first), end: units.end(last - 1), score };
}

function choose(text: string, passages: readonly Passage[], count: number, minScore: number): ScoredSpan[] {
  const chosen: ScoredSpan[] = [];
  let left = passages.map((passage) => ({ ...passage, words: wordSet(text, passage.start, passage.end) }));
  while (chosen.length < count) {
    let best = left[0];
    for (const passage of left) if (best === undefined || passage.score > best.score) best = passage;
    if (best === undefined || best.score < minScore) break;
    const { start, end, score, words } = best;
    chosen.push({ start, end, score });
    left = left
      .filter((other) => other.end <= start || other.start >= end)
      .map((other) =>
        similarity(other.words, words) < NEAR_DUPLICATE
          ? other
          : { ...other, score: other.score * DUPLICATE_WORTH },
      );
  }
  return chosen;
}
