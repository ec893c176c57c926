import type { Readable, Writable } from "node:stream";
import { bytesOnOneLine, textOnOneLine } from "../../core/json/one-line.ts";
import type { Link, LinkListener, OversizedMessage } from "./link.ts";
import { endsOf, withoutMark } from "./raw-message.ts";

/** The longest message that is read by default: 128 MiB. */
export const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

export interface StreamLinkOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Default: 134,217,728 (128 MiB). */
  readonly maxMessageBytes?: number | undefined;
  /** Ends the owner of the streams; called once, when the link is closed from either side. */
  readonly onClose?: (() => void) | undefined;
  /** The end of the input leaves the output open, as when a shell pipes a few lines in: they are still answered. */
  readonly outlivesInput?: boolean | undefined;
  /** The owner of the link calls `end` itself, because it knows more than that the stream ended. */
  readonly isEndedByOwner?: boolean | undefined;
}

const NEW_LINE = 0x0a;
const lineEnd = Buffer.from("\n");
/** Up to this size a copy with the line end costs less than a second write. */
const COPIED_BYTES = 16_384;

/**
 * The message with the line end that already follows it, if it was read from a line. Memory that small
 * buffers share is not used: the bytes after a message may be overwritten there before it is sent.
 */
function withOwnLineEnd({ buffer, byteOffset, length }: Uint8Array): Buffer | undefined {
  if (byteOffset + length >= buffer.byteLength || buffer.byteLength === Buffer.poolSize) return undefined;
  const line = Buffer.from(buffer, byteOffset, length + 1);
  return line[length] === NEW_LINE ? line : undefined;
}

/**
 * The only place where a message becomes a line. JSON may have line ends between its parts, and a reader
 * would take the text after one for a separate message, which was never checked here.
 */
function writeLine(output: Writable, said: Uint8Array | string): void {
  if (typeof said === "string") {
    output.write(`${textOnOneLine(said)}\n`);
    return;
  }
  const message = bytesOnOneLine(said);
  const whole = withOwnLineEnd(message);
  if (whole !== undefined) {
    output.write(whole);
    return;
  }
  if (message.length <= COPIED_BYTES) {
    const line = Buffer.allocUnsafe(message.length + 1);
    line.set(message);
    line[message.length] = NEW_LINE;
    output.write(line);
    return;
  }
  output.cork();
  output.write(message);
  output.write(lineEnd);
  output.uncork();
}

/** A link over two streams, one message per line. It reads nothing before `listen`. */
export class StreamLink implements Link {
  readonly #options: StreamLinkOptions;
  readonly #lines: MessageLines;
  #listener: LinkListener | undefined;
  #isOpen = true;
  #isFinished = false;
  /** Why the link ended, if it ended before `listen`. */
  #ended: string | undefined;

  constructor(options: StreamLinkOptions) {
    this.#options = options;
    this.#lines = new MessageLines(options.maxMessageBytes ?? MAX_MESSAGE_BYTES, {
      message: (bytes) => {
        if (this.#isOpen) this.#listener?.message(bytes);
      },
      oversized: (message) => {
        if (this.#isOpen) this.#listener?.oversized(message);
      },
    });
    // A reader that went away must not end the process; the handler stays attached for writes that fail late.
    options.output.on("error", () => {
      if (options.isEndedByOwner !== true) this.end("the other side reads no more");
    });
  }

  send(message: Uint8Array | string): void {
    if (this.#isOpen && this.#options.output.writable) writeLine(this.#options.output, message);
  }

  listen(listener: LinkListener): void {
    const { input } = this.#options;
    this.#listener = listener;
    input.on("data", this.#onData);
    input.on("error", this.#onError);
    this.#options.output.on("drain", this.#onDrain);
    if (this.#options.isEndedByOwner !== true) {
      input.on("end", this.#onEnd);
      input.on("close", this.#onEnd);
      if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
    }
    if (this.#ended !== undefined) setImmediate(() => this.#tellClosed(this.#ended ?? ""));
  }

  get waitingBytes(): number {
    return this.#options.output.writableLength;
  }

  hold(isHeld: boolean): void {
    if (!this.#isOpen) return;
    if (isHeld) this.#options.input.pause();
    else this.#options.input.resume();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopReading();
    this.#options.onClose?.();
  }

  /** The number of bytes of a message whose end has not come. */
  get unfinishedBytes(): number {
    return this.#lines.unfinishedBytes;
  }

  /** The other side is gone: the listener is told once. */
  end(why: string): void {
    if (!this.#isOpen || this.#ended !== undefined) return;
    this.#ended = why;
    if (this.#listener !== undefined) this.#tellClosed(why);
  }

  #tellClosed(why: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopReading();
    this.#listener?.closed(why);
    this.#options.onClose?.();
  }

  #stopReading(): void {
    const { input } = this.#options;
    input.off("data", this.#onData).off("end", this.#onEnd).off("close", this.#onEnd);
    this.#options.output.off("drain", this.#onDrain);
    if (input.listenerCount("data") === 0) input.pause();
  }

  #onData = (chunk: Buffer): void => {
    if (this.#isOpen) this.#lines.push(chunk);
  };

  #onDrain = (): void => this.#listener?.drained?.();

  #onError = (): void => {
    if (this.#options.isEndedByOwner !== true) this.end("the stream broke");
  };

  #onEnd = (): void => {
    if (this.#isFinished) return;
    const { outlivesInput, output } = this.#options;
    if (outlivesInput === true && output.writable && this.#listener?.finished !== undefined) {
      this.#isFinished = true;
      this.#listener.finished();
      return;
    }
    const half = this.unfinishedBytes;
    this.end(half === 0 ? "the stream ended" : `the stream ended after half a message of ${half} bytes`);
  };
}

/** Handles the messages in a stream of bytes. */
interface LineListener {
  readonly message: (bytes: Buffer) => void;
  readonly oversized: (message: OversizedMessage) => void;
}

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
