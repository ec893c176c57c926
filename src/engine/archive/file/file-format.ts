// An archive file, from its first byte:
//
//   "waybill1"         8 bytes, the format and its version
//   blocks             one after another, as packed
//   index              12 bytes for each block: raw length, stored length (top bit: compressed), crc32 of the stored bytes
//   label              JSON: {"contentType": …}
//   tail               24 bytes: content length (8), blocks (4), label length (4), crc32 of index, label and the tail
//                      so far (4), "wbl1" (4)
//
// The index comes after the blocks because lengths are known only when they are written, and a file is written
// once, front to back. All numbers are little-endian.

import { crc32 } from "node:zlib";
import { BLOCK_BYTES, type Block } from "../blocks.ts";

export const FILE_HEAD = Buffer.from("waybill1");
const TAIL_MARK = Buffer.from("wbl1");
const TAIL_BYTES = 24;
const INDEX_ENTRY_BYTES = 12;
const COMPRESSED = 0x8000_0000;
const MAX_LABEL_BYTES = 1_024;

/** The position of one block, in the file and in the content. */
export interface BlockPlace {
  readonly fileStart: number;
  readonly storedBytes: number;
  readonly rawStart: number;
  readonly rawBytes: number;
  readonly isCompressed: boolean;
  readonly checksum: number;
}

export interface FileMap {
  readonly contentType: string;
  readonly contentBytes: number;
  readonly blocks: readonly BlockPlace[];
}

/** The index entry of a block. */
export function encodeIndexEntry({ rawBytes, isCompressed, bytes }: Block): Uint8Array {
  const line = Buffer.alloc(INDEX_ENTRY_BYTES);
  line.writeUInt32LE(rawBytes, 0);
  line.writeUInt32LE(bytes.byteLength + (isCompressed ? COMPRESSED : 0), 4);
  line.writeUInt32LE(crc32(bytes), 8);
  return line;
}

/** Everything after the blocks. */
export function encodeFileEnd(
  index: readonly Uint8Array[],
  contentBytes: number,
  contentType: string,
): Uint8Array {
  const label = Buffer.from(JSON.stringify({ contentType }));
  const tail = Buffer.alloc(TAIL_BYTES);
  tail.writeBigUInt64LE(BigInt(contentBytes), 0);
  tail.writeUInt32LE(index.length, 8);
  tail.writeUInt32LE(label.byteLength, 12);
  TAIL_MARK.copy(tail, 20);
  const end = Buffer.concat([...index, label, tail]);
  end.writeUInt32LE(crc32(end.subarray(0, -8)), end.byteLength - 8);
  return end;
}

/**
 * How many bytes at the end of a file contain its map, according to its last bytes; undefined if they are not
 * a tail.
 */
export function fileEndBytes(lastBytes: Uint8Array): number | undefined {
  if (lastBytes.byteLength < TAIL_BYTES) return undefined;
  const tail = Buffer.from(
    lastBytes.buffer,
    lastBytes.byteOffset + lastBytes.byteLength - TAIL_BYTES,
    TAIL_BYTES,
  );
  const labelBytes = tail.readUInt32LE(12);
  if (!tail.subarray(20).equals(TAIL_MARK) || labelBytes > MAX_LABEL_BYTES) return undefined;
  return tail.readUInt32LE(8) * INDEX_ENTRY_BYTES + labelBytes + TAIL_BYTES;
}

/** The map of a file, from the `fileEndBytes` at its end; undefined if it contradicts itself or the file's size. */
export function decodeFileEnd(fileEnd: Uint8Array, fileBytes: number): FileMap | undefined {
  const end = Buffer.from(fileEnd.buffer, fileEnd.byteOffset, fileEnd.byteLength);
  if (end.readUInt32LE(end.byteLength - 8) !== crc32(end.subarray(0, -8))) return undefined;
  const tail = end.subarray(-TAIL_BYTES);
  const blocks: BlockPlace[] = [];
  let fileStart = FILE_HEAD.byteLength;
  let rawStart = 0;
  for (let number = 0; number < tail.readUInt32LE(8); number++) {
    const block = decodeIndexEntry(end, number * INDEX_ENTRY_BYTES, fileStart, rawStart);
    if (block.rawBytes > BLOCK_BYTES) return undefined;
    blocks.push(block);
    fileStart += block.storedBytes;
    rawStart += block.rawBytes;
  }
  if (fileStart + end.byteLength !== fileBytes || BigInt(rawStart) !== tail.readBigUInt64LE(0))
    return undefined;
  const label = end.subarray(blocks.length * INDEX_ENTRY_BYTES, -TAIL_BYTES).toString();
  const { contentType } = JSON.parse(label) as { contentType: string };
  return { contentType, contentBytes: rawStart, blocks };
}

function decodeIndexEntry(end: Buffer, offset: number, fileStart: number, rawStart: number): BlockPlace {
  const stored = end.readUInt32LE(offset + 4);
  return {
    fileStart,
    storedBytes: stored % COMPRESSED,
    rawStart,
    rawBytes: end.readUInt32LE(offset),
    isCompressed: stored >= COMPRESSED,
    checksum: end.readUInt32LE(offset + 8),
  };
}
