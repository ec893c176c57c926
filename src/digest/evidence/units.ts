/** The sentences of a text in order, in columns: 50 MB have half a million of them. */
export class Units {
  #starts: Uint32Array;
  #ends: Uint32Array;
  #flags: Uint8Array;
  #count = 0;

  constructor(expected = 64) {
    this.#starts = new Uint32Array(expected);
    this.#ends = new Uint32Array(expected);
    this.#flags = new Uint8Array(expected);
  }

  get count(): number {
    return this.#count;
  }

  push(start: number, end: number, flags: number): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#flags[this.#count++] = flags;
  }

  start(index: number): number {
    return this.#starts[index] ?? 0;
  }

  end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  /** Whether a paragraph (or a page) begins with it. */
  opensParagraph(index: number): boolean {
    return ((this.#flags[index] ?? 0) & OPENS_PARAGRAPH) !== 0;
  }

  /** Whether a page begins with it. */
  opensPage(index: number): boolean {
    return ((this.#flags[index] ?? 0) & OPENS_PAGE) !== 0;
  }

  /** Whether it is a whole sentence: neither a piece of a longer one nor a line without an end. */
  isWhole(index: number): boolean {
    return ((this.#flags[index] ?? 0) & IS_WHOLE) === IS_WHOLE;
  }

  #grow(): void {
    const size = Math.ceil(this.#starts.length * 1.5) + 16;
    this.#starts = widened(this.#starts, size);
    this.#ends = widened(this.#ends, size);
    const flags = new Uint8Array(size);
    flags.set(this.#flags);
    this.#flags = flags;
  }
}

export const OPENS_PARAGRAPH = 1;
export const OPENS_PAGE = 2;
export const BEGINS_SENTENCE = 4;
export const ENDS_SENTENCE = 8;
const IS_WHOLE = BEGINS_SENTENCE | ENDS_SENTENCE;

function widened(from: Uint32Array, size: number): Uint32Array {
  const to = new Uint32Array(size);
  to.set(from);
  return to;
}
