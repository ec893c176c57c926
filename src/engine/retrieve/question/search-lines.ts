// Finds lines of a text, by number and by pattern, in one pass. The numbers are exact: lines end with a line
// feed, as for grep, sed and wc, and a carriage return before it is not part of the line.

import { countCodePoints, countLines } from "../../../core/text/code-points.ts";
import type { FoundLine, FoundLines, LineRange, LineSpan, TextSearch } from "./question.ts";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { faults } from "../../../core/contract/faults.ts";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";

/** A longer line is shown in part: a file without line ends must not fill every answer. */
export const MAX_SHOWN_UNITS = 2_000;
/** How much of such a line is shown before the match. */
const BEFORE_MATCH_UNITS = 200;

interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The lines of `text`, which is at `pointer`, that match a search. */
export function searchLines(
  text: string,
  pointer: string,
  search: TextSearch,
  pattern: LinePattern | undefined,
): FoundLines {
  const totalLines = countLines(text);
  const shown = new ShownLines(text, search, pattern);
  let matched = 0;
  let after = 0;
  let last = 0;
  const before: Place[] = [];
  for (const place of linesWithin(text, spansIn(search.range, totalLines))) {
    // Lines of another range are not around a match.
    if (place.line > last + 1) [after, before.length] = [0, 0];
    last = place.line;
    const isMatch = pattern === undefined || pattern.test(lineAt(text, place));
    if (isMatch) {
      matched++;
      for (const earlier of before.splice(0)) shown.add(earlier, false);
      shown.add(place, pattern !== undefined);
      after = search.context;
    } else if (after > 0) {
      shown.add(place, false);
      after--;
    } else if (search.context > 0) {
      before.push(place);
      if (before.length > search.context) before.shift();
    }
  }
  return { pointer, totalLines, matched, found: shown.found, lines: shown.lines };
}

function spansIn(range: LineRange | undefined, totalLines: number): readonly LineSpan[] {
  if (range === undefined) return [{ from: 1, to: totalLines }];
  if ("last" in range) return [{ from: Math.max(1, totalLines - range.last + 1), to: totalLines }];
  return range.spans;
}

function* linesWithin(text: string, spans: readonly LineSpan[]): Generator<Place> {
  let line = 1;
  let at = 0;
  for (let start = 0; start < text.length; line++) {
    while ((spans[at]?.to ?? line) < line) at++;
    const span = spans[at];
    if (span === undefined) return;
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    if (line >= span.from) yield { line, start, end };
    start = end + 1;
  }
}

function lineAt(text: string, { start, end }: Place): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end);
}

/** Keeps the lines that fit, and counts the rest. */
class ShownLines {
  readonly lines: FoundLine[] = [];
  found = 0;
  readonly #text: string;
  readonly #search: TextSearch;
  readonly #pattern: LinePattern | undefined;
  #units = 0;
  /** The last position whose number of code points is known. */
  #known = { unit: 0, codePoints: 0 };

  constructor(text: string, search: TextSearch, pattern: LinePattern | undefined) {
    this.#text = text;
    this.#search = search;
    this.#pattern = pattern;
  }

  add(place: Place, isMatch: boolean): void {
    this.found++;
    const { skip, maxUnits } = this.#search;
    if (this.found <= skip || this.#units >= maxUnits) return;
    const shown = this.#show(place, isMatch);
    this.#units += shown.text.length;
    this.lines.push(shown);
  }

  #show(place: Place, isMatch: boolean): FoundLine {
    const { line } = place;
    const at = this.#codePointsBefore(place.start);
    const whole = lineAt(this.#text, place);
    if (whole.length <= MAX_SHOWN_UNITS) return { line, text: whole, isMatch, at };
    const match = isMatch ? (this.#pattern?.placeIn(whole) ?? 0) : 0;
    const last = whole.length - MAX_SHOWN_UNITS;
    const begin = characterStart(whole, Math.min(last, Math.max(0, match - BEFORE_MATCH_UNITS)));
    const end = characterStart(whole, begin + MAX_SHOWN_UNITS);
    const from = countCodePoints(whole.slice(0, begin));
    return { line, text: whole.slice(begin, end), isMatch, at, piece: { from, of: countCodePoints(whole) } };
  }

  #codePointsBefore(unit: number): number {
    const { unit: from, codePoints } = this.#known;
    this.#known = { unit, codePoints: codePoints + countCodePoints(this.#text.slice(from, unit)) };
    return this.#known.codePoints;
  }
}

/** Moves a position back to the start of its surrogate pair. */
function characterStart(text: string, unit: number): number {
  const after = text.charCodeAt(unit);
  const before = text.charCodeAt(unit - 1);
  const isSplit = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return isSplit ? unit - 1 : unit;
}

// Patterns of `grep`, in RE2's language and linear time: no pattern takes longer than its length times that
// of the text. Only the worker loads this module.

export interface LinePattern {
  readonly test: (line: string) => boolean;
  /** Where a match begins, in UTF-16 units; undefined if it is not found within a piece. */
  readonly placeIn: (line: string) => number | undefined;
}

/** A long line is searched in pieces of this size for the place of its match: the engine that finds it is slow. */
const PIECE_UNITS = 64 * 1024;
const OVERLAP_UNITS = 2 * 1024;

export function compilePattern(pattern: string): LinePattern {
  const compiled = compile(pattern);
  return {
    test: (line) => compiled.test(line),
    placeIn: (line) => {
      for (let start = 0; start < line.length; start += PIECE_UNITS) {
        const piece = line.slice(Math.max(0, start - OVERLAP_UNITS), start + PIECE_UNITS);
        if (!compiled.test(piece)) continue;
        const matcher = compiled.matcher(piece);
        if (matcher.find()) return Math.max(0, start - OVERLAP_UNITS) + matcher.start();
      }
      return undefined;
    },
  };
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw refusePattern(pattern, error);
  }
}

function refusePattern(pattern: string, error: unknown): ToolFault {
  const { what, part } = readError(error);
  // For an unclosed bracket the engine names the whole pattern.
  const place = part === "" || part === pattern ? -1 : pattern.indexOf(part);
  const where = place === -1 ? "" : ` at character ${place + 1}`;
  return faults.validation(`The pattern of grep is wrong${where}: ${what}.`, {
    errorCode: "INVALID_FORMAT",
    remediation:
      'Use RE2 syntax: no lookaround and no backreferences, a backslash before signs that are meant as they are, (?i) to ignore case; e.g. "(?i)timeout after \\\\d+ ms".',
    details: {
      field: "grep",
      constraint: "RE2 pattern",
      ...(place === -1 ? {} : { position: place }),
    },
  });
}

/** The engine's message without its standard words: "missing closing )", and the part of the pattern it refers to. */
function readError(error: unknown): { readonly what: string; readonly part: string } {
  if (!(error instanceof RE2JSSyntaxException)) return { what: "it cannot be read", part: "" };
  const [, what = "it cannot be read"] =
    /^error parsing regexp: ([^`]*?):? ?(?:`|$)/.exec(error.message) ?? [];
  const part = (error as { readonly input?: unknown }).input;
  return { what, part: typeof part === "string" ? part : "" };
}
