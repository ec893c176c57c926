// Whole numbers beyond 2^53: JavaScript reads two neighbours as one, so it is unknown whether such a number is the one
// that was meant. From 1e21 on numbers are written with an exponent, and are not taken for ids.

import type { JsonValue } from "./json-value.ts";
import { appendPointer } from "./pointer.ts";

const MAX_WRITTEN_OUT = 1e21;

export function isUnsafeInteger(value: number): boolean {
  const size = Math.abs(value);
  return size > Number.MAX_SAFE_INTEGER && size < MAX_WRITTEN_OUT;
}

export function hasUnsafeInteger(root: JsonValue): boolean {
  const open: object[] = [[root]];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const key in holder) {
      const item = (holder as Readonly<Record<string, JsonValue>>)[key];
      if (typeof item === "number") {
        if (isUnsafeInteger(item)) return true;
      } else if (typeof item === "object" && item !== null) open.push(item);
    }
  }
  return false;
}

interface UnsafeIntegers {
  /** Pointers to the first of them, in document order. */
  readonly pointers: readonly string[];
  readonly count: number;
}

/** The places of unsafe integers. For values that are known to have some: `hasUnsafeInteger` finds that out faster. */
export function unsafeIntegersIn(root: JsonValue, maxPointers: number): UnsafeIntegers {
  const pointers: string[] = [];
  let count = 0;
  const open: { readonly value: JsonValue; readonly pointer: string }[] = [{ value: root, pointer: "" }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, pointer } = place;
    if (typeof value === "number" && isUnsafeInteger(value)) {
      count++;
      if (pointers.length < maxPointers) pointers.push(pointer);
    } else if (typeof value === "object" && value !== null) {
      const members = Object.entries(value);
      // In reverse, because the last one pushed is taken first.
      for (const [key, member] of members.toReversed())
        open.push({ value: member, pointer: appendPointer(pointer, key) });
    }
  }
  return { pointers, count };
}
