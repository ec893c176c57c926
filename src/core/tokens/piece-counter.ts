import { HASH_START, hashBytes, mixByte } from "./byte-hash.ts";
import { MAX_SHORT_BYTES, mergeLong, mergeShort } from "./merge-pairs.ts";
import {
  type FindCount,
  MAX_CACHED_BYTES,
  MAX_SMALL_BYTES,
  PieceCache,
  SmallPieceCache,
} from "./piece-cache.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

const CHARACTER_BYTES = 3;
const BITMAP_BITS = 20;

/**
 * Where a run of three-byte characters (Chinese, Japanese, Korean, Thai …) can be cut without changing its tokens:
 * between two characters that no token of the vocabulary holds side by side, nothing is ever merged. Such scripts
 * write whole sentences without a space, so their pieces are long and hardly ever repeat; what lies between seams
 * is a word or two, and does.
 */
class Seams {
  /** Bits of pairs of whole characters that some token holds. */
  readonly #joined = new Uint32Array(2 ** (BITMAP_BITS - 5));
  /** Last byte of one and first byte of the next, where a token holds the two characters only in part. */
  readonly #partly = new Uint8Array(0x10000);

  constructor(vocabulary: Vocabulary) {
    for (let rank = 0; rank < vocabulary.size; rank++) this.#learn(vocabulary.tokenAt(rank));
  }

  #learn(token: Uint8Array): void {
    for (let index = 1; index < token.length; index++) {
      if (!isLead(token[index])) continue;
      const isWholeBehind = index + CHARACTER_BYTES <= token.length;
      if (index >= CHARACTER_BYTES && isWholeBehind) {
        const bit = bitOf(token, index);
        this.#joined[bit >>> 5] = (this.#joined[bit >>> 5] ?? 0) | (1 << (bit & 31));
      } else {
        this.#partly[edgeOf(token, index)] = 1;
      }
    }
  }

  /** Whether no token reaches over `index`, in a piece of well-formed UTF-8 from `start`. */
  isSeam(bytes: Uint8Array, start: number, index: number): boolean {
    if (!isLead(bytes[index]) || index - CHARACTER_BYTES < start) return false;
    if (!isLead(bytes[index - CHARACTER_BYTES]) || this.#partly[edgeOf(bytes, index)] === 1) return false;
    const bit = bitOf(bytes, index);
    return ((this.#joined[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0;
  }
}

function isLead(byte: number | undefined): boolean {
  return byte !== undefined && byte >>> 4 === 0xe;
}

function edgeOf(bytes: Uint8Array, index: number): number {
  return ((bytes[index - 1] ?? 0) << 8) | (bytes[index] ?? 0);
}

/** Two pairs may share a bit: then a cut is missed, never wrongly made. */
function bitOf(bytes: Uint8Array, index: number): number {
  let hash = HASH_START;
  for (let at = index - CHARACTER_BYTES; at < index + CHARACTER_BYTES; at++)
    hash = mixByte(hash, bytes[at] ?? 0);
  return (hash ^ (hash >>> 12)) & (2 ** BITMAP_BITS - 1);
}

/** A piece of three-byte characters that is longer is looked through for seams, since it will hardly come again. */
const MAX_UNSPLIT_BYTES = 9;

/** Counts the tokens of pieces, what the split pattern of an encoding cuts a text into. */
export class PieceCounter {
  readonly #vocabulary: Vocabulary;
  readonly #small = new SmallPieceCache();
  readonly #cache = new PieceCache();
  #seams: Seams | undefined;

  readonly #findSmall: FindCount = (bytes, start, end) => this.#find(bytes, start, end);

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  count(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MAX_SMALL_BYTES) return this.#find(bytes, start, end);
    return this.#small.count(bytes, start, end, this.#findSmall);
  }

  /** A piece that is a token counts one, even where merging its bytes would not find it. */
  #find(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length > this.#vocabulary.maxTokenBytes) return this.#countBetweenSeams(bytes, start, end);
    const hash = hashBytes(bytes, start, end);
    if (this.#vocabulary.rankOfHashed(bytes, start, end, hash) !== NO_RANK) return 1;
    return length > MAX_CACHED_BYTES || (length > MAX_UNSPLIT_BYTES && isWide(bytes, end))
      ? this.#countBetweenSeams(bytes, start, end)
      : this.#countCached(bytes, start, end, hash);
  }

  #countCached(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const known = this.#cache.get(bytes, start, end - start, hash);
    if (known !== 0) return known;
    const count = mergeShort(this.#vocabulary, bytes, start, end);
    this.#cache.set(bytes, start, end - start, hash, count);
    return count;
  }

  #countBetweenSeams(bytes: Uint8Array, start: number, end: number): number {
    // Only what is not ASCII has seams, and many programs never count such a text.
    const seams = (this.#seams ??= new Seams(this.#vocabulary));
    let total = 0;
    let from = start;
    for (let index = start + 1; index < end; index++) {
      if (!seams.isSeam(bytes, from, index)) continue;
      total += this.#merge(bytes, from, index);
      from = index;
    }
    return total + this.#merge(bytes, from, end);
  }

  #merge(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length <= MAX_CACHED_BYTES) return this.#countCached(bytes, start, end, hashBytes(bytes, start, end));
    return length <= MAX_SHORT_BYTES
      ? mergeShort(this.#vocabulary, bytes, start, end)
      : mergeLong(this.#vocabulary, bytes, start, end);
  }
}

/** Whether the last character has three bytes. */
function isWide(bytes: Uint8Array, end: number): boolean {
  return (bytes[end - 3] ?? 0) >>> 4 === 0xe;
}
