import type { ScoredSpan } from "../document.ts";
import { BestList } from "./best-list.ts";
import { type Passage, PassageChoice, toPassage } from "./passage-choice.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer } from "./run-scorer.ts";
import type { Units } from "./units.ts";

/** Passages begin at least so far from each other: where sentences are tiny, their number stays small. */
const MIN_STEP_CHARS = 32;
/** Passages kept for each one asked for: about as many as overlap one place, and then some. */
const KEPT_EACH = 64;
/** A paragraph worth less than this share of its passage has found only the glue of the query. */
const IDLE_SHARE = 0.15;

interface PickOptions {
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
  pacer.enter("passages");
  const best = new BestList<Passage>(text, KEPT_EACH * count);
  let last = -MIN_STEP_CHARS;
  for (let from = 0, to = 0; from < units.count; from++) {
    const start = units.start(from);
    if (pacer.isDue()) await pacer.pause(start);
    // What no passage holds yet must begin one: a long sentence after a short heading.
    const isHeld = from < to;
    if (isHeld && start - last < MIN_STEP_CHARS && !units.opensPage(from)) continue;
    last = start;
    to = Math.max(to, from + 1);
    while (to < units.count && units.end(to) - start <= maxChars && !units.opensPage(to)) to++;
    if (!scorer.hasHits(from, to)) continue;
    const score = scorer.score(from, to);
    if (score >= minScore && best.admits(score)) best.add(trimmed(units, scorer, from, to, score));
  }
  return new PassageChoice(text, units, scorer, minScore).choose(best.items(), count);
}

/** Whole paragraphs at either end that say nothing of the query, or next to nothing, are left out. */
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
