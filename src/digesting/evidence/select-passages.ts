import { ContractError } from "../../contract/contract-error.ts";
import type { DocumentBlock, Page, ScoredSpan, Span } from "../document.ts";
import { HitFinder } from "./hit-finder.ts";
import { Pacer } from "./pacer.ts";
import { PassageScorer } from "./passage-scorer.ts";
import { pickPassages } from "./pick-passages.ts";
import { pickSentences } from "./pick-sentences.ts";
import { queryTerms, weighTerms } from "./query-terms.ts";
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
  /** In document order. */
  readonly summary: readonly Span[];
  readonly keyPoints: readonly Span[];
  /**
   * What decided: the query (then evidence may be empty: the document does not answer), what the document is mostly
   * about (no query, or one that says nothing), or, where no two sentences share a word, where a passage stands.
   */
  readonly ranking: "query" | "salience" | "position";
}

/** Below this a passage shares little more with a query than words that stand everywhere. */
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

/** Splits the text and finds the query in it; undefined when the query says nothing. */
async function readForQuery(
  text: string,
  units: Units,
  { query, pages, blocks, snippetChars }: SelectOptions,
  pacer: Pacer,
): Promise<PassageScorer | undefined> {
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
  return weights.isEmpty ? undefined : new PassageScorer(units, finder.hits, weights);
}

async function selectByQuery(
  text: string,
  units: Units,
  scorer: PassageScorer,
  options: SelectOptions,
  pacer: Pacer,
): Promise<Selection> {
  const minScore = options.minScore ?? MIN_SCORE;
  const evidence = await pickPassages(text, units, scorer, toPick(options, minScore), pacer);
  const { summary, keyPoints } = await pickSentences(text, units, scorer, options, pacer);
  const isAnswered = evidence.length > 0 || options.maxSnippets === 0;
  if (isAnswered && summary.length > 0) return { evidence, summary, keyPoints, ranking: "query" };
  // A document that does not answer still has something to say of itself.
  const salient = await selectSalient(text, units, { ...options, maxSnippets: 0 }, pacer);
  return { ...salient, evidence, ranking: "query" };
}

async function selectSalient(
  text: string,
  units: Units,
  options: SelectOptions,
  pacer: Pacer,
): Promise<Selection> {
  const { scorer, ranking } = await readSalience(text, units, pacer);
  const evidence = await pickPassages(text, units, scorer, toPick(options, options.minScore ?? 0), pacer);
  return { evidence, ...(await pickSentences(text, units, scorer, options, pacer)), ranking };
}

function toPick({ maxSnippets, snippetChars }: SelectOptions, minScore: number) {
  return { count: maxSnippets, maxChars: snippetChars, minScore };
}
