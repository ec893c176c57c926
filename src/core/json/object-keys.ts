import type { JsonObject } from "./json-value.ts";

/** Engines list and sort all keys of an object this wide before returning the first, also in `for … in`. */
const WIDE = 1_000;

/** The keys of wide objects, while they are needed more than once. */
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
