import { jsonLengthAtLeast } from "./json-length.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

const CHUNK_LENGTH = 64 * 1024;

/** The text `JSON.stringify` gives, piece by piece, so that a large value never stands in memory as one text. */
export function* jsonChunks(value: JsonValue, chunkLength = CHUNK_LENGTH): Generator<string> {
  const isWhole = value === null || jsonLengthAtLeast(value, chunkLength) <= chunkLength;
  if (isWhole) yield JSON.stringify(value);
  else if (typeof value === "string") yield* stringChunks(value, chunkLength);
  else if (typeof value !== "object") yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* arrayChunks(value, chunkLength);
  else yield* objectChunks(value as JsonObject, chunkLength);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function* stringChunks(text: string, chunkLength: number): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + chunkLength);
    // Half a pair would be written as an escape, and the text would not be the same.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** Small items go out in batches: one call of `JSON.stringify` each would cost more than their text. */
function* arrayChunks(items: readonly JsonValue[], chunkLength: number): Generator<string> {
  let from = 0;
  let length = 0;
  let separator = "[";
  function* flush(to: number): Generator<string> {
    if (to > from) {
      yield separator + JSON.stringify(items.slice(from, to)).slice(1, -1);
      separator = ",";
    }
    from = to;
    length = 0;
  }
  for (let index = 0; index < items.length; index++) {
    const item = items[index] ?? null;
    const own = jsonLengthAtLeast(item, chunkLength);
    if (length + own > chunkLength) yield* flush(index);
    if (own > chunkLength) {
      yield separator;
      separator = ",";
      yield* jsonChunks(item, chunkLength);
      from = index + 1;
    } else {
      length += own + 1;
    }
  }
  yield* flush(items.length);
  yield separator === "[" ? "[]" : "]";
}

function* objectChunks(value: JsonObject, chunkLength: number): Generator<string> {
  let pending = "{";
  let separator = "";
  for (const [key, item] of Object.entries(value)) {
    // The type has no undefined, JavaScript objects do, and `JSON.stringify` leaves them out.
    if ((item as JsonValue | undefined) === undefined) continue;
    pending += `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (jsonLengthAtLeast(item, chunkLength) <= chunkLength) {
      pending += JSON.stringify(item);
    } else {
      yield pending;
      pending = "";
      yield* jsonChunks(item, chunkLength);
    }
    if (pending.length > chunkLength) {
      yield pending;
      pending = "";
    }
  }
  yield `${pending}}`;
}
