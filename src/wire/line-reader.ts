/** Splits a stream of bytes into lines. A line may come in any number of pieces, which are joined once. */
export class LineReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that these bytes complete, without their ends; throws a RangeError for a line over the limit. */
  *take(bytes: Uint8Array): Generator<string> {
    let start = 0;
    for (let end = bytes.indexOf(NEW_LINE); end !== -1; end = bytes.indexOf(NEW_LINE, start)) {
      this.#keep(bytes.subarray(start, end));
      start = end + 1;
      yield this.#join();
    }
    this.#keep(bytes.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) {
      this.#pieces = [];
      throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    }
    if (piece.length > 0) this.#pieces.push(piece);
  }

  #join(): string {
    const line = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#length = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}

const NEW_LINE = 0x0a;
