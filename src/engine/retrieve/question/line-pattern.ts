// Patterns of `grep`, in RE2's language and linear time: no pattern takes longer than its length times that
// of the text. Only the worker loads this module.

import { RE2JS, RE2JSSyntaxException } from "re2js";
import { faults } from "../../../core/contract/faults.ts";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";

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
