import { countCodePoints } from "../../contract/code-points.ts";
import type { ScoredSpan, Span } from "../document.ts";
import { findTextEnd } from "./cut-text.ts";

/** Stands where text was left out. */
const GAP = "\n\n[…]\n\n";
/** Passages get at most this share: without its beginning a model cannot tell what a document is. */
const PASSAGES_SHARE = 0.75;

function isWithin(text: string, maxChars: number): boolean {
  if (text.length <= maxChars) return true;
  // A code point is two units at most, so a long text needs no counting.
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

/** In the order of the document; what is no longer than a gap is not left out. */
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
 * What a summariser is shown of a document, in at most `maxChars` code points: all of it, or the passages that matter
 * most and as much of its beginning as there is room for.
 */
export function summaryInput(text: string, spans: readonly ScoredSpan[], maxChars: number): string {
  if (isWithin(text, maxChars)) return text;
  const passages = choose(text, spans, Math.floor(maxChars * PASSAGES_SHARE));
  const beginning = { start: 0, end: findTextEnd(text, maxChars - passages.used) };
  return join(text, [beginning, ...passages.spans]);
}
