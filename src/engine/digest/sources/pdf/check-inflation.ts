import { tooLarge } from "../unreadable.ts";
import { inflate, streamsOf } from "./pdf-streams.ts";

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
  return tooLarge("A part of the PDF is packed so that it would take far too much memory to read", {
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
