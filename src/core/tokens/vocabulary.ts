import { equalBytes, foldHash, hashBytes } from "./byte-hash.ts";

/** The rank of bytes that are not a token: later than every merge. */
export const NO_RANK = 0x7fffffff;

const HEAD_BYTES = 4;

/** A disk that was full during the installation leaves such a file; counting with it would give wrong numbers. */
const INCOMPLETE = "The vocabulary file is incomplete: install waybill again.";

/**
 * The tokens of an encoding by their bytes. A token's number is its rank: the lower, the earlier it is merged. One
 * table with open addressing over the file's own bytes takes a few megabytes; a Map of strings takes seventy.
 */
export class Vocabulary {
  readonly size: number;
  readonly maxTokenBytes: number;
  readonly #bytes: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #offsets: Int32Array;
  /** Pairs of a token's hash and its rank plus one, by folded hash; adjacent, because each lookup is a cache miss. */
  readonly #slots: Int32Array;
  /** Ranks of all tokens of two bytes, with which every merge starts. */
  readonly #pairs: Int32Array;

  /** Reads the format that `scripts/vocabulary.mjs` writes. */
  constructor(file: Uint8Array) {
    this.size = new DataView(file.buffer, file.byteOffset, HEAD_BYTES).getUint32(0, true);
    if (file.length < HEAD_BYTES + this.size) throw new RangeError(INCOMPLETE);
    this.#lengths = file.subarray(HEAD_BYTES, HEAD_BYTES + this.size);
    this.#bytes = file.subarray(HEAD_BYTES + this.size);
    this.#offsets = new Int32Array(this.size);
    this.#slots = new Int32Array(2 * 2 ** Math.ceil(Math.log2(this.size * 2)));
    this.#pairs = new Int32Array(0x10000).fill(NO_RANK);
    this.maxTokenBytes = this.#index();
  }

  #index(): number {
    const mask = this.#slots.length / 2 - 1;
    let offset = 0;
    let longest = 0;
    for (let rank = 0; rank < this.size; rank++) {
      const length = this.#lengths[rank] ?? 0;
      const hash = hashBytes(this.#bytes, offset, offset + length);
      this.#offsets[rank] = offset;
      let slot = foldHash(hash, mask);
      while (this.#slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      this.#slots[2 * slot] = hash;
      this.#slots[2 * slot + 1] = rank + 1;
      if (length === 2) this.#pairs[pairKey(this.#bytes, offset)] = rank;
      if (length > longest) longest = length;
      offset += length;
    }
    if (offset !== this.#bytes.length) throw new RangeError(INCOMPLETE);
    return longest;
  }

  /** The bytes of a token. */
  tokenAt(rank: number): Uint8Array {
    const offset = this.#offsets[rank] ?? 0;
    return this.#bytes.subarray(offset, offset + (this.#lengths[rank] ?? 0));
  }

  /** The rank of two bytes. */
  rankOfPair(bytes: Uint8Array, start: number): number {
    return this.#pairs[pairKey(bytes, start)] ?? NO_RANK;
  }

  /** The rank of a range of bytes, or NO_RANK if it is not a token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.maxTokenBytes) return NO_RANK;
    return this.rankOfHashed(bytes, start, end, hashBytes(bytes, start, end));
  }

  /** The same for a caller that already has the hash of these bytes. */
  rankOfHashed(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    const length = end - start;
    for (let slot = foldHash(hash, mask); ; slot = (slot + 1) & mask) {
      const rank = (slots[2 * slot + 1] ?? 0) - 1;
      if (rank < 0) return NO_RANK;
      if (
        slots[2 * slot] === hash &&
        this.#lengths[rank] === length &&
        equalBytes(this.#bytes, this.#offsets[rank] ?? 0, bytes, start, length)
      ) {
        return rank;
      }
    }
  }
}

function pairKey(bytes: Uint8Array, start: number): number {
  return ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
}
