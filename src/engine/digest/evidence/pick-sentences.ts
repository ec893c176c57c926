import type { ScoredSpan, TextSpan } from "../document.ts";
import { leansOnOthers } from "./leaning-words.ts";
import { BestList } from "./pick-passages.ts";
import { standsAlone } from "./stands-alone.ts";
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
} from "./word-reader.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer, Units } from "./units.ts";

/** How tables, lists, headings, quoted code and links begin. */
const NOT_PROSE = /^(?:[|#>*+=<{}\\/@$~`_^%&!-]|https?:)/u;
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
export const TOO_SIMILAR = 0.5;
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

interface ScoredUnit extends ScoredSpan {
  readonly unit: number;
}

/** A candidate for summary and key points. */
interface Sentence extends ScoredUnit {
  /** Whether it begins with a pronoun or a connective, so that it needs the sentence before it. */
  readonly leans: boolean;
  /** Whether it can be a key point: it needs no other sentence, before or after it. */
  readonly standsAlone: boolean;
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
  const canBePoint = (one: Sentence): boolean => one.standsAlone && one.end - one.start <= keyPointChars;
  const reserved = Math.min(maxKeyPoints, Math.floor(sentences.filter(canBePoint).length * KEY_POINT_SHARE));
  const lead = leadOf(sentences, passages, limits.maxSummaryChars);
  const chosen = chooseSummary(sentences, lead, limits.maxSummaryChars, (one, taken) => {
    if (taken.length === 0 || !canBePoint(one)) return true;
    return taken.filter(canBePoint).length < sentences.filter(canBePoint).length - reserved;
  });
  const points = sentences.filter((one) => canBePoint(one) && !chosen.includes(one));
  const rest = chosen.filter((one) => one !== lead).sort((a, b) => a.start - b.start);
  return {
    summary: (lead === undefined ? rest : [lead, ...rest]).map(toSpan),
    keyPoints: points.slice(0, maxKeyPoints).map(toSpan),
  };
}

/**
 * The sentences of a summary. One that leans on the sentence before it comes only after that one; if all of them
 * lean, the best one comes alone.
 */
function chooseSummary(
  sentences: readonly Sentence[],
  lead: Sentence | undefined,
  maxChars: number,
  mayTake: (sentence: Sentence, taken: readonly Sentence[]) => boolean,
): Sentence[] {
  const floor = (sentences[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
  const fit = sentences.filter(({ score }) => score >= floor);
  const chosen: Sentence[] = [];
  let room = maxChars;
  const take = (sentence: Sentence): void => {
    const length = sentence.end - sentence.start + (chosen.length > 0 ? 1 : 0);
    if (length > room || chosen.includes(sentence) || !mayTake(sentence, chosen)) return;
    chosen.push(sentence);
    room -= length;
  };
  if (lead !== undefined) take(lead);
  for (const sentence of fit) if (!sentence.leans) take(sentence);
  for (const sentence of fit) if (chosen.some(({ unit }) => unit === sentence.unit - 1)) take(sentence);
  if (chosen.length === 0) fit.slice(0, 1).forEach(take);
  return chosen;
}

/** The best sentence of the best passage that has one: it answers the query. */
function leadOf(
  sentences: readonly Sentence[],
  passages: readonly ScoredSpan[],
  room: number,
): Sentence | undefined {
  for (const passage of passages) {
    const found = sentences.find((one) => isWithin(one, passage) && one.end - one.start <= room);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isWithin(inner: TextSpan, outer: TextSpan): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function toSpan({ start, end }: TextSpan): TextSpan {
  return { start, end };
}

async function bestSentences(
  text: string,
  units: Units,
  scorer: RunScorer,
  passages: readonly ScoredSpan[],
  pacer: Pacer,
): Promise<readonly Sentence[]> {
  pacer.enter("sentences");
  const whole = new BestList<ScoredUnit>(text, KEPT);
  const any = new BestList<ScoredUnit>(text, KEPT);
  for (let unit = 0; unit < units.count; unit++) {
    if (pacer.isDue()) await pacer.pause(units.start(unit));
    if (!scorer.hasHits(unit, unit + 1)) continue;
    const [start, end] = [units.start(unit), units.end(unit)];
    const around = passages.find((passage) => isWithin({ start, end }, passage))?.score ?? 0;
    const score = scorer.score(unit, unit + 1) + PASSAGE_WORTH * around;
    if (isFragment(text, start) || !(units.isWhole(unit) || units.isLine(unit))) continue;
    const list = units.isWhole(unit) ? whole : any;
    if (!list.admits(score)) continue;
    if (isProseRange(text, start, end)) list.add({ start, end, score, unit });
  }
  const distinct = keepDistinct(text, whole.items());
  return distinct.length > 0 ? distinct : keepDistinct(text, any.items());
}

/** Whether a range begins in the middle of a sentence, for example after a heading or a misread stop. */
export function isFragment(text: string, start: number): boolean {
  return FRAGMENT.test(text.slice(start, start + 4));
}

function keepDistinct(text: string, sentences: readonly ScoredUnit[]): Sentence[] {
  const floor = (sentences[0]?.score ?? 0) * MIN_KEY_POINT_SHARE;
  const kept: (Sentence & { readonly words: ReadonlySet<number> })[] = [];
  for (const sentence of sentences) {
    if (sentence.score < floor) break;
    const { start, end } = sentence;
    const words = wordSet(text, start, end);
    if (kept.length === MAX_DISTINCT) break;
    if (kept.some((other) => similarity(other.words, words) >= TOO_SIMILAR)) continue;
    const leans = leansOnOthers(text, start, end);
    kept.push({ ...sentence, words, leans, standsAlone: standsAlone(text, start, end, leans) });
  }
  return kept;
}
