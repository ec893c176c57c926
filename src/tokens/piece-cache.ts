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
