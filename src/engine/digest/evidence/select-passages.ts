import { ContractError } from "../../../core/contract/contract-error.ts";
import type { DocumentBlock, DocumentPage, ScoredSpan, TextSpan } from "../document.ts";
import { HitFinder, type HitTable } from "./hit-finder.ts";
import { Pacer } from "./pacer.ts";
import { pickPassages } from "./pick-passages.ts";
import { type OutlinePart, pickOutline } from "./pick-outline.ts";
import { TOO_SIMILAR, pickSentences } from "./pick-sentences.ts";
import {
  type QueryTerm,
  type TermWeights,
  FULL,
  MAX_TERMS,
  queryTerms,
  weighTerms,
} from "./query-lexicon.ts";
import { readSalience } from "./salience.ts";
import { UnitSplitter, Units, segmentsOf } from "./units.ts";
import { SPACED, SYLLABLES, similarity, wordSet } from "./word-reader.ts";

// Chooses what a digest quotes from a canonical text: deterministic, without a model, in linear time. Spans
// are UTF-16 offsets, stay on one page and have no white space at their ends. Lengths are limited in UTF-16
// units, of which there are never fewer than code points.

export interface SelectOptions {
  readonly query?: string | undefined;
  readonly pages?: readonly DocumentPage[] | undefined;
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

export interface PassageSelection {
  /** Best first; no two overlap. */
  readonly evidence: readonly ScoredSpan[];
  /** In document order; for an answer, its best sentence first. */
  readonly summary: readonly TextSpan[];
  /** Best first; without a query and in a document with sections, those of the outline. */
  readonly keyPoints: readonly TextSpan[];
  /** The sections with their best sentences; empty with a query, and in a document without headings. */
  readonly outline: readonly OutlinePart[];
  /**
   * What decided the choice: the query (evidence may then be empty: the document does not answer); the main
   * subject of the document (without a query, or with one that says nothing); or, if no two sentences share a
   * word, the position.
   */
  readonly ranking: "query" | "salience" | "position";
  /** Whether the document seems to answer the query; false without a query. */
  readonly isAnswered: boolean;
}

/** For a document that does not answer: a passage with a lower score shares only words that are everywhere. */
const MIN_SCORE = 0.15;
const MIN_CHARS = 20;
/** The approximate length of a sentence: columns of this size rarely have to grow. */
const CHARS_PER_UNIT = 100;

/** Chooses evidence, sentences for a summary and key points. */
export async function selectPassages(text: string, options: SelectOptions): Promise<PassageSelection> {
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

/** A query and its matches in a text. */
interface FoundQuery {
  readonly terms: readonly QueryTerm[];
  readonly finder: HitFinder;
  readonly scorer: PassageScorer;
}

/** Splits the text and finds the query in it; undefined if the query says nothing. */
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
): Promise<PassageSelection> {
  const { scorer } = found;
  const passages = await pickPassages(text, units, scorer, toPick(options, options.minScore ?? 0), pacer);
  const best = await findBest(text, units, scorer, passages, options, pacer);
  const isAnswered = best !== undefined && answersQuery({ ...found, units }, best);
  const minScore = options.minScore ?? (isAnswered ? 0 : MIN_SCORE);
  const evidence = passages.filter(({ score }) => score >= minScore);
  if (isAnswered) {
    const said = await pickSentences(text, units, scorer, { ...options, passages }, pacer);
    if (said.summary.length > 0)
      return { evidence, ...said, outline: [], ranking: "query", isAnswered: true };
  }
  // A document that does not answer still gets a summary of itself.
  const salient = await selectSalient(text, units, { ...options, maxSnippets: 0 }, pacer);
  return { ...salient, evidence, ranking: "query", isAnswered };
}

/** The best passage of the length that is judged; quotes may be shorter, or not requested at all. */
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
): Promise<PassageSelection> {
  const { scorer, ranking } = await readSalience(text, units, pacer);
  const evidence = await pickPassages(text, units, scorer, toPick(options, options.minScore ?? 0), pacer);
  const said = await pickSentences(text, units, scorer, { ...options, passages: [] }, pacer);
  const outline = await pickOutline(
    text,
    units,
    scorer,
    { blocks: options.blocks, maxChars: options.keyPointChars, said: said.summary },
    pacer,
  );
  const keyPoints = pointsOf(text, outline, said.keyPoints, options.maxKeyPoints);
  return { evidence, summary: said.summary, keyPoints, outline, ranking, isAnswered: false };
}

