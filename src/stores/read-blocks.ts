import { clampRange } from "./clamp-range.ts";
import { type RedisBlocks, unpack } from "./redis-blocks.ts";
import type { OpenedEntry } from "./redis-index.ts";

/** The bytes of a range from no more blocks than it touches; undefined when Redis has dropped one of them. */
export async function readBlocks(
  blocks: RedisBlocks,
  { description, onlyBlock }: OpenedEntry,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const range = clampRange(start, end, description.bytes);
  const { first, count, offset } = blocksOf(description.rawBytes, range.start, range.end);
  if (count === 0) return new Uint8Array(0);
  const isAtHand = onlyBlock !== undefined;
  const read = isAtHand
    ? [await unpack(description, 0, onlyBlock)]
    : await blocks.read(description, first, count);
  if (read === undefined) return undefined;
  const from = range.start - offset;
  const [whole] = read;
  const joined = read.length === 1 && whole !== undefined ? whole : Buffer.concat(read);
  return joined.subarray(from, from + range.end - range.start);
}

interface BlockSpan {
  readonly first: number;
  readonly count: number;
  /** Where the first of them begins. */
  readonly offset: number;
}

function blocksOf(rawBytes: readonly number[], start: number, end: number): BlockSpan {
  let [first, count, offset, at] = [0, 0, 0, 0];
  for (const [position, size] of rawBytes.entries()) {
    const isTouched = at < end && at + size > start;
    if (isTouched && count++ === 0) [first, offset] = [position, at];
    at += size;
  }
  return { first, count: start < end ? count : 0, offset };
}
