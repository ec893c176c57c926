import { mixByte, HASH_START } from "./byte-hash.ts";
import type { Vocabulary } from "./vocabulary.ts";

const CHARACTER_BYTES = 3;
const BITMAP_BITS = 20;

/**
 * Where a run of three-byte characters (Chinese, Japanese, Korean, Thai …) can be cut without changing its tokens:
 * between two characters that no token of the vocabulary holds side by side, nothing is ever merged. Such scripts
 * write whole sentences without a space, so their pieces are long and hardly ever repeat; what lies between seams
 * is a word or two, and does.
 */
export class Seams {
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
