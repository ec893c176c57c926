import type { JsonObject, JsonValue } from "./json-value.ts";

const CHUNK_LENGTH = 64 * 1024;

/** A value and the JSON text that it was parsed from, which may have spaces that `JSON.stringify` would not write. */
export interface WrittenValue {
  readonly value: JsonValue;
  readonly text: string;
}

/**
 * The text that `JSON.stringify` gives, piece by piece, so that the whole text of a large value is never in memory. If
 * `written` is the value or a value inside it, its text is used unchanged.
 */
export function* jsonChunks(
  value: JsonValue,
  chunkLength = CHUNK_LENGTH,
  written?: WrittenValue,
): Generator<string> {
  if (written !== undefined && value === written.value) {
    for (let start = 0; start < written.text.length; start += chunkLength)
      yield written.text.slice(start, start + chunkLength);
    return;
  }
  const isWhole = value === null || jsonLengthAtLeast(value, chunkLength) <= chunkLength;
  if (isWhole) yield JSON.stringify(value);
  else if (typeof value === "string") yield* stringChunks(value, chunkLength);
  else if (typeof value !== "object") yield JSON.stringify(value);
  else if (Array.isArray(value)) yield* arrayChunks(value, chunkLength);
  else yield* objectChunks(value as JsonObject, chunkLength, written);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function* stringChunks(text: string, chunkLength: number): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + chunkLength);
    // Half a surrogate pair would be written as an escape, which changes the text.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** Small items are written in batches: one call of `JSON.stringify` each would cost more than their text. */
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

function* objectChunks(
  value: JsonObject,
  chunkLength: number,
  written: WrittenValue | undefined,
): Generator<string> {
  let pending = "{";
  let separator = "";
  for (const key of keysOf(value)) {
    const item = value[key];
    // The type has no undefined, but JavaScript objects do, and `JSON.stringify` leaves it out.
    if (item === undefined) continue;
    pending += `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (jsonLengthAtLeast(item, chunkLength) <= chunkLength) {
      pending += JSON.stringify(item);
    } else {
      yield pending;
      pending = "";
      yield* jsonChunks(item, chunkLength, written);
    }
    if (pending.length > chunkLength) {
      yield pending;
      pending = "";
    }
  }
  yield `${pending}}`;
}

/**
 * A lower bound for the length of the value's JSON text, found without writing it: escapes are not counted, a number
 * counts as one digit. Stops soon after passing `limit`, so the cost is bounded by the limit, not by the value.
 */
export function jsonLengthAtLeast(value: JsonValue | undefined, limit: number): number {
  return limit - spend(value, limit);
}

/** What is left of `room` after the value; negative if the room was too small. */
function spend(value: JsonValue | undefined, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object") return room - 1;
  if (value === null) return room - 4;
  let left = room - 2;
  let comma = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) {
      left = spend(value[index], left - comma);
      comma = 1;
    }
    return left;
  }
  const members = value as JsonObject;
  for (const key of keysOf(members)) {
    const item = members[key];
    if (item === undefined) continue;
    left = spend(item, left - comma - key.length - 3);
    comma = 1;
    if (left < 0) return left;
  }
  return left;
}

/** Engines list and sort all keys of an object this wide before returning the first, also in `for … in`. */
const WIDE = 1_000;

/** The keys of wide objects of a tool's data, while they are needed more than once. */
let known: WeakMap<object, readonly string[]> | undefined;

/** An object's own keys, in order. */
export function keysOf(object: JsonObject): readonly string[] {
  const listed = known?.get(object);
  if (listed !== undefined) return listed;
  const keys = Object.keys(object);
  if (known !== undefined && keys.length >= WIDE) known.set(object, keys);
  return keys;
}

/**
 * Runs work that reads the same values many times: the keys of a wide object are listed once. That lasts until the work
 * first waits for something, because a value's owner may change it meanwhile.
 */
export function listingKeysOnce<Result>(work: () => Result): Result {
  if (known !== undefined) return work();
  known = new WeakMap();
  try {
    return work();
  } finally {
    known = undefined;
  }
}

/** For a thread that shares its values with no other code: keys are listed once for its whole life. */
export function keepKeysListed(): void {
  known ??= new WeakMap();
}
