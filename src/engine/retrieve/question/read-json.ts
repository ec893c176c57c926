// Reads JSON for questions so that no number changes: JSON.parse rounds whole numbers beyond 2^53, and makes infinity of
// what is larger than any double. Such numbers become the text they are written as, and the answer has a note about it.

import { MAX_JSON_DEPTH } from "../../../core/json/find-non-json.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { countKeys } from "../../../core/json/parse-json.ts";
import { quoteNumbers } from "../../../core/json/read-exactly.ts";
import { scanJson } from "../../../core/json/scan-json.ts";

/** Keys that appear twice, and decimals that are rounded, are looked for in texts up to this length: it takes time. */
const MAX_SCANNED = 8 * 1024 * 1024;
const MAX_SHOWN = 40;

/** What the reader of an answer should know about how its data was read. Each kind is said once. */
export class ReadNotes {
  #numbers: string | undefined;
  #isRounded = false;
  #isRepeated = false;

  add(number: string | undefined, isRounded: boolean, isRepeated: boolean): void {
    this.#numbers ??= number;
    this.#isRounded ||= isRounded;
    this.#isRepeated ||= isRepeated;
  }

  get said(): readonly string[] {
    const said: string[] = [];
    if (this.#numbers !== undefined)
      said.push(
        `Numbers too long to be kept exactly, such as ${this.#numbers.slice(0, MAX_SHOWN)}, are read as text.`,
      );
    if (this.#isRounded) said.push("Decimals with more digits than a double keeps are rounded.");
    if (this.#isRepeated)
      said.push("An object has a key more than once: only the last value of such a key is asked.");
    return said;
  }
}

/** A number that a double does not keep: a whole one beyond 2^53, and one beyond all doubles. */
export function isLongNumber(token: string): boolean {
  const value = Math.abs(Number(token));
  return value > Number.MAX_SAFE_INTEGER && (/^-?\d+$/.test(token) || value === Number.POSITIVE_INFINITY);
}

/** Throws what JSON.parse throws. */
export function readJson(text: string, notes: ReadNotes): JsonValue {
  const parsed = JSON.parse(text) as JsonValue;
  const quoted = hasLargeNumber(parsed) ? quoteNumbers(text, isLongNumber) : undefined;
  const value = quoted === undefined ? parsed : (JSON.parse(quoted.text) as JsonValue);
  const scan = text.length <= MAX_SCANNED ? scanJson(quoted?.text ?? text, MAX_JSON_DEPTH) : undefined;
  const isKnown = scan !== undefined && scan.fault === undefined;
  notes.add(
    quoted?.first,
    isKnown && scan.losesNumbers,
    // Fewer properties than keys in the text: a key overwrote another.
    isKnown && scan.keyCount !== countKeys(value),
  );
  return value;
}

function hasLargeNumber(root: JsonValue): boolean {
  const open: object[] = [[root]];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    // Own keys only: what JSON.parse makes inherits nothing that can be listed.
    for (const key in holder) {
      const item = (holder as Readonly<Record<string, JsonValue>>)[key];
      if (typeof item === "number") {
        if (Math.abs(item) > Number.MAX_SAFE_INTEGER) return true;
      } else if (typeof item === "object" && item !== null) open.push(item);
    }
  }
  return false;
}
