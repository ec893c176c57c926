// Parses JSON for questions so that no number changes: JSON.parse rounds whole numbers beyond 2^53, and makes
// infinity of numbers larger than any double. Such numbers become the text in which they are written, and the
// answer has a note about it.

import { MAX_JSON_DEPTH } from "../../../core/json/find-non-json.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { countKeys } from "../../../core/json/parse-json.ts";
import { quoteNumbers } from "../../../core/json/exact-text.ts";
import { scanJson } from "../../../core/json/scan-json.ts";

/** Duplicate keys and rounded decimals are searched for in texts up to this length, because the search takes time. */
const MAX_SCANNED = 8 * 1024 * 1024;
const MAX_SHOWN = 40;

/** What the reader of an answer should know about how its data was parsed. Each kind is noted once. */
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

/** A number that a double cannot hold: a whole number beyond 2^53, or a number larger than any double. */
export function isLongNumber(token: string): boolean {
  const value = Math.abs(Number(token));
  return value > Number.MAX_SAFE_INTEGER && (/^-?\d+$/.test(token) || value === Number.POSITIVE_INFINITY);
}

/** Throws what JSON.parse throws. */
export function readQuestionedJson(text: string, notes: ReadNotes): JsonValue {
  const parsed = JSON.parse(text) as JsonValue;
  const quoted = hasLargeNumber(parsed) ? quoteNumbers(text, isLongNumber) : undefined;
  const value = quoted === undefined ? parsed : (JSON.parse(quoted.text) as JsonValue);
  const scan = text.length <= MAX_SCANNED ? scanJson(quoted?.text ?? text, MAX_JSON_DEPTH) : undefined;
  const isKnown = scan !== undefined && scan.fault === undefined;
  notes.add(
    quoted?.first,
    isKnown && scan.losesNumbers,
    // Fewer properties than keys in the text: one key overwrote another.
    isKnown && scan.keyCount !== countKeys(value),
  );
  return value;
}

function hasLargeNumber(root: JsonValue): boolean {
  const open: object[] = [[root]];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    // Own keys only: objects from JSON.parse inherit no enumerable keys.
    for (const key in holder) {
      const item = (holder as Readonly<Record<string, JsonValue>>)[key];
      if (typeof item === "number") {
        if (Math.abs(item) > Number.MAX_SAFE_INTEGER) return true;
      } else if (typeof item === "object" && item !== null) open.push(item);
    }
  }
  return false;
}
