import { decodeUtf8 } from "../../core/json/decode-utf8.ts";

/** Splits a stream of bytes into lines. A line may come in any number of pieces, which are joined once. */
export class LineReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The lines that these bytes complete, without their ends; undefined for a line that is not UTF-8. Throws a
   * RangeError for a line over the limit.
   */
  *take(bytes: Uint8Array): Generator<string | undefined> {
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

  #join(): string | undefined {
    const decoded = decodeUtf8(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#length = 0;
    if (!decoded.ok) return undefined;
    const { text } = decoded;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }
}

const NEW_LINE = 0x0a;
