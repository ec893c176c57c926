// The JSON text of a value that came over a wire, kept as long as the value. Code that is about to write the value
// again asks here whether the value is still the same as the text: JSON.parse rounds numbers and drops keys.

import { MAX_JSON_DEPTH } from "./find-non-json.ts";
import type { JsonValue } from "./json-value.ts";
import { countKeys } from "./parse-json.ts";
import { scanJson, MINUS, QUOTE, isDigit, scanNumber, skipString, numberLoss } from "./scan-json.ts";

interface Remembered {
  readonly read: () => string | undefined;
  /** The text if the value lost something, null if it did not; undefined until it is asked for. */
  exact: string | null | undefined;
}

/** By the value, which is sent on as it came. */
const remembered = new WeakMap<object, Remembered>();

/** `read` finds the text that the value was parsed from. It is called once, and only if the value is rewritten. */
export function rememberText(value: object, read: () => string | undefined): void {
  remembered.set(value, { read, exact: undefined });
}

/** The original text of a value that lost part of it; undefined if nothing was lost, or no text is known. */
export function exactTextOf(value: JsonValue | undefined): string | undefined {
  const known = typeof value === "object" && value !== null ? remembered.get(value) : undefined;
  if (known === undefined || value === undefined) return undefined;
  if (known.exact === undefined) {
    const text = known.read();
    known.exact = text !== undefined && hasLost(text, value) ? text : null;
  }
  return known.exact ?? undefined;
}

/** Whether a number changed its value, or a key overwrote another. Spelling and order do not count. */
function hasLost(text: string, value: JsonValue): boolean {
  const scan = scanJson(text, MAX_JSON_DEPTH);
  return scan.fault === undefined && (scan.losesNumbers || scan.keyCount !== countKeys(value));
}

// Parses JSON text so that no number changes: a number that a double cannot keep becomes the text it is written as.

/** The text of valid JSON with some of its numbers in quotes; undefined if it has no such numbers. */
export function quoteNumbers(
  text: string,
  isQuoted: (token: string) => boolean,
): { readonly text: string; readonly first: string } | undefined {
  const pieces: string[] = [];
  let first: string | undefined;
  let copied = 0;
  for (let offset = 0; offset < text.length;) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) offset = skipString(text, offset);
    else if (isDigit(code) || code === MINUS) {
      const end = scanNumber(text, offset);
      const token = text.slice(offset, end);
      if (isQuoted(token)) {
        first ??= token;
        pieces.push(text.slice(copied, offset), `"${token}"`);
        copied = end;
      }
      offset = end;
    } else offset++;
  }
  if (first === undefined) return undefined;
  pieces.push(text.slice(copied));
  return { text: pieces.join(""), first };
}

interface ExactReading {
  readonly value: JsonValue;
  /** The first number that became a text; undefined if all stayed numbers. */
  readonly quoted: string | undefined;
}

/** Throws what JSON.parse throws. */
export function readExactly(text: string): ExactReading {
  const value = JSON.parse(text) as JsonValue;
  const scan = scanJson(text, MAX_JSON_DEPTH);
  const losesNumbers = scan.fault === undefined && scan.losesNumbers;
  const quoted = losesNumbers ? quoteNumbers(text, (token) => numberLoss(token) !== undefined) : undefined;
  if (quoted === undefined) return { value, quoted: undefined };
  return { value: JSON.parse(quoted.text) as JsonValue, quoted: quoted.first };
}
