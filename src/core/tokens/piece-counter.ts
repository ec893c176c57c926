import { HASH_START, hashBytes, mixByte, equalBytes, foldHash } from "./byte-hash.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

const CHARACTER_BYTES = 3;
const BITMAP_BITS = 20;

/**
 * Where a run of three-byte characters (Chinese, Japanese, Korean, Thai …) can be cut without changing its tokens:
 * between two characters that no token of the vocabulary contains side by side, nothing is ever merged. Such scripts
 * write whole sentences without a space, so their pieces are long and hardly ever repeat; the text between two seams is
 * a word or two, and does repeat.
 */
class Seams {
  /** Bits of pairs of whole characters that some token contains. */
  readonly #joined = new Uint32Array(2 ** (BITMAP_BITS - 5));
  /** Last byte of one character and first byte of the next, if a token contains the two only in part. */
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

  /** Whether no token crosses `index`, in a piece of well-formed UTF-8 from `start`. */
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

/** Two pairs may share a bit: then a cut is missed, but never made wrongly. */
function bitOf(bytes: Uint8Array, index: number): number {
  let hash = HASH_START;
  for (let at = index - CHARACTER_BYTES; at < index + CHARACTER_BYTES; at++)
    hash = mixByte(hash, bytes[at] ?? 0);
  return (hash ^ (hash >>> 12)) & (2 ** BITMAP_BITS - 1);
}

/** A longer piece of three-byte characters is searched for seams, because it will hardly occur again. */
const MAX_UNSPLIT_BYTES = 9;

/** Counts the tokens of pieces, into which an encoding's split pattern cuts a text. */
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

  /** A piece that is a token counts as one, even if merging its bytes would not find it. */
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
    // Only text beyond ASCII has seams, and many programs never count such text.
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

const SLOT_BITS = 16;
const SLOTS = 2 ** SLOT_BITS;

/** The longest piece that is remembered. */
const MAX_CACHED_BYTES = 32;

/** Remembers the token counts of pieces; a piece replaces the one in its slot, so the cache never grows. */
class PieceCache {
  readonly #keys = new Uint8Array(SLOTS * MAX_CACHED_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #hashes = new Int32Array(SLOTS);
  readonly #counts = new Uint8Array(SLOTS);

  /** The count of a piece, or 0 if it is not known. */
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
    // Faster than a call of `set` with a view, for code that runs this often.
    for (let index = 0; index < length; index++) this.#keys[key + index] = bytes[start + index] ?? 0;
    this.#lengths[slot] = length;
    this.#hashes[slot] = hash;
    this.#counts[slot] = count;
  }
}

const SMALL_SLOT_BITS = 13;
const SLOT_INTS = 4;

/** The longest piece that two 32-bit numbers hold. */
const MAX_SMALL_BYTES = 8;

/**
 * Remembers the token counts of the shortest pieces, which are most of them. A piece is compared as two numbers instead
 * of byte by byte, and a slot is in one line of the processor's cache: half the time of a lookup in the vocabulary.
 */
class SmallPieceCache {
  /** For each slot: the first four bytes, the next four, the length, the count. */
  readonly #slots = new Int32Array(SLOT_INTS * 2 ** SMALL_SLOT_BITS);

