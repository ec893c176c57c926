import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { findText } from "./find-text.ts";

/** So much of a text is looked at: its beginning stands for all of it. */
const SAMPLE_LENGTH = 256 * 1024;
/** Shown where a text has so many lines; they are seldom among those that a cut leaves. */
const SHOWN = { from: 100, to: 180 } as const;

/** How to look into a text: for a word that is often looked for and is there, else by lines; undefined of a single line. */
function exampleLines(text: string): JsonObject | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const lines = sample.split("\n", SHOWN.to + 1).length;
  if (lines < 2) return undefined;
  if (/error/i.test(sample)) return { grep: "(?i)error" };
  if (lines <= SHOWN.from) return { lines: `1-${lines}` };
  return { lines: `${SHOWN.from}-${Math.min(lines, SHOWN.to)}` };
}

/** The same for a value that is a text or has one text of several lines and no records; undefined for any other. */
export function exampleLinesIn(value: JsonValue): JsonObject | undefined {
  if (typeof value !== "string" && (mainCollection(value)?.items.length ?? 0) > 0) return undefined;
  const text = onlyText(value);
  // A text that is JSON is opened, and asked by its keys.
  return text === undefined || /^\s*[[{]/.test(text) ? undefined : exampleLines(text);
}

function onlyText(value: JsonValue): string | undefined {
  try {
    return findText(value, undefined).text;
  } catch {
    return undefined;
  }
}
