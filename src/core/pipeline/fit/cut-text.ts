import type { TextWeigher } from "./weigh-parcel.ts";
import { jsonChunks, keysOf } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer, getByPointer } from "../../json/pointer.ts";
import { TABLE } from "../../json/table/table-notation.ts";

/** How far back a cut may go for a good end: half of what fits. */
const MIN_KEPT_SHARE = 0.5;
const SLICE_LENGTH = 2_048;

// A sentence ends at its mark if a space or line end follows; scripts without spaces need none.
const SENTENCE_END = /[.!?…]["')\]]*(?=\s)|[。！？｡]["'」』）]*/gu;
const ENCODED = /^[A-Za-z0-9+/_=-]+$/;
const ENCODED_SAMPLE_LENGTH = 4_096;

/** Bytes written as letters, such as base64, of which a part is useless. */
export function looksEncoded(text: string): boolean {
  const sample = text.slice(0, ENCODED_SAMPLE_LENGTH);
  return sample.length >= 256 && ENCODED.test(sample) && /[a-z]/.test(sample) && /[A-Z0-9]/.test(sample);
}

/** The weight of a part of a text as it is sent: inside a JSON string, or bare. */
export type WeighPart = (text: string, limit: number) => number;

export function partWeigher(gauge: TextWeigher, isBare: boolean): WeighPart {
  return isBare
    ? (text, limit) => gauge.weigh(text, limit)
    : (text, limit) => gauge.weigh(JSON.stringify(text).slice(1, -1), limit);
}

function isInsidePair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The longest beginning that fits, in UTF-16 units, never ending inside a surrogate pair. */
export function longestBeginning(text: string, room: number, weigh: WeighPart): number {
  let kept = 0;
  let left = room;
  for (let length = SLICE_LENGTH; length >= 1;) {
    let end = Math.min(text.length, kept + length);
    if (isInsidePair(text, end)) end--;
    const weight = end > kept ? weigh(text.slice(kept, end), left) : left + 1;
    if (weight <= left) {
      kept = end;
      left -= weight;
      if (kept === text.length) return kept;
    } else {
      length = Math.floor(length / 2);
    }
  }
  return kept;
}

/** Where the longest end that fits begins, in UTF-16 units, never inside a surrogate pair. */
export function longestEnd(text: string, room: number, weigh: WeighPart): number {
  let start = text.length;
  let left = room;
  for (let length = SLICE_LENGTH; length >= 1 && start > 0;) {
    let from = Math.max(0, start - length);
    if (isInsidePair(text, from)) from++;
    const weight = from < start ? weigh(text.slice(from, start), left) : left + 1;
    if (weight <= left) {
      start = from;
      left -= weight;
    } else {
      length = Math.floor(length / 2);
    }
  }
  return start;
}

/**
 * Whether both ends look like JSON: a list or an object of values, not code or prose that begins with a bracket, and not
 * a value a line.
 */
export function looksLikeJson(text: string): boolean {
  if (VALUE_A_LINE.test(text.slice(0, ENCODED_SAMPLE_LENGTH))) return false;
  return /^\s*(?:\{\s*"|\[\s*["{[\d])/.test(text.slice(0, 256)) && /[\]}]\s*$/.test(text.slice(-256));
}

const VALUE_A_LINE = /[\]}][ \t]*\r?\n[ \t]*[[{]/;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** In a JSON text, the end of the last whole element, the shallowest that ends late enough; 0 if no element does. */
function elementEnd(text: string, end: number, earliest: number): number {
  const ends: number[] = [];
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < end; at++) {
    const character = text.charCodeAt(at);
    if (isInText) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) isInText = false;
    } else if (character === QUOTE) isInText = true;
    else if (character === OPEN_LIST || character === OPEN_OBJECT) depth += 1;
    else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth -= 1;
    else if (character === COMMA) ends[depth] = at + 1;
  }
  const found = ends.find((after) => after !== undefined && after > earliest) ?? 0;
  return found > 0 && text[found] === "\n" && found < end ? found + 1 : found;
}

