// Turns content in any chunks into blocks of bytes, one in memory at a time. Equal text gives equal bytes for
// any chunks: a surrogate pair that is split over two chunks is joined again.

import type { Hash } from "node:crypto";
import type { BrotliOptions } from "node:zlib";
import { neededBuiltIn } from "../runtime/built-in.ts";
import { unfilledBuffer } from "../runtime/byte-length.ts";
import type { ArchiveContent } from "./archive-store.ts";

/** Content is stored in separate blocks of this size, so that a range is read without the rest. */
export const BLOCK_BYTES = 256 * 1024;

/** One block as it is stored: compressed if that saves enough. */
export interface Block {
  readonly rawBytes: number;
  readonly isCompressed: boolean;
  readonly bytes: Uint8Array;
}

/** The same bytes as clients of stores take them: unchanged, and no other array. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A file takes at least one page on disk, so compressing less than a page saves nothing. */
const MIN_COMPRESSED_BYTES = 4_096;
/** Compression must save at least a tenth, because every read must decompress. */
const WORTHWHILE_SHARE = 0.9;

/** The smallest output buffer of zlib. If the buffer holds all output, a block takes one turn of the thread pool. */
const MIN_CHUNK_BYTES = 64;

type Brotli = "brotliCompress" | "brotliDecompress";

/** Node's own Brotli, used by the stores that compress: the memory store does not. */
function brotli(direction: Brotli, bytes: Uint8Array, options: BrotliOptions): Promise<Uint8Array> {
  const zlib = neededBuiltIn("node:zlib");
  return new Promise((resolve, reject) => {
    zlib[direction](bytes, options, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

export async function packBlock(raw: Uint8Array): Promise<Block> {
  const plain: Block = { rawBytes: raw.byteLength, isCompressed: false, bytes: raw };
  if (raw.byteLength < MIN_COMPRESSED_BYTES) return plain;
  const { constants } = neededBuiltIn("node:zlib");
  // Quality 0: on blocks of this size it leaves 28 % of JSON, quality 1 leaves 23 % but takes twice the time.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 0,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.byteLength,
  };
  const bytes = await brotli("brotliCompress", raw, { params, chunkSize: raw.byteLength });
  return bytes.byteLength < raw.byteLength * WORTHWHILE_SHARE
    ? { ...plain, isCompressed: true, bytes }
    : plain;
}

/** The original bytes of the block; rejects if the stored bytes are damaged. */
export async function unpackBlock({ rawBytes, isCompressed, bytes }: Block): Promise<Uint8Array> {
  const room = Math.max(MIN_CHUNK_BYTES, rawBytes);
  const raw = isCompressed
    ? await brotli("brotliDecompress", bytes, { maxOutputLength: room, chunkSize: room })
    : bytes;
  if (raw.byteLength !== rawBytes) throw new RangeError("A block is not as long as it says.");
  return raw;
}

const encoder = new TextEncoder();

/** Most content is small: allocating a whole block for it would cost more than writing it. */
const FIRST_BUFFER_BYTES = 16 * 1024;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function endsInHighSurrogate(text: string): boolean {
  return text !== "" && isHighSurrogate(text.charCodeAt(text.length - 1));
}

/** The chunks unchanged, except that no string ends inside a surrogate pair. */
function* wholePairs(content: ArchiveContent): Generator<string | Uint8Array> {
  let held = "";
  for (const chunk of content) {
    if (typeof chunk !== "string") {
      if (held !== "") yield held;
      held = "";
      yield chunk;
      continue;
    }
    const text = held + chunk;
    held = endsInHighSurrogate(text) ? text.slice(-1) : "";
    yield held === "" ? text : text.slice(0, -1);
  }
  if (held !== "") yield held;
}

/** The current block; it grows up to the full size. */
class Filling {
  private buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  private used = 0;
  /** After a first block, the next is probably as long. */
  private leastBytes = FIRST_BUFFER_BYTES;

  get isFull(): boolean {
    return this.used === BLOCK_BYTES;
  }

  get isEmpty(): boolean {
    return this.used === 0;
  }

  /** Takes as many of the bytes as fit. */
  addBytes(bytes: Uint8Array): number {
    const taken = Math.min(bytes.byteLength, BLOCK_BYTES - this.used);
    this.reserve(taken);
    this.buffer.set(bytes.subarray(0, taken), this.used);
    this.used += taken;
    return taken;
  }

  /** Takes as many characters from `start` on as fit; none if not even the first fits. */
  addText(text: string, start: number): number {
    const room = BLOCK_BYTES - this.used;
    let end = Math.min(text.length, start + room);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    if (end <= start) return 0;
    // Three bytes hold any UTF-16 unit; with less room, `encodeInto` stops at a whole character.
    this.reserve(Math.min(room, (end - start) * 3));
    const { read, written } = encoder.encodeInto(text.slice(start, end), this.buffer.subarray(this.used));
    this.used += written;
    return read;
  }

  take(): Uint8Array {
    const block = this.buffer.subarray(0, this.used);
    this.buffer = new Uint8Array(0);
    this.used = 0;
    this.leastBytes = BLOCK_BYTES;
    return block;
  }

  private reserve(bytes: number): void {
    const needed = this.used + bytes;
    if (needed <= this.buffer.byteLength) return;
    const roomy = Math.max(needed, this.leastBytes, this.buffer.byteLength * 4);
    const grown = unfilledBuffer(Math.min(BLOCK_BYTES, roomy));
    grown.set(this.buffer.subarray(0, this.used));
    this.buffer = grown;
  }
}

/** The content's bytes in blocks of at most `BLOCK_BYTES`; the caller may keep each block. */
export function* encodeBlocks(content: ArchiveContent): Generator<Uint8Array> {
  const filling = new Filling();
  for (const chunk of wholePairs(content)) {
    let done = 0;
    while (done < chunk.length) {
      const taken =
        typeof chunk === "string" ? filling.addText(chunk, done) : filling.addBytes(chunk.subarray(done));
      done += taken;
      if (taken === 0 || filling.isFull) yield filling.take();
    }
  }
  if (!filling.isEmpty) yield filling.take();
}

/** The blocks as they are stored, one at a time; `hash` gets the content's bytes. */
export async function* packedBlocks(content: ArchiveContent, hash: Hash): AsyncGenerator<Block> {
  for (const raw of encodeBlocks(content)) {
    hash.update(raw);
    yield await packBlock(raw);
  }
}
