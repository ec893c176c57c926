import { asciiOf } from "../declared-charset.ts";
import { tooLarge } from "../unreadable.ts";

/**
 * What a stream of a PDF may inflate to. pdf.js inflates a stream whole before it looks at it, so a small file could
 * take all memory, or all time: a page of so many idle commands keeps it busy for seconds.
 */
const MAX_STREAM_BYTES = 32 * 1024 * 1024;
/** Deflate makes at most 1,032 bytes of one: what is smaller than this cannot reach the limit. */
const MIN_SUSPECT_BYTES = Math.floor(MAX_STREAM_BYTES / 1032);
/** How much of what stands before a stream is searched for its dictionary. */
const DICTIONARY_BYTES = 600;

const packedTwice = /\/F(?:ilter)?\s*\[[^\]]*?\/(?:Fl|LZW|RL|RunL)[^\]]*?\/(?:Fl|LZW|RL|RunL)/;
const picture = /\/Subtype\s*\/Image\b/;

/**
 * Refuses a PDF with a stream that inflates beyond all measure. It sees streams that are deflated and not encrypted,
 * which are nearly all there are, and leaves out pictures, which are not inflated to read text. It is no wall against
 * a file made to get round it: who reads the files of strangers gives the process a limit of memory as well.
 */
export async function checkInflation(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  for (const [start, end] of streamsOf(bytes)) {
    const dictionary = dictionaryBefore(bytes, start);
    if (packedTwice.test(dictionary)) throw bomb();
    const packed = bytes.subarray(start, end);
    if (packed.length < MIN_SUSPECT_BYTES || !isDeflated(packed) || picture.test(dictionary)) continue;
    signal?.throwIfAborted();
    if (await inflatesBeyondLimit(packed)) throw bomb();
  }
}

function bomb(): Error {
  return tooLarge("A part of the PDF is packed so that it would take far too much memory to read", {
    reason: "decompression_bomb",
    remediation: "Do not trust this file. Ask where it came from for one that was exported anew.",
  });
}

function dictionaryBefore(bytes: Uint8Array, start: number): string {
  const text = asciiOf(bytes.subarray(Math.max(0, start - DICTIONARY_BYTES), start));
  return text.slice(text.lastIndexOf(" obj") + 1);
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

/** From where to where the streams stand; one that the end of the file cuts off ends with it. */
function* streamsOf(bytes: Uint8Array): Generator<readonly [start: number, end: number]> {
  let at = indexOfWord(bytes, OPENS, 0);
  while (at >= 0) {
    const start = at + OPENS.length + (bytes[at + OPENS.length] === 0x0d ? 2 : 1);
    const close = indexOfWord(bytes, CLOSES, start);
    yield [start, close < 0 ? bytes.length : close];
    at = close < 0 ? -1 : indexOfWord(bytes, OPENS, close + CLOSES.length);
  }
}

function isDeflated([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 15) === 8 && (first * 256 + second) % 31 === 0;
}

/** Inflates and keeps nothing. What is damaged ends early; pdf.js makes of it what it can. */
async function inflatesBeyondLimit(packed: Uint8Array): Promise<boolean> {
  const { readable, writable } = new DecompressionStream("deflate");
  const writer = writable.getWriter();
  const feed = async (): Promise<void> => {
    await writer.write(packed.slice());
    await writer.close();
  };
  // A damaged stream rejects here too; the reader below is the one that listens.
  feed().catch(() => undefined);
  const reader = (readable as ReadableStream<Uint8Array>).getReader();
  try {
    for (let size = 0; size <= MAX_STREAM_BYTES;) {
      const { done, value } = await reader.read();
      if (done) return false;
      size += value.length;
    }
    return true;
  } catch {
    return false;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