/**
 * The best place to end the text: in JSON after a whole element; else after a line, else after a sentence, else between
 * words, else anywhere.
 */
export function goodEnd(text: string, end: number): number {
  const earliest = Math.floor(end * MIN_KEPT_SHARE);
  const element = looksLikeJson(text) ? elementEnd(text, end, earliest) : 0;
  if (element > earliest) return element;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > earliest) return line;
  let sentence = 0;
  const tail = text.slice(earliest, Math.min(text.length, end + 1));
  for (const { index, 0: mark } of tail.matchAll(SENTENCE_END)) {
    const after = earliest + index + mark.length;
    if (after <= end) sentence = after;
  }
  if (sentence > earliest) return sentence;
  const space = text.slice(earliest, end).search(/\s\S*$/);
  return space > 0 ? earliest + space : end;
}

/**
 * The beginning of a text whose JSON string fits the room, quotes included; undefined if not even "" fits. A bare text
 * has neither quotes nor escapes.
 */
export function cutText(text: string, room: number, gauge: TextWeigher, isBare = false): string | undefined {
  const quotes = isBare ? 0 : gauge.weigh('""');
  if (room < quotes) return undefined;
  if (looksEncoded(text)) return "";
  const end = longestBeginning(text, room - quotes - 1, partWeigher(gauge, isBare));
  return end >= text.length ? text : text.slice(0, goodEnd(text, end));
}

/** The one text that makes up most of a result, and its place. */
export interface LongText {
  readonly text: string;
  readonly pointer: string;
  /** The short fields of the nearest object around the text that has any: what the text is, and whose. */
  readonly beside: JsonObject;
}

/** Below this share of the data's JSON, the values around a text matter more than the text. */
const MIN_SHARE = 0.5;
/** A longer text is content, not a label. */
const MAX_LABEL_LENGTH = 200;

function jsonLength(value: JsonValue): number {
  let length = 0;
  for (const chunk of jsonChunks(value)) length += chunk.length;
  return length;
}

/** The longest text and the keys on the way to it; a pointer is written only for the text that is found. */
function longest(data: JsonValue): { readonly text: string; readonly path: readonly (string | number)[] } {
  let found: ReturnType<typeof longest> = { text: "", path: [] };
  const path: (string | number)[] = [];
  function visit(value: JsonValue | undefined): void {
    if (typeof value === "string") {
      if (value.length > found.text.length) found = { text: value, path: [...path] };
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly JsonValue[]).entries()) enter(index, item);
    } else if (isJsonObject(value)) {
      for (const key of keysOf(value)) enter(key, value[key]);
    }
  }
  function enter(key: string | number, item: JsonValue | undefined): void {
    path.push(key);
    visit(item);
    path.pop();
  }
  visit(data);
  return found;
}

function isShort(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return value.length <= MAX_LABEL_LENGTH;
  return typeof value !== "object" || value === null;
}

function fieldsBeside(data: JsonValue, path: readonly (string | number)[]): JsonObject {
  let nearest: JsonObject = {};
  let around: JsonValue | undefined = data;
  for (const key of path) {
    const short = Object.entries(isJsonObject(around) ? around : {}).filter(([, value]) => isShort(value));
    if (short.length > 0) nearest = Object.fromEntries(short);
    around = getByPointer(around ?? null, appendPointer("", key));
  }
  return nearest;
}

/** The text that makes up at least half of the data's JSON, in any place; undefined if no text is that long. */
export function longText(data: JsonValue): LongText | undefined {
  const { text, path } = longest(data);
  // A cell of a table has no pointer of its own.
  if (text === "" || path.includes(TABLE)) return undefined;
  if (jsonLength(text) < jsonLength(data) * MIN_SHARE) return undefined;
  return { text, pointer: path.reduce<string>(appendPointer, ""), beside: fieldsBeside(data, path) };
}
