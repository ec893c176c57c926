import { equalBytes, foldHash } from "./byte-hash.ts";

const SLOT_BITS = 16;
const SLOTS = 2 ** SLOT_BITS;

/** Longest piece that is remembered. */
export const MAX_CACHED_BYTES = 32;

/** Remembers how many tokens pieces have; a piece replaces the one whose slot it takes, so it never grows. */
export class PieceCache {
  readonly #keys = new Uint8Array(SLOTS * MAX_CACHED_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #hashes = new Int32Array(SLOTS);
  readonly #counts = new Uint8Array(SLOTS);

  /** The count of a piece, or 0 when it is not known. */
  get(bytes: Uint8Array, start: number, length: number, hash: number): number {
    const slot = foldHash(hash, SLOTS - 1);
    const isKnown =
      this.#hashes[slot] === hash &&
      this.#lengths[slot] === length &&
      equalBytes(this.#keys, slot * MAX_CACHED_BYTES, bytes, start, length);
    return isKnown ? (this.#counts[slot] ?? 0) : 0;
  }

  set(bytes: Uint8Array, start: number, length: number, hash: number, count: number): void {
    const slot = foldHash(hash, SLOTS - 1);
    const key = slot * MAX_CACHED_BYTES;
    // Shorter than a call of `set` with a view, which this runs too often for.
    for (let index = 0; index < length; index++) this.#keys[key + index] = bytes[start + index] ?? 0;
    this.#lengths[slot] = length;
    this.#hashes[slot] = hash;
    this.#counts[slot] = count;
  }
}

const SMALL_SLOT_BITS = 13;
const SLOT_INTS = 4;

/** Longest piece that two 32-bit numbers hold. */
export const MAX_SMALL_BYTES = 8;

/**
 * Remembers how many tokens the shortest pieces have, which are most of them. A piece is compared as two numbers
 * rather than byte by byte, and a slot lies in one line of the processor's cache: half the time of a look at the vocabulary.
 */
export class SmallPieceCache {
  /** For each slot: the first four bytes, the next four, the length, the count. */
  readonly #slots = new Int32Array(SLOT_INTS * 2 ** SMALL_SLOT_BITS);

  /** The count of a piece; `find` is asked when it is not known. */
  count(bytes: Uint8Array, start: number, end: number, find: FindCount): number {
    let low = 0;
    let high = 0;
    for (let index = start, shift = 0; index < end; index++, shift += 8) {
      if (shift < 32) low |= (bytes[index] ?? 0) << shift;
      else high |= (bytes[index] ?? 0) << (shift - 32);
    }
    const length = end - start;
    const slots = this.#slots;
    const slot = slotOf(low, high, length);
    if (slots[slot] === low && slots[slot + 1] === high && slots[slot + 2] === length)
      return slots[slot + 3] ?? 0;
    const count = find(bytes, start, end);
    slots[slot] = low;
    slots[slot + 1] = high;
    slots[slot + 2] = length;
    slots[slot + 3] = count;
    return count;
  }
}

export type FindCount = (bytes: Uint8Array, start: number, end: number) => number;

function slotOf(low: number, high: number, length: number): number {
  const mixed = Math.imul(low ^ Math.imul(high ^ length, 0x85ebca6b), 0x9e3779b1);
  return (mixed >>> (32 - SMALL_SLOT_BITS)) * SLOT_INTS;
}
