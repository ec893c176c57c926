import { jsonEqual } from "../../json/canonical-json.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";

/** The JSON in texts; each is parsed once, since parsing a large one is most of what an answer costs. */
export type ReadJson = (text: string) => JsonValue | undefined;

/** Begins as `JSON.stringify` would, so that writing the value to compare it is not in vain. */
const DENSE_START = /^(?:\{"[^"\\]*":|\[)\S/;

/** The texts of one result as JSON. What is written densely is remembered, so that nobody writes it again. */
export class ResultJson {
  readonly #known = new Map<string, JsonValue | undefined>();
  readonly #written: WrittenValue[] = [];

  readonly read: ReadJson = (text) => {
    if (!this.#known.has(text)) this.#known.set(text, this.#parse(text));
    return this.#known.get(text);
  };

  /** The text of a value, where one of the texts is exactly what `JSON.stringify` writes for it. */
  writtenFor(data: JsonValue): WrittenValue | undefined {
    return this.#written.find(({ value }) => value === data);
  }

  /** A text that only repeats what the structure says, as JSON or as one of its fields, or that says nothing. */
  repeats(text: string, structured: JsonValue): boolean {
    if (text.trim() === "" || this.#writes(text, structured)) return true;
    const json = this.read(text);
    if (json !== undefined && jsonEqual(json, structured)) return true;
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
    if (!parsed.ok || parsed.reordersKeys) return undefined;
    const { value, findings, isDense } = parsed;
    if (typeof value !== "object" || value === null) return undefined;
    if (isDense) this.#written.push({ value, text });
    return findings.every(({ kind }) => kind === "lone-surrogate") ? value : undefined;
  }
}
