import { isTextType, readBytes, readEntry } from "../../engine/retrieve/read-entry.ts";
import { eachItem } from "../../engine/retrieve/item-list.ts";
import { nothingAt, selectPointer } from "../../engine/retrieve/select-pointer.ts";
import type { ArchiveEntry, ArchiveStore } from "../../engine/archive/archive-store.ts";
import { CliError } from "../cli-error.ts";

export interface ByteRange {
  readonly start: number;
  /** Exclusive; undefined means to the end. */
  readonly end: number | undefined;
}

/** The requested part of an entry: all of it, a range of bytes, or the value at a pointer. */
interface Selector {
  readonly range?: ByteRange | undefined;
  readonly pointer?: string | undefined;
}

export interface Selected {
  readonly bytes: Uint8Array;
  readonly isText: boolean;
  readonly from?: number;
  readonly to?: number;
}

interface Source {
  readonly store: ArchiveStore;
  readonly tenant: string;
}

/** The whole entry is always read and its hash checked: a part alone cannot be checked. */
export async function readSelection(
  source: Source,
  entry: ArchiveEntry,
  selector: Selector,
): Promise<Selected> {
  const isText = isTextType(entry.contentType);
  if (selector.pointer !== undefined) return readPointer(source, entry, selector.pointer);
  const bytes = await readBytes(source, entry);
  const { range } = selector;
  if (range === undefined) return { bytes, isText };
  const { start, end = entry.bytes } = range;
  if (start > entry.bytes || start > end) {
    throw new CliError(`The range starts after its end: the entry has ${entry.bytes} bytes.`, {
      remediation: "Give --range S-E with S <= E; byte E itself is left out.",
      details: { bytes: entry.bytes },
    });
  }
  const to = Math.min(end, entry.bytes);
  return { bytes: bytes.subarray(start, to), isText, from: start, to };
}

/** A value as JSON; a range of items has one item on each line. */
async function readPointer(source: Source, entry: ArchiveEntry, pointer: string): Promise<Selected> {
  if (!isTextType(entry.contentType)) throw noItems(entry);
  const { value } = await readEntry(source, entry);
  const found = selectPointer(value, pointer);
  if (found === undefined) throw nothingAt([pointer]);
  const lines = Array.from(eachItem(found), (item) => JSON.stringify(item.value));
  return { bytes: Buffer.from(lines.join("\n")), isText: true };
}

export function noItems({ contentType }: ArchiveEntry): CliError {
  return new CliError(`The entry is ${contentType}: it holds bytes, no items.`, {
    remediation: "`waybill archive get` writes it to a file with --out.",
  });
}
