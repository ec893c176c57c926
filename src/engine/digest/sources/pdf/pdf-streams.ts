import { asciiOf } from "../charset.ts";
import { documentTooLarge } from "../unreadable.ts";

/** The PDF standard lets a page nest saved states 28 deep; the time of pdf.js is quadratic in the depth. */
const MAX_SAVED_STATES = 1_000;
/** The limit for one stream. A crowded map has some hundred thousand. */
const MAX_OPERATORS = 2_000_000;

const SPACE: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 32]);
const SAVE = 0x71;
const RESTORE = 0x51;

/**
 * Refuses a PDF with a page that would keep pdf.js busy for minutes. It is for runtimes without a worker that
 * can be ended: there nothing else stops a page that has begun. It sees plain and deflated streams.
 */
export async function checkOperators(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (const parts of contentStreams(bytes)) {
    const counter = new OperatorCounter();
    for await (const part of parts) {
      signal?.throwIfAborted();
      counter.read(part);
      if (counter.operators > MAX_OPERATORS || counter.deepest > MAX_SAVED_STATES) throw tooMany();
    }
  }
}

function tooMany(): Error {
  return documentTooLarge(
    "A page of the PDF has more drawing operators than can be read in a reasonable time",
    {
      reason: "too_many_operators",
      remediation: "Do not trust this file. Ask where it came from for one that was exported again.",
    },
  );
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** Counts words that begin with a letter after white space, as operators do, and how deep states are saved. */
class OperatorCounter {
  operators = 0;
  deepest = 0;
  #depth = 0;
  /** The last two bytes; a stream may come in any parts. */
  #before = 32;
  #beforeThat = 0;

  read(part: Uint8Array): void {
    for (const byte of part) {
      const isEnd = SPACE.has(byte);
      if (SPACE.has(this.#before) && isLetter(byte)) this.operators++;
      // A single letter: white space, the letter, white space.
      if (isEnd && SPACE.has(this.#beforeThat)) this.#count(this.#before);
      this.#beforeThat = this.#before;
      this.#before = byte;
    }
  }

  #count(word: number): void {
    if (word === SAVE) this.#depth++;
    else if (word === RESTORE && this.#depth > 0) this.#depth--;
    if (this.#depth > this.deepest) this.deepest = this.#depth;
  }
}

/**
 * The most bytes to which a stream of a PDF may inflate. pdf.js inflates a whole stream before it reads it,
 * so a small file could take all memory, or all time: a page of that many idle commands keeps it busy for
 * seconds.
 */
const MAX_STREAM_BYTES = 32 * 1024 * 1024;
/** Deflate makes at most 1,032 bytes from one: a smaller stream cannot reach the limit. */
const MIN_SUSPECT_BYTES = Math.floor(MAX_STREAM_BYTES / 1032);

const packedTwice = /\/F(?:ilter)?\s*\[[^\]]*?\/(?:Fl|LZW|RL|RunL)[^\]]*?\/(?:Fl|LZW|RL|RunL)/;

/**
 * Refuses a PDF with a stream that inflates to more than the limit. It sees deflated, unencrypted streams,
 * which are nearly all, and skips pictures. A file can be made to evade this check: against such files the
 * reading worker has limits of time and memory.
 */
export async function checkInflation(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (const { dictionary, packed, isDeflated, isPicture } of streamsOf(bytes)) {
    if (packedTwice.test(dictionary)) throw bomb();
    if (packed.length < MIN_SUSPECT_BYTES || !isDeflated || isPicture) continue;
    signal?.throwIfAborted();
    if (await inflatesBeyondLimit(packed)) throw bomb();
  }
}

function bomb(): Error {
  return documentTooLarge("A part of the PDF is packed so that it would take far too much memory to read", {
    reason: "decompression_bomb",
    remediation: "Do not trust this file. Ask where it came from for one that was exported again.",
  });
}

async function inflatesBeyondLimit(packed: Uint8Array): Promise<boolean> {
  let size = 0;
  for await (const { length } of inflate(packed)) {
    size += length;
    if (size > MAX_STREAM_BYTES) return true;
  }
  return false;
}

/** How much of the text before a stream is searched for its dictionary. */
const DICTIONARY_BYTES = 600;

const picture = /\/Subtype\s*\/Image\b/;

/** A stream of a PDF as it is in the file. */
interface PackedStream {
  readonly dictionary: string;
  readonly packed: Uint8Array;
  readonly isDeflated: boolean;
  /** Pictures need not be inflated to read text. */
  readonly isPicture: boolean;
}

function codes(word: string): readonly number[] {
  return Array.from(word, (letter) => letter.charCodeAt(0));
}

const OPENS = codes("stream");
const CLOSES = codes("endstream");

function indexOfWord(bytes: Uint8Array, word: readonly number[], from: number): number {
  const [first = 0] = word;
  let at = bytes.indexOf(first, from);
  while (at >= 0 && !word.every((code, index) => bytes[at + index] === code))
    at = bytes.indexOf(first, at + 1);
  return at;
}

function dictionaryBefore(bytes: Uint8Array, start: number): string {
  const text = asciiOf(bytes.subarray(Math.max(0, start - DICTIONARY_BYTES), start));
  return text.slice(text.lastIndexOf(" obj") + 1);
}

function isDeflated([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && (first * 256 + second) % 31 === 0;
}

/** The streams in order; a stream that the end of the file cuts off ends there. */
function* streamsOf(bytes: Uint8Array): Generator<PackedStream> {
  let at = indexOfWord(bytes, OPENS, 0);
  while (at >= 0) {
    const start = at + OPENS.length + (bytes[at + OPENS.length] === 0x0d ? 2 : 1);
    const close = indexOfWord(bytes, CLOSES, start);
    const packed = bytes.subarray(start, close < 0 ? bytes.length : close);
    const dictionary = dictionaryBefore(bytes, start);
    yield { dictionary, packed, isDeflated: isDeflated(packed), isPicture: picture.test(dictionary) };
    at = close < 0 ? -1 : indexOfWord(bytes, OPENS, close + CLOSES.length);
  }
}

/** The content of a deflated stream, part by part. A damaged stream ends early; pdf.js reads what it can. */
async function* inflate(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  const feed = async (): Promise<void> => {
    await writer.write(packed.slice());
    await writer.close();
  };
  // A damaged stream rejects here too; the reader below handles it.
  feed().catch(() => undefined);
  const reader = (readable as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The contents of all streams that may be drawn, each in parts. */
function* contentStreams(bytes: Uint8Array): Generator<AsyncIterable<Uint8Array> | readonly Uint8Array[]> {
  for (const { packed, isDeflated: isPacked, isPicture } of streamsOf(bytes)) {
    if (!isPicture) yield isPacked ? inflate(packed) : [packed];
  }
}
