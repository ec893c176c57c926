import { ContractError } from "../../../core/contract/contract-error.ts";
import type { DocumentBlock, Page, ScoredSpan, Span } from "../document.ts";
import { JUDGED_CHARS, answersQuery } from "./answer-check.ts";
import { HitFinder } from "./hit-finder.ts";
import { Pacer } from "./pacer.ts";
import { PassageScorer } from "./passage-scorer.ts";
import { pickPassages } from "./pick-passages.ts";
import { pickSentences } from "./pick-sentences.ts";
import { type QueryTerm, queryTerms, weighTerms } from "./query-terms.ts";
import { readSalience } from "./read-salience.ts";
import { segmentsOf } from "./segments.ts";
import { UnitSplitter, Units } from "./units.ts";

// Chooses what a digest quotes from a canonical text: the same for the same input, without a model, in time that grows
// with the text and no faster. Spans are UTF-16 offsets, stay on one page and have no white space at their ends.
// Lengths are limited in UTF-16 units, of which there are never fewer than code points.

export interface SelectOptions {
  readonly query?: string | undefined;
  readonly pages?: readonly Page[] | undefined;
  readonly blocks?: readonly DocumentBlock[] | undefined;
  readonly maxSnippets: number;
  readonly snippetChars: number;
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly keyPointChars: number;
  readonly minScore?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Selection {
  /** Best first; no two overlap. */
  readonly evidence: readonly ScoredSpan[];
  /** In document order; of an answer, its best sentence first. */
  readonly summary: readonly Span[];
  readonly keyPoints: readonly Span[];
  /**
   * What decided: the query (then evidence may be empty: the document does not answer), what the document is mostly
   * about (no query, or one that says nothing), or, where no two sentences share a word, where a passage stands.
   */
  readonly ranking: "query" | "salience" | "position";
  /** Whether the document seems to answer the query; without one it has nothing to answer. */
  readonly isAnswered: boolean;
}

/** What comes nearest in a document that does not answer: below this it shares only words that stand everywhere. */
const MIN_SCORE = 0.15;
const MIN_CHARS = 20;
/** About how long a sentence is: columns of this size rarely have to grow. */
const CHARS_PER_UNIT = 100;

/** Chooses evidence, sentences for a summary and key points. */
export async function selectPassages(text: string, options: SelectOptions): Promise<Selection> {
  checkOptions(options);
  const pacer = new Pacer(text.length, options);
  const units = new Units(Math.ceil(text.length / CHARS_PER_UNIT) + 16);
  const byQuery = await readForQuery(text, units, options, pacer);
  const selection = await (byQuery === undefined
    ? selectSalient(text, units, options, pacer)
    : selectByQuery(text, units, byQuery, options, pacer));
  pacer.finish();
  return selection;
}

function checkOptions({ snippetChars, keyPointChars }: SelectOptions): void {
  for (const [name, value] of Object.entries({ snippetChars, keyPointChars })) {
    if (value >= MIN_CHARS) continue;
    throw new ContractError("INVALID_OPTION", `${name} is ${value}: give at least ${MIN_CHARS}.`, {
      name,
      value,
    });
  }
}

/** A query found in a text. */
interface FoundQuery {
  readonly terms: readonly QueryTerm[];
  readonly finder: HitFinder;
  readonly scorer: PassageScorer;
}

/** Splits the text and finds the query in it; undefined when the query says nothing. */
async function readForQuery(
  text: string,
  units: Units,
  { query, pages, blocks, snippetChars }: SelectOptions,
  pacer: Pacer,
): Promise<FoundQuery | undefined> {
  const terms = queryTerms(query ?? "");
  const finder = terms.length > 0 ? new HitFinder(terms, Math.ceil(text.length / CHARS_PER_UNIT)) : undefined;
  for (const segment of segmentsOf(text, pages, blocks)) {
    const splitter = new UnitSplitter(text, segment, snippetChars);
    while (splitter.next(units)) {
      finder?.read(text, units, units.count - 1);
      if (pacer.isDue()) await pacer.pause(units.end(units.count - 1));
    }
  }
  if (finder === undefined) return undefined;
  finder.closeBlock();
  const weights = weighTerms(terms, finder.blocksWith, finder.blockCount);
  if (weights.isEmpty) return undefined;
  return { terms, finder, scorer: new PassageScorer(units, finder.hits, weights) };
}

async function selectByQuery(
  text: string,
  units: Units,
  found: FoundQuery,
  options: SelectOptions,
  pacer: Pacer,
): Promise<Selection> {
  const { scorer } = found;
  const passages = await pickPassages(text, units, scorer, toPick(options, options.minScore ?? 0), pacer);
  const best = await findBest(text, units, scorer, passages, options, pacer);
  const isAnswered = best !== undefined && answersQuery({ ...found, units }, best);
  const minScore = options.minScore ?? (isAnswered ? 0 : MIN_SCORE);
  const evidence = passages.filter(({ score }) => score >= minScore);
  if (isAnswered) {
    const said = await pickSentences(text, units, scorer, { ...options, passages }, pacer);
    if (said.summary.length > 0) return { evidence, ...said, ranking: "query", isAnswered: true };
  }
  // A document that does not answer still has something to say of itself.
  const salient = await selectSalient(text, units, { ...options, maxSnippets: 0 }, pacer);
  return { ...salient, evidence, ranking: "query", isAnswered };
}

/** The best passage of the length that is judged; quotes may be shorter, or not wanted at all. */
async function findBest(
  text: string,
  units: Units,
  scorer: PassageScorer,
  passages: readonly ScoredSpan[],
  { maxSnippets, snippetChars }: SelectOptions,
  pacer: Pacer,
): Promise<ScoredSpan | undefined> {
  if (maxSnippets > 0 && snippetChars >= JUDGED_CHARS) return passages[0];
  const pick = { count: 1, maxChars: JUDGED_CHARS, minScore: 0 };
  const [best] = await pickPassages(text, units, scorer, pick, pacer);
  return best;
}

async function selectSalient(
  text: string,
  units: Units,
  options: SelectOptions,
  pacer: Pacer,
): Promise<Selection> {
  const { scorer, ranking } = await readSalience(text, units, pacer);
  const evidence = await pickPassages(text, units, scorer, toPick(options, options.minScore ?? 0), pacer);
  const said = await pickSentences(text, units, scorer, { ...options, passages: [] }, pacer);
  return { evidence, ...said, ranking, isAnswered: false };
}

function toPick({ maxSnippets, snippetChars }: SelectOptions, minScore: number) {
  return { count: maxSnippets, maxChars: snippetChars, minScore };
}
