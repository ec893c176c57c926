// An archive file, from its first byte:
//
//   "waybill1"         8 bytes, the format and its version
//   blocks             one after another, as packed
//   index              12 bytes for each block: raw length, stored length (top bit: compressed), crc32 of the stored bytes
//   label              JSON: {"contentType": …}, and "ttlMs" of an entry with a lifetime of its own
//   tail               24 bytes: content length (8), blocks (4), label length (4), crc32 of index, label and the tail
//                      so far (4), "wbl1" (4)
//
// The index comes after the blocks because lengths are known only when they are written, and a file is written
// once, front to back. All numbers are little-endian.

import { crc32 } from "node:zlib";
import { BLOCK_BYTES, type Block, unpackBlock, packBlock } from "../blocks.ts";
import { createHash } from "node:crypto";
import { ArchiveError } from "../archive-store.ts";
import type { OpenFile } from "./file-layer.ts";
import type { Gathered } from "./file-tree.ts";

const FILE_HEAD = Buffer.from("waybill1");
const TAIL_MARK = Buffer.from("wbl1");
const TAIL_BYTES = 24;
const INDEX_ENTRY_BYTES = 12;
const COMPRESSED = 0x8000_0000;
const MAX_LABEL_BYTES = 1_024;

/** The position of one block, in the file and in the content. */
interface BlockPlace {
  readonly fileStart: number;
  readonly storedBytes: number;
  readonly rawStart: number;
  readonly rawBytes: number;
  readonly isCompressed: boolean;
  readonly checksum: number;
}

/** What a file says of its entry besides the content. */
export interface FileLabel {
  readonly contentType: string;
  /** The entry lives no longer than this, even if others do. */
  readonly ttlMs?: number | undefined;
}

interface FileMap extends FileLabel {
  readonly contentBytes: number;
  readonly blocks: readonly BlockPlace[];
}

/** The index entry of a block. */
function encodeIndexEntry({ rawBytes, isCompressed, bytes }: Block): Uint8Array {
  const line = Buffer.alloc(INDEX_ENTRY_BYTES);
  line.writeUInt32LE(rawBytes, 0);
  line.writeUInt32LE(bytes.byteLength + (isCompressed ? COMPRESSED : 0), 4);
  line.writeUInt32LE(crc32(bytes), 8);
  return line;
}

