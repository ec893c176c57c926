import type { HitTable } from "./hit-finder.ts";
import { FULL } from "./query-lexicon.ts";
import { MAX_TERMS, type TermWeights } from "./query-terms.ts";
import type { Units } from "./units.ts";

/** How soon repeats stop counting. */
const SATURATION = 0.6;
/** Beside what BM25 gives: how much of the query is said at all, in one sentence, and in the query's own order. */
const COVERAGE = 0.6;
const SENTENCE = 1;
const PAIRS = 0.15;
/** What the rest of the paragraph says counts too, as far as this from the passage. */
const CONTEXT = 0.3;
const CONTEXT_CHARS = 600;
/** What a second paragraph adds to the best one in a passage across two: they may be about different things. */
const SECOND_PARAGRAPH = 0.3;

/** Scores runs of units against a query, as a share of what a passage could say of it. */
export class PassageScorer {
  readonly #units: Units;
  readonly #hits: HitTable;
  readonly #weights: Float64Array;
  readonly #reachable: number;
  readonly #sums = new Float64Array(2 * MAX_TERMS);
  readonly #best = new Float64Array(2 * MAX_TERMS);
  readonly #touched = new Uint8Array(2 * MAX_TERMS);

  constructor(units: Units, hits: HitTable, { weights, total, pairTotal }: TermWeights) {
    this.#units = units;
    this.#hits = hits;
    this.#weights = weights;
    this.#reachable = ((1 + COVERAGE + SENTENCE) * total + PAIRS * pairTotal) * (1 + CONTEXT);
  }

  /** Whether units from `from` to before `to` say anything of the query. */
  hasHits(from: number, to: number): boolean {
    return this.#hits.from(from) < this.#hits.from(to);
  }

  /** 0 to 1 for the passage of units `from` to before `to`. */
  score(from: number, to: number): number {
    const raw = this.#scoreParagraphs(from, to) + CONTEXT * this.#scoreContext(from, to);
    return Math.min(1, raw / this.#reachable);
  }

  #scoreParagraphs(from: number, to: number): number {
    let best = 0;
    let begin = from;
    for (let unit = from + 1; unit <= to; unit++) {
      if (unit < to && !this.#units.opensParagraph(unit)) continue;
      best = Math.max(best, this.#scoreRun(begin, unit));
      if (begin === from && unit === to) return best;
      begin = unit;
    }
    return best + SECOND_PARAGRAPH * (this.#scoreRun(from, to) - best);
  }

  #scoreContext(from: number, to: number): number {
    const units = this.#units;
    let first = from;
    while (!units.opensParagraph(first) && units.start(from) - units.start(first - 1) <= CONTEXT_CHARS)
      first--;
    let last = to;
    const end = units.end(to - 1);
    while (last < units.count && !units.opensParagraph(last) && units.end(last) - end <= CONTEXT_CHARS)
      last++;
    return this.#scoreRun(first, last);
  }

  #scoreRun(from: number, to: number): number {
    const hits = this.#hits;
    let touched = 0;
    let bestSentence = 0;
    for (let unit = from; unit < to; unit++) {
      let sentence = 0;
      for (let hit = hits.from(unit), end = hits.to(unit); hit < end; hit++) {
        const term = hits.term(hit);
        const strength = hits.strength(hit) / FULL;
        const before = this.#best[term] ?? 0;
        if (before === 0) this.#touched[touched++] = term;
        if (strength > before) this.#best[term] = strength;
        this.#sums[term] = (this.#sums[term] ?? 0) + hits.sum(hit) / 10;
        if (term < MAX_TERMS) sentence += strength * (this.#weights[term] ?? 0);
      }
      if (sentence > bestSentence) bestSentence = sentence;
    }
    return SENTENCE * bestSentence + this.#settle(touched);
  }

  /** What the gathered terms are worth; leaves nothing gathered. */
  #settle(touched: number): number {
    let score = 0;
    for (let index = 0; index < touched; index++) {
      const term = this.#touched[index] ?? 0;
      const weight = this.#weights[term] ?? 0;
      const sum = this.#sums[term] ?? 0;
      const best = this.#best[term] ?? 0;
      if (term >= MAX_TERMS) score += PAIRS * weight * best;
      else score += weight * ((sum * (1 + SATURATION)) / (sum + SATURATION) + COVERAGE * best);
      this.#sums[term] = 0;
      this.#best[term] = 0;
    }
    return score;
  }
}
