import type { JsonObject } from "./json-value.ts";

/** Engines list all keys of an object this wide, and sort them, before anybody sees the first: `for … in` does too. */
const WIDE = 1_000;

/** The keys of wide objects, while somebody wants them more than once. */
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
 * Does something that looks at the same values many times: the keys of a wide object are listed once. That holds until
 * the work first waits for something, because its owner may change a value meanwhile.
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

/** For a thread whose values nobody else has: keys are listed once for as long as it lives. */
export function keepKeysListed(): void {
  known ??= new WeakMap();
}