  /** The count of a piece; `find` is called if it is not known. */
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

type FindCount = (bytes: Uint8Array, start: number, end: number) => number;

function slotOf(low: number, high: number, length: number): number {
  const mixed = Math.imul(low ^ Math.imul(high ^ length, 0x85ebca6b), 0x9e3779b1);
  return (mixed >>> (32 - SMALL_SLOT_BITS)) * SLOT_INTS;
}

/** The longest piece that is merged by scanning all pairs repeatedly; above it a heap is faster. */
export const MAX_SHORT_BYTES = 96;

// Reused, because nothing here runs concurrently: the start of each part, and its rank when joined with the next.
const starts = new Int32Array(MAX_SHORT_BYTES + 1);
const ranks = new Int32Array(MAX_SHORT_BYTES + 1);

/** The number of tokens of a short piece: the pair of lowest rank, leftmost first, is joined until none is left. */
export function mergeShort(vocabulary: Vocabulary, bytes: Uint8Array, start: number, end: number): number {
  let parts = end - start;
  for (let part = 0; part <= parts; part++) starts[part] = start + part;
  for (let part = 0; part + 1 < parts; part++) ranks[part] = vocabulary.rankOfPair(bytes, start + part);
  const join = (part: number): number =>
    part + 2 > parts ? NO_RANK : vocabulary.rankOf(bytes, starts[part] ?? 0, starts[part + 2] ?? 0);
  for (;;) {
    const lowest = lowestOf(parts - 1);
    if (lowest < 0) return parts;
    parts--;
    starts.copyWithin(lowest + 1, lowest + 2, parts + 2);
    ranks.copyWithin(lowest, lowest + 1, parts);
    ranks[lowest] = join(lowest);
    if (lowest > 0) ranks[lowest - 1] = join(lowest - 1);
  }
}

function lowestOf(pairs: number): number {
  let lowest = -1;
  let rank = NO_RANK;
  for (let pair = 0; pair < pairs; pair++) {
    const own = ranks[pair] ?? NO_RANK;
    if (own < rank) {
      rank = own;
      lowest = pair;
    }
  }
  return lowest;
}

/** A binary heap of positions by rank, equal ranks by position: the next merge is on top. */
export class RankHeap {
  #ranks: Int32Array;
  #positions: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#ranks = new Int32Array(capacity);
    this.#positions = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The rank on top. */
  get rank(): number {
    return this.#ranks[0] ?? 0;
  }

  /** The position on top. */
  get position(): number {
    return this.#positions[0] ?? 0;
  }

  push(rank: number, position: number): void {
    if (this.#size === this.#ranks.length) this.#grow();
    let index = this.#size++;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isAfter(parent, rank, position)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#ranks[index] = rank;
    this.#positions[index] = position;
  }

  /** Removes the top. */
  pop(): void {
    const last = --this.#size;
    const rank = this.#ranks[last] ?? 0;
    const position = this.#positions[last] ?? 0;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= last) break;
      const isRightLess =
        child + 1 < last &&
        this.#isAfter(child, this.#ranks[child + 1] ?? 0, this.#positions[child + 1] ?? 0);
      if (isRightLess) child++;
      if (this.#isAfter(child, rank, position)) break;
      this.#move(child, index);
      index = child;
    }
    this.#ranks[index] = rank;
    this.#positions[index] = position;
  }

  #isAfter(index: number, rank: number, position: number): boolean {
    const own = this.#ranks[index] ?? 0;
    return own > rank || (own === rank && (this.#positions[index] ?? 0) > position);
  }

  #move(from: number, to: number): void {
    this.#ranks[to] = this.#ranks[from] ?? 0;
    this.#positions[to] = this.#positions[from] ?? 0;
  }

  #grow(): void {
    const ranks = new Int32Array(this.#ranks.length * 2);
    const positions = new Int32Array(this.#ranks.length * 2);
    ranks.set(this.#ranks);
    positions.set(this.#positions);
    this.#ranks = ranks;
    this.#positions = positions;
  }
}

/**
 * The number of tokens of a long piece. The same merges as for a short one, but the parts are a linked list and the
 * next pair comes from a heap: n log n, where scanning would take minutes for a megabyte of one letter.
 */
export function mergeLong(vocabulary: Vocabulary, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  for (let part = 0; part <= length; part++) {
    next[part] = part + 1;
    previous[part] = part - 1;
  }
  /** The rank of each part joined with the next; a heap entry that differs from it is stale. */
  const ranks = new Int32Array(length + 1).fill(NO_RANK);
  const heap = new RankHeap(length + 1);
  const weigh = (part: number): void => {
    const second = next[part] ?? length;
    const rank =
      second >= length ? NO_RANK : vocabulary.rankOf(bytes, start + part, start + (next[second] ?? length));
    ranks[part] = rank;
    if (rank !== NO_RANK) heap.push(rank, part);
  };
  for (let part = 0; part + 1 < length; part++) {
    const rank = vocabulary.rankOfPair(bytes, start + part);
    ranks[part] = rank;
    if (rank !== NO_RANK) heap.push(rank, part);
  }
  let parts = length;
  while (heap.size > 0) {
    const { rank, position } = heap;
    heap.pop();
    if (ranks[position] !== rank) continue;
    const joined = next[position] ?? length;
    const behind = next[joined] ?? length;
    next[position] = behind;
    previous[behind] = position;
    ranks[joined] = NO_RANK;
    parts--;
    weigh(position);
    const before = previous[position] ?? -1;
    if (before >= 0) weigh(before);
  }
  return parts;
}
