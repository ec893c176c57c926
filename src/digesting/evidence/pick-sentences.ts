import type { ScoredSpan, Span } from "../document.ts";
import { BestList } from "./best-list.ts";
import { NEWLINE, SILENT, SPACE, SPACED, boundaryOf, letterOf, scriptOf } from "./character-table.ts";
import type { Pacer } from "./pacer.ts";
import type { RunScorer, Units } from "./units.ts";
import { similarity, wordSet } from "./word-reader.ts";

/** What tables, lists, headings, quoted code and links begin with. */
const NOT_PROSE = /^(?:[|#>*+=<{}\\/@$~`_-]|https?:)/u;
const CODE = new Set(Array.from("{};=<>\\|`_", (sign) => sign.charCodeAt(0)));
const MIN_LETTER_SHARE = 0.7;
/** Prose about code names things in it; a line of code has several times as many signs. */
const MAX_CODE_SHARE = 0.06;
const MIN_WORDS = 5;
const MIN_UNSPACED_LETTERS = 10;

/** Whether a stretch reads as a sentence: words mostly, not a table row, a menu, code or a formula. */
export function isProse(text: string, start: number, end: number): boolean {
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
    if (boundary !== SPACE && boundary !== NEWLINE) visible++;
  }
  if (letters < MIN_LETTER_SHARE * visible || code > MAX_CODE_SHARE * visible) return false;
  return words >= MIN_WORDS || unspaced >= MIN_UNSPACED_LETTERS;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Sentences kept to choose from. */
const KEPT = 256;
/** More than any summary and its key points hold. */
const MAX_DISTINCT = 64;
/** From here on two sentences say too much of the same. */
const TOO_SIMILAR = 0.5;
/** A sentence far below the best one is not used in a summary. */
const MIN_SHARE_OF_BEST = 0.45;

const FRAGMENT = /^[^\p{L}\p{N}]*\p{Ll}/u;

interface SentenceLimits {
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly keyPointChars: number;
}

interface Sentences {
  /** In document order; joined by single spaces they are short enough. */
  readonly summary: readonly Span[];
  /** Best first. */
  readonly keyPoints: readonly Span[];
}

/**
 * Whole sentences for a summary, and others for key points; only what a document too short for both says is used
 * twice. Lines without a full stop are taken when there is nothing else.
 */
export async function pickSentences(
  text: string,
  units: Units,
  scorer: RunScorer,
  limits: SentenceLimits,
  pacer: Pacer,
): Promise<Sentences> {
  const sentences = await bestSentences(text, units, scorer, pacer);
  const chosen: ScoredSpan[] = [];
  let room = limits.maxSummaryChars;
  for (const sentence of sentences) {
    const length = sentence.end - sentence.start + (chosen.length > 0 ? 1 : 0);
    if (length > room) continue;
    chosen.push(sentence);
    room -= length;
  }
  const short = sentences.filter(({ start, end }) => end - start <= limits.keyPointChars);
  const taken = new Set(chosen);
  const points = [...short.filter((one) => !taken.has(one)), ...short.filter((one) => taken.has(one))];
  return {
    summary: chosen.map(toSpan).sort((a, b) => a.start - b.start),
    keyPoints: points.slice(0, limits.maxKeyPoints).map(toSpan),
  };
}

function toSpan({ start, end }: ScoredSpan): Span {
  return { start, end };
}

async function bestSentences(
  text: string,
  units: Units,
  scorer: RunScorer,
  pacer: Pacer,
): Promise<readonly ScoredSpan[]> {
  pacer.enter("sentences");
  const whole = new BestList<ScoredSpan>(text, KEPT);
  const any = new BestList<ScoredSpan>(text, KEPT);
  for (let unit = 0; unit < units.count; unit++) {
    if (pacer.isDue()) await pacer.pause(units.start(unit));
    if (!scorer.hasHits(unit, unit + 1)) continue;
    const score = scorer.score(unit, unit + 1);
    const [start, end] = [units.start(unit), units.end(unit)];
    if (isFragment(text, start) || !(units.isWhole(unit) || units.isLine(unit))) continue;
    const list = units.isWhole(unit) ? whole : any;
    if (!list.admits(score)) continue;
    if (isProse(text, start, end)) list.add({ start, end, score });
  }
  const distinct = keepDistinct(text, whole.items());
  return distinct.length > 0 ? distinct : keepDistinct(text, any.items());
}

/** Whether a sentence begins in its middle, as what follows a heading or a wrongly read stop does. */
function isFragment(text: string, start: number): boolean {
  return FRAGMENT.test(text.slice(start, start + 4));
}

function keepDistinct(text: string, sentences: readonly ScoredSpan[]): ScoredSpan[] {
  const floor = (sentences[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
  const kept: (ScoredSpan & { readonly words: ReadonlySet<number> })[] = [];
  for (const sentence of sentences) {
    if (sentence.score < floor) break;
    const words = wordSet(text, sentence.start, sentence.end);
    if (kept.length === MAX_DISTINCT) break;
    if (kept.every((other) => similarity(other.words, words) < TOO_SIMILAR))
      kept.push({ ...sentence, words });
  }
  return kept;
}
