// The JSON text behind a value that came over a wire, for as long as the value is there. Whoever is about to write the
// value anew asks here whether it still says what the text said: JSON.parse rounds numbers and drops keys.

import { MAX_JSON_DEPTH } from "./find-non-json.ts";
import type { JsonValue } from "./json-value.ts";
import { countKeys } from "./parse-json.ts";
import { scanJson } from "./scan-json.ts";

interface Remembered {
  readonly read: () => string | undefined;
  /** The text where the value lost something, null where it did not; undefined before anybody asked. */
  exact: string | null | undefined;
}

const remembered = new WeakMap<object, Remembered>();

/** `read` finds the text that the value was read from. It is called once, and only if somebody rewrites the value. */
export function rememberText(value: object, read: () => string | undefined): void {
  remembered.set(value, { read, exact: undefined });
}

/** The text that a value came as, where the value does not say all of it; undefined where it does, or no text is known. */
export function exactTextOf(value: JsonValue | undefined): string | undefined {
  const known = typeof value === "object" && value !== null ? remembered.get(value) : undefined;
  if (known === undefined || value === undefined) return undefined;
  if (known.exact === undefined) {
    const text = known.read();
    known.exact = text !== undefined && hasLost(text, value) ? text : null;
  }
  return known.exact ?? undefined;
}

/** Whether a number has another value, or a key overwrote another. Spelling and order are no part of a value. */
function hasLost(text: string, value: JsonValue): boolean {
  const scan = scanJson(text, MAX_JSON_DEPTH);
  return scan.fault === undefined && (scan.losesNumbers || scan.keyCount !== countKeys(value));
}
