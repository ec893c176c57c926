import { jsonChunks } from "../../json/json-chunks.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer, getByPointer } from "../../json/pointer.ts";
import { TABLE } from "../../json/table/table-notation.ts";

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
      for (const [key, item] of Object.entries(value)) enter(key, item);
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
