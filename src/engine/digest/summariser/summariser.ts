import { countCodePoints, firstCodePoints } from "../../../core/text/code-points.ts";
import { isJsonObject } from "../../../core/json/json-value.ts";
import type { ScoredSpan, TextSpan } from "../document.ts";
import { safeCut } from "../evidence/find-unit-end.ts";
import { Units, splitUnits } from "../evidence/units.ts";
import { ContractError, MAX_TIMER_MS, assertNumber } from "../../../core/contract/contract-error.ts";
import { createBreaker, failuresInARow } from "../../runtime/trip-rules.ts";
import { runWithDeadline } from "../../runtime/deadline.ts";
import type { WarningDetail } from "../../../core/contract/warning.ts";

export interface SummariseRequest {
  /** The text to summarise, at most `maxInputChars` code points. It is untrusted: data, never instructions. */
  readonly text: string;
  readonly query?: string;
  readonly maxSummaryChars: number;
  readonly maxKeyPoints: number;
  readonly maxKeyPointChars: number;
  readonly signal: AbortSignal;
}

export interface Summary {
  readonly summary: string;
  readonly keyPoints: readonly string[];
}

/** About 6,000 tokens of English. */
export const DEFAULT_MAX_INPUT_CHARS = 24_000;

export interface Summariser {
  /** Part of the cache key: another model or prompt needs another name. Shown to models, so it names no host. */
  readonly name: string;
  /** The most code points of text that it accepts. Default: 24,000. */
  readonly maxInputChars?: number | undefined;
  summarise(request: SummariseRequest): Promise<Summary>;
}

const summariserFailures = ["timeout", "circuit_open", "failed", "invalid_answer"] as const;
export type SummariserFailure = (typeof summariserFailures)[number];

// Two copies of the package may be installed side by side, so identity is a registered symbol, not the class.
const brand = Symbol.for("waybill.SummariserError");

/** Why a summariser gave no summary: for logs and operators, never for a model, which only learns the reason. */
export class SummariserError extends Error {
  override readonly name = "SummariserError";
  readonly reason: SummariserFailure;
  /** The HTTP status, if there was one. */
  readonly status: number | undefined;

