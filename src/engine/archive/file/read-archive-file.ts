import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { ArchiveError } from "../archive-store.ts";
import { unpackBlock } from "../blocks.ts";
import { type BlockPlace, type FileMap, decodeFileEnd, fileEndBytes } from "./file-format.ts";
import type { OpenFile } from "./file-layer.ts";

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
export async function readWhole(file: ArchiveFile, expectedHash: string): Promise<Uint8Array> {
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
