// Servers hand over JSON as text, whole or in a field such as `content`: a question is about what the text says. Only a
// text that begins and ends like JSON is tried, and each one once.

import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { Meter } from "./meter.ts";
import { type ReadNotes, readJson } from "./read-json.ts";

/** So far from both ends space is skipped. */
const MAX_SPACE = 64;
/** A text is about this many times as long as the number of values in it. */
const TEXT_PER_VALUE = 8;
/** Texts whose values are kept while a question is answered. */
const MAX_KEPT = 64;

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text.slice(0, MAX_SPACE)) && /[\]}]\s*$/.test(text.slice(-MAX_SPACE));
}

/** What a text that is a list or an object in JSON says; any other value as it is. */
export function openText(value: JsonValue, notes: ReadNotes): JsonValue {
  if (typeof value !== "string" || !looksLikeJson(value)) return value;
  try {
    return readJson(value, notes);
  } catch {
    return value;
  }
}

/** Opens texts inside of a value when something is asked of them that no text has: a key, an item. */
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

/** A text of JSON that is all an object holds. */
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
