import { countCodePoints, firstCodePoints } from "../../../core/contract/code-points.ts";
import { isJsonObject } from "../../../core/json/json-value.ts";
import type { ScoredSpan, Span } from "../document.ts";
import { safeCut } from "../evidence/find-unit-end.ts";
import { Units, splitUnits } from "../evidence/units.ts";
import { type SummariseRequest, SummariserError, type Summary } from "./summariser.ts";

/** The text after a stop decides whether it ends a sentence, so a little more than the kept text is read. */
const LOOKAHEAD = 100;
const SPACE = /\s/u;

/** The end of the last whole sentence within the first `limit` units; undefined if that would cost half. */
function findSentenceEnd(text: string, limit: number): number | undefined {
  const to = Math.min(text.length, limit + LOOKAHEAD);
  const units = new Units();
  splitUnits(text, 0, to, to, units);
  for (let index = units.count - 1; index >= 0; index--) {
    const end = units.end(index);
    if (end < limit / 2) return undefined;
    if (end <= limit && units.isWhole(index)) return end;
  }
  return undefined;
}

function findWordEnd(text: string, limit: number): number {
  for (let at = limit; at > limit / 2; at--) if (SPACE.test(text.charAt(at))) return at;
  return safeCut(text, limit, 0);
}

/** Where to end a text of more than `maxChars` code points: after a sentence, else after a word, in UTF-16 units. */
export function findTextEnd(text: string, maxChars: number): number {
  const limit = firstCodePoints(text, maxChars).length;
  if (limit === text.length) return limit;
  return findSentenceEnd(text, limit) ?? findWordEnd(text, limit);
}

/** The text in at most `maxChars` code points; an ellipsis shows that it stops within a sentence. */
export function cutText(text: string, maxChars: number): string {
  const limit = firstCodePoints(text, maxChars).length;
  if (limit === text.length) return text;
  const end = findSentenceEnd(text, limit);
  if (end !== undefined) return text.slice(0, end);
  if (maxChars < 1) return "";
  const room = firstCodePoints(text, maxChars - 1).length;
  return `${text.slice(0, findWordEnd(text, room)).trimEnd()}…`;
}

/** Marks text that was left out. */
const GAP = "\n\n[…]\n\n";
/** Passages get at most this share: without its beginning, a model cannot recognise a document. */
const PASSAGES_SHARE = 0.75;

function isWithin(text: string, maxChars: number): boolean {
  if (text.length <= maxChars) return true;
  // A code point has at most two units, so a long text need not be counted.
  return text.length <= 2 * maxChars && countCodePoints(text) <= maxChars;
}

/** The best passages that fit into `room` code points, each with a gap before it. */
function choose(text: string, spans: readonly ScoredSpan[], room: number): { spans: Span[]; used: number } {
  const best = spans.toSorted((a, b) => b.score - a.score || a.start - b.start);
  const chosen: Span[] = [];
  let used = 0;
  for (const { start, end } of best) {
    const cost = countCodePoints(text.slice(start, end)) + GAP.length;
    if (used + cost > room) continue;
    chosen.push({ start, end });
    used += cost;
  }
  return { spans: chosen, used };
}

/** In document order; text that is no longer than a gap is kept. */
function join(text: string, spans: readonly Span[]): string {
  const pieces: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = pieces.at(-1);
    if (last !== undefined && start - last.end <= GAP.length) last.end = Math.max(last.end, end);
    else pieces.push({ start, end });
  }
  return pieces.map(({ start, end }) => text.slice(start, end)).join(GAP);
}

/**
 * What a summariser gets of a document, in at most `maxChars` code points: all of it, or the most important
 * passages and as much of its beginning as fits.
 */
export function summaryInput(text: string, spans: readonly ScoredSpan[], maxChars: number): string {
  if (isWithin(text, maxChars)) return text;
  const passages = choose(text, spans, Math.floor(maxChars * PASSAGES_SHARE));
  const beginning = { start: 0, end: findTextEnd(text, maxChars - passages.used) };
  return join(text, [beginning, ...passages.spans]);
}

export type SummaryLimits = Pick<SummariseRequest, "maxSummaryChars" | "maxKeyPoints" | "maxKeyPointChars">;

/**
 * A summary is untrusted text, and its document may have influenced it: characters that move a terminal's
 * cursor, change the writing direction or hide words from people (tag characters) are removed.
 */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\s]+/gu;

function tidy(text: string): string {
  return text.replace(HIDDEN, "").replace(UNPRINTABLE, " ").trim();
}

function refuse(says: string): never {
  throw new SummariserError("invalid_answer", `The summariser's answer ${says}.`);
}

/** A summariser's answer as a summary within the limits; throws `invalid_answer` for anything that is not an answer. */
export function tidySummary(given: unknown, limits: SummaryLimits): Summary {
  if (!isJsonObject(given)) refuse("is not an object");
  const { summary, keyPoints } = given;
  if (typeof summary !== "string") refuse("has no summary");
  if (!Array.isArray(keyPoints)) refuse("has no list of key points");
  const points = keyPoints.map((point: unknown) =>
    typeof point === "string" ? tidy(point) : refuse("has a key point that is not text"),
  );
  const tidied = tidy(summary);
  if (tidied === "") refuse("is empty");
  return {
    summary: cutText(tidied, limits.maxSummaryChars),
    keyPoints: [...new Set(points)]
      .filter((point) => point !== "")
      .slice(0, limits.maxKeyPoints)
      .map((point) => cutText(point, limits.maxKeyPointChars)),
  };
}
