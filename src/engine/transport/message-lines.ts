import type { OversizedMessage } from "./link.ts";
import { endsOf } from "./raw-message.ts";
import { withoutMark } from "./server-answers.ts";

/** Handles the messages in a stream of bytes. */
export interface LineListener {
  readonly message: (bytes: Buffer) => void;
  readonly oversized: (message: OversizedMessage) => void;
}

const NEW_LINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Bytes that are kept of each end of an oversized line: enough for the members beside the large one. */
const KEPT_BYTES = 4_096;

/**
 * Splits a stream of bytes into messages, one per line. A line inside one chunk is delivered without a copy;
 * a line in several pieces is joined once, so the work grows with the bytes and not with their square. A line
 * over the limit is dropped while it comes in, except for its two ends, which show whose answer it was.
 */
export class MessageLines {
  readonly #listener: LineListener;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  /** The ends of a line that is being dropped. */
  #head: Buffer | undefined;
  #tail: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      this.#endLine(piece);
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The number of bytes of an unfinished line; at the end of a stream they are half a message. */
  get unfinishedBytes(): number {
    return this.#length;
  }

  #endLine(piece: Buffer): void {
    if (this.#length === 0 && piece.length <= this.#maxBytes) return this.#tell(piece);
    this.#keep(piece);
    const pieces = this.#pieces;
    const length = this.#length;
    const head = this.#head;
    this.#pieces = [];
    this.#length = 0;
    this.#head = undefined;
    if (head === undefined) return this.#tell(Buffer.concat(pieces, length));
    const tail = this.#tail;
    this.#tail = Buffer.alloc(0);
    return this.#listener.oversized({ bytes: length, ...endsOf(head, tail) });
  }

  #tell(line: Buffer): void {
    const { length } = line;
    const bytes = withoutMark(line[length - 1] === CARRIAGE_RETURN ? line.subarray(0, length - 1) : line);
    if (bytes.length > 0) this.#listener.message(bytes);
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#head !== undefined) this.#keepTail(piece);
    else {
      this.#pieces.push(piece);
      if (this.#length > this.#maxBytes) this.#dropMiddle();
    }
  }

  #dropMiddle(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    const first: Buffer[] = [];
    let room = KEPT_BYTES;
    for (const piece of pieces) {
      if (room <= 0) break;
      first.push(piece.subarray(0, room));
      room -= piece.length;
    }
    this.#head = Buffer.concat(first);
    for (const piece of pieces) this.#keepTail(piece);
  }

  #keepTail(piece: Buffer): void {
    // Copied, so that the chunk can be freed.
    if (piece.length >= KEPT_BYTES) this.#tail = Buffer.from(piece.subarray(piece.length - KEPT_BYTES));
    else {
      const joined = Buffer.concat([this.#tail, piece]);
      this.#tail = joined.subarray(Math.max(0, joined.length - KEPT_BYTES));
    }
  }
}