/** The best points of the outline, best first; if it has too few, other sentences join them. */
function pointsOf(
  text: string,
  outline: readonly OutlinePart[],
  others: readonly TextSpan[],
  count: number,
): readonly TextSpan[] {
  const points = outline.flatMap(({ point }) => (point === undefined ? [] : [point]));
  if (points.length === 0) return others;
  const best = points.toSorted((a, b) => b.score - a.score).slice(0, count);
  const kept = best.map(({ start, end }) => ({ span: { start, end }, words: wordSet(text, start, end) }));
  for (const span of others) {
    if (kept.length >= count) break;
    const words = wordSet(text, span.start, span.end);
    if (kept.some((other) => similarity(other.words, words) >= TOO_SIMILAR)) continue;
    kept.push({ span, words });
  }
  return kept.map(({ span }) => span);
}

function toPick({ maxSnippets, snippetChars }: SelectOptions, minScore: number) {
  return { count: maxSnippets, maxChars: snippetChars, minScore };
}

// Decides whether a document answers a query at all. The score of the best passage alone cannot decide: a
// question about something else finds its function words in every document, and more of them in a longer one.
// A question that belongs to a document names the document's subject, whose words are all over it; and its
// heaviest words are in the passage itself. Fitted to the questions of XQuAD, each asked of its own article
// and of others.

/** The length of the passage that is judged, even if the quotes are shorter. */
const JUDGED_CHARS = 500;
/** What the long words and names of the query add, by how common they are in the document. */
const TOPIC = 0.654;
/** What the three heaviest words add if they are in the best passage. */
const HEAVIEST = 0.108;
const HEAVIEST_COUNT = 3;
/** A longer document has more passages that match by chance. */
const LENGTH = 0.021;
/** Pairs of characters match by chance less often than words with a shared beginning, single syllables more often. */
const UNSPACED = 0.05;
const SYLLABIC = -0.05;
/** From this value on a document answers. */
const ANSWERS_FROM = 0.275;
/** Lighter words are mostly function words, which do not name a subject. */
const MIN_TOPIC_WEIGHT = 0.5;
/** Half of the pairs of syllables join two words, and a capital is the only sign of a word that names a subject. */
const SYLLABIC_NAME = 2;

interface Found {
  readonly terms: readonly QueryTerm[];
  readonly finder: HitFinder;
  readonly units: Units;
}

/** Whether a query belongs to the document, by its best passage. */
function answersQuery(found: Found, best: TextSpan & { readonly score: number }): boolean {
  const { terms, finder } = found;
  const unspaced =
    terms.reduce((sum, { script }) => sum + worthOfScript(script), 0) / Math.max(1, terms.length);
  const value =
    best.score +
    TOPIC * topicShare(terms, finder) +
    HEAVIEST * heaviestShare(found, best) +
    unspaced -
    LENGTH * Math.log(Math.max(1, finder.blockCount));
  return value >= ANSWERS_FROM;
}

function worthOfScript(script: number): number {
  if (script === SPACED) return 0;
  return script === SYLLABLES ? SYLLABIC : UNSPACED;
}

function topicWeight({ script, weight, isPart, isName }: QueryTerm): number {
  if (script === SPACED) return weight;
  if (script === SYLLABLES) return isName ? SYLLABIC_NAME : 1;
  return isPart ? 0 : 1;
}

/** How much of the query's subject is the subject of the whole document: 0 to 1. */
function topicShare(terms: readonly QueryTerm[], { blocksWith, blockCount, best }: HitFinder): number {
  let sum = 0;
  let total = 0;
  for (const [index, term] of terms.entries()) {
    const own = topicWeight(term);
    if (own < MIN_TOPIC_WEIGHT) continue;
    const share = Math.min(1, (blocksWith[index] ?? 0) / Math.max(1, blockCount));
    sum += own * own * ((best[index] ?? 0) / FULL) * Math.sqrt(share);
    total += own * own;
  }
  return total === 0 ? 0 : sum / total;
}

/** How certainly the passage contains the heaviest words of the query: 0 to 1. */
function heaviestShare({ terms, finder: { hits }, units }: Found, { start, end }: TextSpan): number {
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

/** How soon repeats stop counting. */
const SATURATION = 0.6;
/** In addition to BM25: how much of the query is said at all, in one sentence, and in the query's own order. */
const COVERAGE = 0.6;
const SENTENCE = 1;
const PAIRS = 0.15;
/** The rest of the paragraph counts too, up to this distance from the passage. */
const CONTEXT = 0.3;
const CONTEXT_CHARS = 600;
/** What a second paragraph adds to the best one in a passage across two: they may have different subjects. */
const SECOND_PARAGRAPH = 0.3;

/** Scores runs of units against a query, as a share of the best possible score. */
class PassageScorer {
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

  /** Whether the units from `from` up to, not including, `to` match the query at all. */
  hasHits(from: number, to: number): boolean {
    return this.#hits.from(from) < this.#hits.from(to);
  }

  /** 0 to 1 for the passage of units from `from` up to, not including, `to`. */
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

  /** The score of the collected terms; clears the collection. */
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
