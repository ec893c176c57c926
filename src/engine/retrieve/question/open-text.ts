// Servers send JSON as text, whole or in a field such as `content`: a question is about the parsed text. Only
// a text that begins and ends like JSON is tried, and each text once.

import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { Meter } from "./meter.ts";
import { type ReadNotes, readJson } from "./read-json.ts";

/** How much white space is skipped at each end. */
const MAX_SPACE = 64;
/** A text is about this many times as long as the number of values in it. */
const TEXT_PER_VALUE = 8;
/** How many parsed texts are kept while a question is answered. */
const MAX_KEPT = 64;

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text.slice(0, MAX_SPACE)) && /[\]}]\s*$/.test(text.slice(-MAX_SPACE));
}

/** The parsed value of a text that is a JSON list or object; any other value unchanged. */
export function openText(value: JsonValue, notes: ReadNotes): JsonValue {
  if (typeof value !== "string" || !looksLikeJson(value)) return value;
  try {
    return readJson(value, notes);
  } catch {
    return value;
  }
}

/** Opens texts inside a value when a question asks for something that texts do not have: a key, an item. */
export class InnerTexts {
  readonly #meter: Meter;
  readonly #kept = new Map<string, JsonValue>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  open(value: JsonValue): JsonValue {
    if (typeof value !== "string" || !looksLikeJson(value)) return value;
    const known = this.#kept.get(value);
    if (known !== undefined) return known;
    this.#meter.values(Math.ceil(value.length / TEXT_PER_VALUE));
    const opened = openText(value, this.#meter.notes);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(value, opened);
    return opened;
  }
}

/** An object whose only value is a text of JSON. */
export interface TextInField {
  readonly key: string;
  readonly opened: JsonValue;
}

/** The text of JSON under an object's only key, as in `{"content": "[…]"}`. */
export function textInField(value: JsonValue, notes: ReadNotes): TextInField | undefined {
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  const [key] = keys;
  if (key === undefined || keys.length !== 1) return undefined;
  const text = value[key] ?? null;
  const opened = openText(text, notes);
  return opened === text ? undefined : { key, opened };
}
