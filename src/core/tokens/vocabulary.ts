import { HASH_START, equalBytes, foldHash, hashBytes, mixByte } from "./byte-hash.ts";

/** The rank of bytes that are not a token: later than every merge. */
export const NO_RANK = 0x7fffffff;

const HEAD_BYTES = 8;
/** The tokens of one byte come first; every other token is two earlier ones, one after the other. */
const SINGLES = 256;

/** A disk that was full during the installation leaves such a file; counting with it would give wrong numbers. */
const INCOMPLETE = "The vocabulary file is incomplete: install waybill again.";

/**
 * The tokens of an encoding by their bytes. A token's number is its rank: the lower, the earlier it is merged. One
 * table with open addressing over the tokens' bytes takes a few megabytes; a Map of strings takes seventy.
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
    const head = new DataView(file.buffer, file.byteOffset, HEAD_BYTES);
    this.size = head.getUint32(0, true);
    const merged = this.size - SINGLES;
    if (file.length !== HEAD_BYTES + SINGLES + 4 * merged + Math.ceil(merged / 2))
      throw new RangeError(INCOMPLETE);
    this.#bytes = new Uint8Array(head.getUint32(4, true));
    this.#lengths = new Uint8Array(this.size);
    this.#offsets = new Int32Array(this.size);
    this.#slots = new Int32Array(2 * 2 ** Math.ceil(Math.log2(this.size * 2)));
    this.#pairs = new Int32Array(0x10000).fill(NO_RANK);
    this.maxTokenBytes = this.#index(file.subarray(HEAD_BYTES), merged);
  }

  #index(file: Uint8Array, merged: number): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    const pairs = this.#pairs;
    const bytes = this.#bytes;
    const hashes = this.#spell(file, merged);
    let longest = 0;
    for (let rank = 0; rank < hashes.length; rank++) {
      const hash = hashes[rank] ?? 0;
      let slot = foldHash(hash, mask);
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
      slots[2 * slot] = hash;
      slots[2 * slot + 1] = rank + 1;
    }
    const lengths = this.#lengths;
    const offsets = this.#offsets;
    for (let rank = 0; rank < lengths.length; rank++) {
      const length = lengths[rank] ?? 0;
      if (length === 2) pairs[pairKey(bytes, offsets[rank] ?? 0)] = rank;
      if (length > longest) longest = length;
    }
    return longest;
  }

  /** Writes the bytes of each token behind those of the one before; a hash goes on from that of the first half. */
  #spell(file: Uint8Array, merged: number): Int32Array {
    const bytes = this.#bytes;
    const lengths = this.#lengths;
    const offsets = this.#offsets;
    const hashes = new Int32Array(this.size);
    const seconds = SINGLES + 2 * merged;
    const highs = seconds + 2 * merged;
    for (let rank = 0; rank < SINGLES; rank++) {
      bytes[rank] = file[rank] ?? 0;
      lengths[rank] = 1;
      offsets[rank] = rank;
      hashes[rank] = mixByte(HASH_START, file[rank] ?? 0);
    }
    let end = SINGLES;
    for (let at = 0; at < merged; at++) {
      const rank = at + SINGLES;
      const high = (file[highs + (at >> 1)] ?? 0) >> (4 * (at & 1));
      const first = readRank(file, SINGLES + 2 * at, high >> 2);
      const second = readRank(file, seconds + 2 * at, high);
      const from = offsets[first] ?? 0;
      const then = offsets[second] ?? 0;
      const start = end;
      offsets[rank] = start;
      end = copyBytes(bytes, from, from + (lengths[first] ?? 0), end);
      const middle = end;
      end = copyBytes(bytes, then, then + (lengths[second] ?? 0), end);
      lengths[rank] = end - start;
      hashes[rank] = hashOn(bytes, middle, end, hashes[first] ?? 0);
    }
    if (end !== bytes.length) throw new RangeError(INCOMPLETE);
    return hashes;
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

/** A rank of 18 bits: sixteen in two bytes, and the two lowest of `high` above them. */
function readRank(file: Uint8Array, at: number, high: number): number {
  return (file[at] ?? 0) | ((file[at + 1] ?? 0) << 8) | ((high & 3) << 16);
}

function copyBytes(bytes: Uint8Array, from: number, to: number, target: number): number {
  let end = target;
  for (let index = from; index < to; index++) bytes[end++] = bytes[index] ?? 0;
  return end;
}

function hashOn(bytes: Uint8Array, start: number, end: number, begun: number): number {
  let hash = begun;
  for (let index = start; index < end; index++) hash = mixByte(hash, bytes[index] ?? 0);
  return hash;
}

function pairKey(bytes: Uint8Array, start: number): number {
  return ((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0);
}