/** Everything after the blocks. */
function encodeFileEnd(
  index: readonly Uint8Array[],
  contentBytes: number,
  { contentType, ttlMs }: FileLabel,
): Uint8Array {
  const label = Buffer.from(JSON.stringify({ contentType, ttlMs }));
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
function fileEndBytes(lastBytes: Uint8Array): number | undefined {
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
function decodeFileEnd(fileEnd: Uint8Array, fileBytes: number): FileMap | undefined {
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
  const { contentType, ttlMs } = JSON.parse(label) as FileLabel;
  return { contentType, ttlMs, contentBytes: rawStart, blocks };
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

/** Bytes read first from the end of a file: they contain the map of nearly every file, and most files completely. */
const GLANCE_BYTES = 64 * 1024;
/** Blocks that are read and decompressed in parallel. */
const BLOCKS_AT_ONCE = 4;

export interface ArchiveFile {
  readonly map: FileMap;
  /** Bytes of the file, from a position on. */
  readonly bytesAt: (position: number, bytes: number) => Promise<Uint8Array>;
}

function corrupt(what: string): ArchiveError {
  const advice = "it is not served; the next put of the same content repairs it, or delete it";
  return new ArchiveError("CORRUPT", `An archive entry is damaged (${what}): ${advice}.`);
}

/** Reads the map of a file; CORRUPT if it is not consistent. */
export async function readArchiveFile(file: OpenFile, fileBytes: number): Promise<ArchiveFile> {
  const glanceStart = Math.max(0, fileBytes - GLANCE_BYTES);
  const glance = await file.read(glanceStart, fileBytes - glanceStart);
  const bytesAt = async (position: number, bytes: number): Promise<Uint8Array> => {
    const offset = position - glanceStart;
    return offset >= 0 ? glance.subarray(offset, offset + bytes) : await file.read(position, bytes);
  };
  const endBytes = fileEndBytes(glance);
  if (endBytes === undefined || endBytes > fileBytes) throw corrupt("it has no end");
  const map = decodeFileEnd(await bytesAt(fileBytes - endBytes, endBytes), fileBytes);
  if (map === undefined) throw corrupt("its index is wrong");
  return { map, bytesAt };
}

/** The content's blocks from `start` up to `end`, whole and in order, a few at a time. */
async function* blocksWithin(
  file: ArchiveFile,
  start: number,
  end: number,
): AsyncGenerator<[BlockPlace, Uint8Array]> {
  const places = file.map.blocks.filter(
    ({ rawStart, rawBytes }) => rawStart < end && rawStart + rawBytes > start,
  );
  for (let first = 0; first < places.length; first += BLOCKS_AT_ONCE) {
    const group = places.slice(first, first + BLOCKS_AT_ONCE);
    const fileStart = group[0]?.fileStart ?? 0;
    const storedBytes = group.reduce((sum, place) => sum + place.storedBytes, 0);
    const stored = await file.bytesAt(fileStart, storedBytes);
    const unpacked = await Promise.all(
      group.map((place) => {
        const offset = place.fileStart - fileStart;
        return unpack(place, stored.subarray(offset, offset + place.storedBytes));
      }),
    );
    for (const [number, place] of group.entries()) yield [place, unpacked[number] ?? new Uint8Array()];
  }
}

async function unpack(
  { rawBytes, isCompressed, checksum }: BlockPlace,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  // A part cannot be checked against the hash of the whole: the checksum finds damage, but not forgery.
  if (crc32(bytes) !== checksum) throw corrupt("a block is not what was written");
  try {
    return await unpackBlock({ rawBytes, isCompressed, bytes });
  } catch {
    throw corrupt("a block cannot be unpacked");
  }
}

/** Bytes from `start` up to `end`; only blocks that contain some of them are read. */
export async function readRange(file: ArchiveFile, start: number, end: number): Promise<Uint8Array> {
  const result = Buffer.allocUnsafeSlow(end - start);
  for await (const [{ rawStart }, raw] of blocksWithin(file, start, end)) {
    const part = raw.subarray(Math.max(0, start - rawStart), Math.max(0, end - rawStart));
    result.set(part, Math.max(0, rawStart - start));
  }
  return result;
}

/** The whole content; CORRUPT unless its sha256 is the expected one. */
export async function readWholeFile(file: ArchiveFile, expectedHash: string): Promise<Uint8Array> {
  const hash = createHash("sha256");
  const parts: Uint8Array[] = [];
  const result = file.map.blocks.length > 1 ? Buffer.allocUnsafeSlow(file.map.contentBytes) : undefined;
  for await (const [{ rawStart }, raw] of blocksWithin(file, 0, file.map.contentBytes)) {
    hash.update(raw);
    if (result === undefined) parts.push(raw);
    else result.set(raw, rawStart);
  }
  if (hash.digest("hex") !== expectedHash) throw corrupt("its sha256 is another");
  return result ?? parts[0] ?? new Uint8Array();
}

/** Blocks that are processed at once: enough to keep a few compressors busy, few enough to bound memory. */
const MAX_BLOCKS_UNDERWAY = 4;

export interface WrittenFile {
  readonly hash: string;
  readonly contentBytes: number;
  readonly fileBytes: number;
}

interface WriteRules {
  readonly label: FileLabel;
  readonly maxEntryBytes: number;
}

/** Appends packed blocks to a file in order, and the map at the end. */
class BlockWriter {
  readonly #file: OpenFile;
  readonly #index: Uint8Array[] = [];
  readonly #underway: Promise<Block>[] = [];
  #unwritten: Uint8Array[] = [FILE_HEAD];
  fileBytes = 0;

  constructor(file: OpenFile) {
    this.#file = file;
  }

  async add(raw: Uint8Array): Promise<void> {
    const packing = packBlock(raw);
    // A failure is handled when it is the block's turn; until then it must not count as unhandled.
    packing.catch(() => undefined);
    this.#underway.push(packing);
    if (this.#underway.length < MAX_BLOCKS_UNDERWAY) return;
    await this.#takeNext();
    await this.#flush();
  }

  async finish(contentBytes: number, label: FileLabel): Promise<void> {
    while (this.#underway.length > 0) await this.#takeNext();
    this.#unwritten.push(encodeFileEnd(this.#index, contentBytes, label));
    await this.#flush();
  }

  async #takeNext(): Promise<void> {
    const block = await this.#underway.shift();
    if (block === undefined) return;
    this.#index.push(encodeIndexEntry(block));
    this.#unwritten.push(block.bytes);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.fileBytes += bytes.byteLength;
    await this.#file.write(bytes);
  }
}

/** Writes content block by block and hashes it: memory does not grow with the content. */
export async function writeArchiveFile(
  file: OpenFile,
  { blocks, whole }: Gathered,
  { label, maxEntryBytes }: WriteRules,
): Promise<WrittenFile> {
  const hash = whole === undefined ? createHash("sha256") : undefined;
  const writer = new BlockWriter(file);
  let contentBytes = 0;
  for (const raw of blocks) {
    contentBytes += raw.byteLength;
    if (contentBytes > maxEntryBytes) {
      const advice = "raise maxEntryBytes and maxBytes, or ask the tool for less";
      throw new ArchiveError("TOO_LARGE", `The content is over ${maxEntryBytes} bytes: ${advice}.`);
    }
    const added = writer.add(raw);
    hash?.update(raw);
    await added;
  }
  await writer.finish(contentBytes, label);
  return { hash: whole?.hash ?? hash?.digest("hex") ?? "", contentBytes, fileBytes: writer.fileBytes };
}
