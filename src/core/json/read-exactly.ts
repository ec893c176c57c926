// Parses JSON text so that no number changes: a number that a double cannot keep becomes the text it is written as.

import { numberLoss } from "./find-losses.ts";
import { MAX_JSON_DEPTH } from "./find-non-json.ts";
import type { JsonValue } from "./json-value.ts";
import { scanJson } from "./scan-json.ts";
import { MINUS, QUOTE, isDigit, scanNumber, skipString } from "./scan-token.ts";

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

export interface ExactReading {
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