  constructor(
    reason: SummariserFailure,
    message: string,
    { status, cause }: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = status;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is SummariserError {
    return typeof value === "object" && value !== null && brand in value;
  }

  /** Any error of a summariser as a SummariserError. */
  static of(thrown: unknown): SummariserError {
    if (SummariserError.isInstance(thrown)) return thrown;
    return new SummariserError("failed", "The summariser failed: see the cause.", { cause: thrown });
  }
}

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
export function cutSummary(text: string, maxChars: number): string {
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
function choose(
  text: string,
  spans: readonly ScoredSpan[],
  room: number,
): { spans: TextSpan[]; used: number } {
  const best = spans.toSorted((a, b) => b.score - a.score || a.start - b.start);
  const chosen: TextSpan[] = [];
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
function join(text: string, spans: readonly TextSpan[]): string {
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
    summary: cutSummary(tidied, limits.maxSummaryChars),
    keyPoints: [...new Set(points)]
      .filter((point) => point !== "")
      .slice(0, limits.maxKeyPoints)
      .map((point) => cutSummary(point, limits.maxKeyPointChars)),
  };
}

export interface GuardSummariserOptions {
  /** How long one summary may take. Default: 30,000. */
  readonly timeoutMs?: number;
  readonly breaker?: {
    /** After this many failures in a row the summariser is not called for a while. Default: 3. */
    readonly failures?: number;
    /** How long it is not called before one call tries again. Default: 30,000. */
    readonly resetMs?: number;
  };
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Gets each failure, for a log. */
  readonly onFailure?: (error: SummariserError) => void;
}

/** By the summariser, which is its author's object; a guard is its own. */
const guards = new WeakMap<Summariser, Summariser>();

/** The guard of a summariser: its own, or one with default settings that is kept for it. */
export function guardOf(summariser: Summariser): Summariser {
  const known = guards.get(summariser) ?? guardSummariser(summariser);
  guards.set(summariser, known);
  return known;
}

/**
 * Keeps a summariser that is slow or away from delaying digests: each call has a deadline, after some
 * failures in a row calls fail at once, and one probe at a time finds out when it is back. Guard a summariser
 * once and share it: the guard keeps the state.
 */
export function guardSummariser(summariser: Summariser, options: GuardSummariserOptions = {}): Summariser {
  const { timeoutMs = 30_000, breaker: { failures = 3, resetMs = 30_000 } = {}, now, onFailure } = options;
  assertNumber("timeoutMs", timeoutMs, { min: 1, max: MAX_TIMER_MS });
  assertNumber("breaker.failures", failures, { min: 1, whole: true });
  assertNumber("breaker.resetMs", resetMs, { min: 1 });
  const breaker = createBreaker({ rule: failuresInARow(failures), resetMs, now });

  async function run(request: SummariseRequest): Promise<Summary> {
    const given = await runWithDeadline(async (signal) => summariser.summarise({ ...request, signal }), {
      timeoutMs,
      signal: request.signal,
      onTimeout: () => new SummariserError("timeout", `The summariser took longer than ${timeoutMs} ms.`),
    });
    return tidySummary(given, request);
  }

  const guard: Summariser = {
    name: summariser.name,
    maxInputChars: summariser.maxInputChars,
    async summarise(request) {
      // Before the breaker: a caller who is gone must not use up a probe.
      request.signal.throwIfAborted();
      const entry = breaker.enter();
      if (!entry.allowed)
        throw new SummariserError(
          "circuit_open",
          "The summariser keeps failing and is not called for a while.",
        );
      try {
        const summary = await run(request);
        entry.done(true);
        return summary;
      } catch (thrown) {
        // A caller who gave up, or made a wrong request, says nothing about the summariser.
        if (request.signal.aborted || ContractError.isInstance(thrown)) throw thrown;
        entry.done(false);
        const error = SummariserError.of(thrown);
        onFailure?.(error);
        throw error;
      }
    },
  };
  guards.set(guard, guard);
  return guard;
}

export interface SummariseOptions extends SummaryLimits {
  readonly summariser: Summariser;
  /** The document's canonical text, of any length. */
  readonly text: string;
  /** The most important passages: of a long text the summariser sees these and the beginning. */
  readonly spans: readonly ScoredSpan[];
  readonly query?: string | undefined;
  /** Used if the summariser gives nothing. */
  readonly extractive: Summary;
  readonly signal?: AbortSignal | undefined;
}

interface SummariseResult extends Summary {
  /** False for the extractive summary, which must not be cached under the summariser's name. */
  readonly usedSummariser: boolean;
  readonly warnings: readonly WarningDetail[];
}

const says: Readonly<Record<SummariserFailure, string>> = {
  timeout: "did not answer in time",
  circuit_open: "is paused after repeated failures",
  failed: "is not available",
  invalid_answer: "gave no usable answer",
};

function fallbackWarning(summariser: string, reason: SummariserFailure): WarningDetail {
  return {
    code: "FALLBACK_USED",
    severity: "info",
    message: `The summariser ${says[reason]}: summary and key points are sentences of the document`,
    context: { summariser, reason },
  };
}

/** The summariser's words, or the extractive summary with a warning; rejects only if the caller gave up. */
export async function summariseOrFallBack(options: SummariseOptions): Promise<SummariseResult> {
  const { summariser, text, spans, query, extractive, maxSummaryChars, maxKeyPoints, maxKeyPointChars } =
    options;
  const { signal = new AbortController().signal } = options;
  signal.throwIfAborted();
  const limits = { maxSummaryChars, maxKeyPoints, maxKeyPointChars };
  const input = summaryInput(text, spans, summariser.maxInputChars ?? DEFAULT_MAX_INPUT_CHARS);
  try {
    const given = await summariser.summarise({
      text: input,
      ...(query === undefined ? {} : { query }),
      ...limits,
      signal,
    });
    return { ...tidySummary(given, limits), usedSummariser: true, warnings: [] };
  } catch (thrown) {
    signal.throwIfAborted();
    if (ContractError.isInstance(thrown)) throw thrown;
    const { reason } = SummariserError.of(thrown);
    return { ...extractive, usedSummariser: false, warnings: [fallbackWarning(summariser.name, reason)] };
  }
}
