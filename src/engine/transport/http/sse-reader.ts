// Splits a Server-Sent Events stream into its events while it comes in. An event keeps its original bytes, so
// that an unchanged event is sent on as it came. Work is linear in the bytes; memory is bounded by one event.

import { textOnOneLine } from "../../../core/json/one-line.ts";
import { endsOf } from "../raw-message.ts";

export interface SseEvent {
  /** The whole event, with the blank line that ends it. */
  readonly raw: Buffer;
  /** The data lines, joined by line feeds; undefined for a comment or an event without data. */
  readonly data: Buffer | undefined;
  readonly id: string | undefined;
  /** The type in the stream; undefined means "message". */
  readonly type: string | undefined;
  readonly retryMs: number | undefined;
}

/** An event over the limit: dropped while it came in, except for its first and last bytes. */
export interface OversizedEvent {
  readonly bytes: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export interface SseListener {
  readonly event: (event: SseEvent) => void;
  readonly oversized: (event: OversizedEvent) => void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/**
 * Bytes that are kept of an event over the limit: enough to find the id of its message, which SDKs write
 * first or last.
 */
const KEPT_END_BYTES = 4_096;
/** A longer name, id or retry time is not sensible; the field counts as absent. */
const MAX_FIELD_BYTES = 4_096;

export class SseReader {
  readonly #maxBytes: number;
  readonly #listener: SseListener;
  /** The pieces of the current event. */
  #pieces: Buffer[] = [];
  #length = 0;
  /** Set once the event is over the limit. */
  #head: Buffer | undefined;
  #lineLength = 0;
  #endsInReturn = false;
  #isFirst = true;

  constructor(maxBytes: number, listener: SseListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  take(chunk: Buffer): void {
    let begin = 0;
    let from = 0;
    // Each is searched for once, and again only after it was passed, so that a chunk of many short lines stays linear.
    let feed = chunk.indexOf(LINE_FEED);
    let carriage = chunk.indexOf(CARRIAGE_RETURN);
    // The line feed of a pair whose carriage return ended the last chunk.
    if (this.#endsInReturn && feed === 0) from = 1;
    if (chunk.length > 0) this.#endsInReturn = false;
    while (from < chunk.length) {
      if (feed !== -1 && feed < from) feed = chunk.indexOf(LINE_FEED, from);
      if (carriage !== -1 && carriage < from) carriage = chunk.indexOf(CARRIAGE_RETURN, from);
      const isReturn = carriage !== -1 && (feed === -1 || carriage < feed);
      const end = isReturn ? carriage : feed;
      if (end === -1) break;
      const isBlank = this.#lineLength + end - from === 0;
      this.#lineLength = 0;
      const isPair = isReturn && feed === end + 1;
      this.#endsInReturn = isReturn && end + 1 === chunk.length;
      from = end + (isPair ? 2 : 1);
      if (!isBlank) continue;
      this.#keep(chunk.subarray(begin, from));
      begin = from;
      this.#finish();
    }
    this.#lineLength += chunk.length - from;
    this.#keep(chunk.subarray(begin));
  }

  /** Ends the stream; true if it ended inside an event, which then does not count. */
  end(): boolean {
    const isCut = this.#length > 0;
    this.#reset();
    return isCut;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    this.#pieces.push(piece);
    if (this.#length <= this.#maxBytes) return;
    this.#head ??= firstBytes(this.#pieces);
    // Copied, so that the end of a chunk does not keep the whole chunk in memory.
    this.#pieces = [Buffer.from(Buffer.concat(this.#pieces.slice(-2)).subarray(-KEPT_END_BYTES))];
  }

  #finish(): void {
    const [only, ...more] = this.#pieces;
    const [bytes, head] = [this.#length, this.#head];
    const whole = only === undefined || more.length > 0 ? Buffer.concat(this.#pieces) : only;
    this.#reset();
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (head === undefined) this.#listener.event(readEvent(whole, isFirst));
    else this.#listener.oversized({ bytes, head, tail: whole });
  }

  #reset(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#head = undefined;
  }
}

function firstBytes(pieces: readonly Buffer[]): Buffer {
  const first: Buffer[] = [];
  let missing = KEPT_END_BYTES;
  for (const piece of pieces) {
    first.push(piece.subarray(0, missing));
    missing -= piece.length;
    if (missing <= 0) break;
  }
  return Buffer.concat(first);
}

/** The lines of an event, without their ends. */
function* linesOf(raw: Buffer, start: number): Generator<Buffer> {
  let from = start;
  let feed = raw.indexOf(LINE_FEED, from);
  let carriage = raw.indexOf(CARRIAGE_RETURN, from);
  while (from < raw.length) {
    if (feed !== -1 && feed < from) feed = raw.indexOf(LINE_FEED, from);
    if (carriage !== -1 && carriage < from) carriage = raw.indexOf(CARRIAGE_RETURN, from);
    const isReturn = carriage !== -1 && (feed === -1 || carriage < feed);
    const end = isReturn ? carriage : feed;
    if (end === -1) return;
    yield raw.subarray(from, end);
    from = end + (isReturn && feed === end + 1 ? 2 : 1);
  }
}

function readEvent(raw: Buffer, isFirst: boolean): SseEvent {
  const data: Buffer[] = [];
  let id: string | undefined;
  let type: string | undefined;
  let retryMs: number | undefined;
  const hasMark = isFirst && raw.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  for (const line of linesOf(raw, hasMark ? BYTE_ORDER_MARK.length : 0)) {
    const colon = line.indexOf(COLON);
    const name = (colon === -1 ? line : line.subarray(0, Math.min(colon, 16))).toString("latin1", 0, 16);
    const value =
      colon === -1
        ? line.subarray(line.length)
        : line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    if (name === "data") data.push(value);
    else if (value.length > MAX_FIELD_BYTES) continue;
    else if (name === "event") type = value.toString("utf8");
    else if (name === "id" && !value.includes(0)) id = value.toString("utf8");
    else if (name === "retry" && /^\d{1,9}$/.test(value.toString("latin1")))
      retryMs = Number(value.toString("latin1"));
  }
  return { raw, data: joined(data), id, type, retryMs };
}

const feedBytes = Buffer.from([LINE_FEED]);

function joined(lines: readonly Buffer[]): Buffer | undefined {
  const [first, ...more] = lines;
  if (first === undefined || more.length === 0) return first;
  return Buffer.concat([first, ...more.flatMap((line) => [feedBytes, line])]);
}

/** The same event with other data, which must be one line; its other fields stay. */
export function withData({ id, type, retryMs }: SseEvent, data: string): string {
  const named = type === undefined ? "" : `event: ${type}\n`;
  const numbered = id === undefined ? "" : `id: ${id}\n`;
  const retried = retryMs === undefined ? "" : `retry: ${retryMs}\n`;
  return `${named}${numbered}${retried}data: ${textOnOneLine(data)}\n\n`;
}

/** What the kept ends of an oversized event say of its message. */
export function endsOfEvent({ head, tail }: OversizedEvent): ReturnType<typeof endsOf> {
  const at = head.indexOf("data:");
  let end = tail.length;
  while (end > 0 && (tail[end - 1] === LINE_FEED || tail[end - 1] === CARRIAGE_RETURN)) end -= 1;
  return endsOf(at === -1 ? head : head.subarray(at + "data:".length), tail.subarray(0, end));
}
