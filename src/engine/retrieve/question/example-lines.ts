import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { findText } from "./find-text.ts";

/** Only this much of a text is searched: its beginning represents all of it. */
const SAMPLE_LENGTH = 256 * 1024;
/** Shown if a text has this many lines; a cut seldom keeps these lines. */
const SHOWN = { from: 100, to: 180 } as const;

/**
 * How to search a text: for a frequently searched word that it contains, else by lines; undefined for a
 * single line.
 */
function exampleLines(text: string): JsonObject | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const lines = sample.split("\n", SHOWN.to + 1).length;
  if (lines < 2) return undefined;
  if (/error/i.test(sample)) return { grep: "(?i)error" };
  if (lines <= SHOWN.from) return { lines: `1-${lines}` };
  return { lines: `${SHOWN.from}-${Math.min(lines, SHOWN.to)}` };
}

/**
 * The same for a value that is a text, or that has one text of several lines and no records; undefined for
 * any other.
 */
export function exampleLinesIn(value: JsonValue): JsonObject | undefined {
  if (typeof value !== "string" && (mainCollection(value)?.items.length ?? 0) > 0) return undefined;
  const text = onlyText(value);
  // A text that is JSON is parsed, and asked by its keys.
  return text === undefined || /^\s*[[{]/.test(text) ? undefined : exampleLines(text);
}

function onlyText(value: JsonValue): string | undefined {
  try {
    return findText(value, undefined).text;
  } catch {
    return undefined;
  }
}
