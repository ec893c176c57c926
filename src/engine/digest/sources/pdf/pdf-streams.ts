import { asciiOf } from "../charset.ts";

/** How much of the text before a stream is searched for its dictionary. */
const DICTIONARY_BYTES = 600;

const picture = /\/Subtype\s*\/Image\b/;

/** A stream of a PDF as it is in the file. */
export interface PackedStream {
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
export function* streamsOf(bytes: Uint8Array): Generator<PackedStream> {
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
export async function* inflate(packed: Uint8Array): AsyncGenerator<Uint8Array> {
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
export function* contentStreams(
  bytes: Uint8Array,
): Generator<AsyncIterable<Uint8Array> | readonly Uint8Array[]> {
  for (const { packed, isDeflated: isPacked, isPicture } of streamsOf(bytes)) {
    if (!isPicture) yield isPacked ? inflate(packed) : [packed];
  }
}
