import { jsonEqual } from "../../json/canonical-json.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import { readExactly } from "../../json/read-exactly.ts";
import { scanJson } from "../../json/scan-json.ts";

/** The JSON in texts; each is parsed once, since parsing a large one is most of what an answer costs. */
export type ReadJson = (text: string) => JsonValue | undefined;

/** Begins as `JSON.stringify` would, so that writing the value to compare it is not in vain. */
const DENSE_START = /^(?:\{"[^"\\]*":|\[)\S/;

/** Half a surrogate pair does not survive UTF-8 as it is; in JSON it stands inside of a text, where an escape says the same. */
const loneHalf = /\p{Surrogate}/gu;

function escapeOf(half: string): string {
  return `\\u${half.charCodeAt(0).toString(16)}`;
}

/** The texts of one result as JSON. The text of a value is remembered: nobody writes it again, and its form is not lost. */
export class ResultJson {
  readonly #known = new Map<string, JsonValue | undefined>();
  readonly #written: WrittenValue[] = [];
  readonly #tooDeep = new Set<string>();
  /** The structure beside the texts has numbers that became text, so theirs are read in the same way to compare. */
  readonly #isExact: boolean;

  constructor(isExact = false) {
    this.#isExact = isExact;
  }

  readonly read: ReadJson = (text) => {
    if (!this.#known.has(text)) this.#known.set(text, this.#parse(text));
    return this.#known.get(text);
  };

  /** As `read`, also where numbers have to be text, and where a key stands twice or the order of keys is lost. */
  readLoosely(text: string): JsonValue | undefined {
    return this.read(text) ?? (this.isTooDeep(text) ? undefined : exactValue(text));
  }

  /** Whether a text is no value only because it is nested too deep to be read. */
  isTooDeep(text: string): boolean {
    this.read(text);
    return this.#tooDeep.has(text);
  }

  /** The text of a value, where one of the texts is that value in JSON. */
  writtenFor(data: JsonValue): WrittenValue | undefined {
    return this.#written.find(({ value }) => value === data);
  }

  /** A text that only repeats what the structure says, as JSON or as one of its fields, or that says nothing. */
  repeats(text: string, structured: JsonValue): boolean {
    if (text.trim() === "" || this.#writes(text, structured)) return true;
    const json = this.#isExact ? this.readLoosely(text) : this.read(text);
    if (json !== undefined && jsonEqual(json, structured)) {
      if (this.writtenFor(json) !== undefined) this.#written.push({ value: structured, text });
      return true;
    }
    if (!isJsonObject(structured)) return false;
    const values = Object.values(structured);
    const [only = null] = values;
    // A list has to stand under a name in the structure; its text is often the list alone.
    return values.includes(text) || (json !== undefined && values.length === 1 && jsonEqual(json, only));
  }

  /** Most servers write the structure into the text: writing it once more is cheaper than reading it. */
  #writes(text: string, structured: JsonValue): boolean {
    if (this.writtenFor(structured)?.text === text) return true;
    if (!DENSE_START.test(text) || JSON.stringify(structured) !== text) return false;
    this.#written.push({ value: structured, text });
    return true;
  }

  /** JSON text becomes a value only if every number and key survives; otherwise it is sent as text. */
  #parse(text: string): JsonValue | undefined {
    const parsed = parseJson(text);
    // How deep a text goes is seen before its end is: many brackets alone are no JSON.
    if (!parsed.ok && parsed.findings[0].kind === "depth" && isJson(text)) this.#tooDeep.add(text);
    if (!parsed.ok || parsed.reordersKeys) return undefined;
    const { value, findings } = parsed;
    if (typeof value !== "object" || value === null) return undefined;
    if (!findings.every(({ kind }) => kind === "lone-surrogate")) return undefined;
    this.#written.push({ value, text: findings.length === 0 ? text : text.replaceAll(loneHalf, escapeOf) });
    return value;
  }
}

/** Whether a text is JSON, however deep. */
function isJson(text: string): boolean {
  return scanJson(text, Number.POSITIVE_INFINITY, true).fault === undefined;
}

function exactValue(text: string): JsonValue | undefined {
  try {
    return readExactly(text).value;
  } catch {
    // No JSON.
    return undefined;
  }
}
