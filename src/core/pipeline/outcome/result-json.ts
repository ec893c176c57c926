import { jsonEqual } from "../../json/canonical-json.ts";
import type { WrittenValue } from "../../json/json-chunks.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";
import { readExactly, exactTextOf } from "../../json/exact-text.ts";
import { scanJson } from "../../json/scan-json.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { type WarningDetail, orderWarnings } from "../../contract/warning.ts";

/** The JSON in texts. Each text is parsed once, because parsing a large one is most of an answer's cost. */
export type ReadJson = (text: string) => JsonValue | undefined;

/** The text begins as `JSON.stringify` would write it, so writing the value to compare the two may succeed. */
const DENSE_START = /^(?:\{"[^"\\]*":|\[)\S/;

/** Half a surrogate pair does not survive UTF-8. In JSON it is inside a string, where an escape says the same. */
const loneHalf = /\p{Surrogate}/gu;

function escapeOf(half: string): string {
  return `\\u${half.charCodeAt(0).toString(16)}`;
}

/** The texts of one result as JSON. Each value's text is kept, so that it keeps its form and is not rewritten. */
export class ResultJson {
  readonly #known = new Map<string, JsonValue | undefined>();
  readonly #written: WrittenValue[] = [];
  readonly #tooDeep = new Set<string>();
  /** The structure beside the texts has numbers that became texts, so the texts' numbers are read the same way. */
  readonly #isExact: boolean;

  constructor(isExact = false) {
    this.#isExact = isExact;
  }

  readonly read: ReadJson = (text) => {
    if (!this.#known.has(text)) this.#known.set(text, this.#parse(text));
    return this.#known.get(text);
  };

  /** Like `read`, but also if numbers have to become texts, a key occurs twice or the order of keys is lost. */
  readLoosely(text: string): JsonValue | undefined {
    return this.read(text) ?? (this.isTooDeep(text) ? undefined : exactValue(text));
  }

  /** Whether a text is not a value only because it is nested too deep to be read. */
  isTooDeep(text: string): boolean {
    this.read(text);
    return this.#tooDeep.has(text);
  }

  /** The text of a value, if one of the texts is that value as JSON. */
  writtenFor(data: JsonValue): WrittenValue | undefined {
    return this.#written.find(({ value }) => value === data);
  }

  /** Whether a text only repeats the structure, as JSON or as one of its fields, or is empty. */
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
    // A structure must give a list a name; its text is often the list alone.
    return values.includes(text) || (json !== undefined && values.length === 1 && jsonEqual(json, only));
  }

  /** Most servers write the structure into the text: writing it again is cheaper than parsing the text. */
  #writes(text: string, structured: JsonValue): boolean {
    if (this.writtenFor(structured)?.text === text) return true;
    if (!DENSE_START.test(text) || JSON.stringify(structured) !== text) return false;
    this.#written.push({ value: structured, text });
    return true;
  }

  /** JSON text becomes a value only if every number and key survives; otherwise it is sent as text. */
  #parse(text: string): JsonValue | undefined {
    const parsed = parseJson(text);
    // The depth of a text is known before its end: many brackets alone are not JSON.
    if (!parsed.ok && parsed.findings[0].kind === "depth" && isJson(text)) this.#tooDeep.add(text);
    if (!parsed.ok || parsed.reordersKeys) return undefined;
    const { value, findings } = parsed;
    if (typeof value !== "object" || value === null) return undefined;
    if (!findings.every(({ kind }) => kind === "lone-surrogate")) return undefined;
    this.#written.push({ value, text: findings.length === 0 ? text : text.replaceAll(loneHalf, escapeOf) });
    return value;
  }
}

/** Whether a text is JSON, at any depth. */
function isJson(text: string): boolean {
  return scanJson(text, Number.POSITIVE_INFINITY, true).fault === undefined;
}

function exactValue(text: string): JsonValue | undefined {
  try {
    return readExactly(text).value;
  } catch {
    // Not JSON.
    return undefined;
  }
}

/** A structure that JSON.parse changed: its original text, and a value for code that has to look into it. */
export interface ExactStructure {
  readonly text: string;
  /** Numbers that a double cannot keep are texts, as they were written. */
  readonly value: JsonValue;
  readonly warning: WarningDetail;
}

const MAX_SHOWN = 40;

function warningOf(quoted: string | undefined): WarningDetail {
  if (quoted === undefined)
    return {
      code: "CONTENT_DROPPED",
      severity: "warning",
      message: "An object has a key more than once: only the last value of such a key is here",
    };
  return {
    code: "NUMBERS_AS_TEXT",
    severity: "warning",
    message: `Numbers too long to be kept exactly, such as ${quoted.slice(0, MAX_SHOWN)}, are here as text`,
  };
}

/** Undefined if JSON.parse changed nothing in the structure, which is nearly always so. */
export function exactStructure(structured: JsonValue | undefined): ExactStructure | undefined {
  const text = exactTextOf(structured);
  if (text === undefined) return undefined;
  const { value, quoted } = readExactly(text);
  return { text, value, warning: warningOf(quoted) };
}

export function withWarning(outcome: Outcome, warning: WarningDetail): Outcome {
  const { notes } = outcome;
  return { ...outcome, notes: { ...notes, warnings: orderWarnings([...(notes.warnings ?? []), warning]) } };
}

/** An outcome made from the value, with a warning about its numbers. */
export function withNote(outcome: Outcome, exact: ExactStructure | undefined): Outcome {
  return exact === undefined ? outcome : withWarning(outcome, exact.warning);
}
