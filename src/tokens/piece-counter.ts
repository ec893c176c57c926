import { hashBytes } from "./byte-hash.ts";
import { mergeLong } from "./merge-long.ts";
import { MAX_SHORT_BYTES, mergeShort } from "./merge-short.ts";
import { MAX_CACHED_BYTES, PieceCache } from "./piece-cache.ts";
import { Seams } from "./seams.ts";
import { type FindCount, MAX_SMALL_BYTES, SmallPieceCache } from "./small-piece-cache.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

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
