import type { Span } from "../document.ts";
import { SPACED } from "./character-table.ts";
import type { HitFinder } from "./hit-finder.ts";
import { FULL } from "./query-lexicon.ts";
import { MAX_TERMS, type QueryTerm } from "./query-terms.ts";
import type { Units } from "./units.ts";

// Whether a document answers a query at all. The score of the best passage alone cannot tell: a question about
// something else finds its small words in every document, and more of them in a longer one. A question that belongs to
// a document names what the document is about, and such words stand all over it; and its weightiest words stand in the
// passage itself. Fitted to the questions of XQuAD, each asked of its own article and of others.

/** How long the passage is that is judged, however short the quotes are. */
export const JUDGED_CHARS = 500;
/** What the words of the query that are long, or names, add by how common they are in the document. */
const TOPIC = 0.654;
/** What the three weightiest words add by standing in the best passage. */
const HEAVIEST = 0.108;
const HEAVIEST_COUNT = 3;
/** A longer document has more passages that fit by chance. */
const LENGTH = 0.021;
/** Pairs of characters fit by chance less often than words that share a beginning. */
const UNSPACED = 0.05;
/** From here on a document answers. */
const ANSWERS_FROM = 0.275;
/** Lighter words are mostly small words, which say nothing of a topic. */
const MIN_TOPIC_WEIGHT = 0.5;

interface Found {
  readonly terms: readonly QueryTerm[];
  readonly finder: HitFinder;
  readonly units: Units;
}

/** Whether a query belongs to the document whose best passage for it is this one. */
export function answersQuery(found: Found, best: Span & { readonly score: number }): boolean {
  const { terms, finder } = found;
  const unspaced = terms.filter(({ script }) => script !== SPACED).length / Math.max(1, terms.length);
  const value =
    best.score +
    TOPIC * topicShare(terms, finder) +
    HEAVIEST * heaviestShare(found, best) +
    UNSPACED * unspaced -
    LENGTH * Math.log(Math.max(1, finder.blockCount));
  return value >= ANSWERS_FROM;
}

/** How much of the query's topic the whole document is about: 0 to 1. */
function topicShare(terms: readonly QueryTerm[], { blocksWith, blockCount, best }: HitFinder): number {
  let sum = 0;
  let total = 0;
  for (const [index, { letters, script, weight }] of terms.entries()) {
    const own = script === SPACED ? weight : letters.length > 1 ? 1 : 0;
    if (own < MIN_TOPIC_WEIGHT) continue;
    const share = Math.min(1, (blocksWith[index] ?? 0) / Math.max(1, blockCount));
    sum += own * own * ((best[index] ?? 0) / FULL) * Math.sqrt(share);
    total += own * own;
  }
  return total === 0 ? 0 : sum / total;
}

/** How surely the passage says the weightiest words of the query: 0 to 1. */
function heaviestShare({ terms, finder: { hits }, units }: Found, { start, end }: Span): number {
  const strengths = new Uint8Array(terms.length);
  for (let unit = 0; unit < units.count && units.start(unit) < end; unit++) {
    if (units.start(unit) < start) continue;
    for (let hit = hits.from(unit); hit < hits.to(unit); hit++) {
      const term = hits.term(hit);
      if (term < MAX_TERMS) strengths[term] = Math.max(strengths[term] ?? 0, hits.strength(hit));
    }
  }
  const heaviest = terms
    .map(({ weight }, index) => ({ weight, strength: strengths[index] ?? 0 }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, HEAVIEST_COUNT);
  return heaviest.reduce((sum, { strength }) => sum + strength / FULL, 0) / Math.max(1, heaviest.length);
}
