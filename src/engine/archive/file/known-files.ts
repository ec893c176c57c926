import type { ArchiveContent } from "../archive-store.ts";
import { createHash } from "node:crypto";
import { encodeBlocks } from "../blocks.ts";
import type { FileStat } from "./file-layer.ts";

/** Content up to this length is collected and hashed before a file is made for it. */
const MAX_GATHERED_BYTES = 1024 * 1024;

/** The blocks of some content, and its hash if all of it was short enough to be collected. */
export interface Gathered {
  readonly blocks: Iterable<Uint8Array>;
  readonly whole: { readonly hash: string; readonly bytes: number } | undefined;
}

function* joined(first: readonly Uint8Array[], rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield* first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

export function gatherBlocks(content: ArchiveContent): Gathered {
  const rest = encodeBlocks(content);
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= MAX_GATHERED_BYTES) {
    const next = rest.next();
    if (next.done === true) {
      const hash = createHash("sha256");
      for (const block of blocks) hash.update(block);
      return { blocks, whole: { hash: hash.digest("hex"), bytes } };
    }
    blocks.push(next.value);
    bytes += next.value.byteLength;
  }
  return { blocks: joined(blocks, rest), whole: undefined };
}

/** A file in the state in which this process left it. */
interface KnownFile {
  readonly stat: FileStat;
  readonly storedAtMs: number;
  readonly contentType: string;
}

const MAX_KNOWN = 1_000;

/**
 * The files that this process wrote last. Servers often give the same answer again; if its file is unchanged,
 * it need not be compressed and written again.
 */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>();

  add(path: string, file: KnownFile): void {
    this.#files.delete(path);
    this.#files.set(path, file);
    if (this.#files.size <= MAX_KNOWN) return;
    const [oldest] = this.#files.keys();
    if (oldest !== undefined) this.#files.delete(oldest);
  }

  /** A damaged file is written again. */
  forget(path: string): void {
    this.#files.delete(path);
  }

  find(path: string, contentType: string): KnownFile | undefined {
    const known = this.#files.get(path);
    return known?.contentType === contentType ? known : undefined;
  }
}

/** Whether the file is unchanged since. */
export function isAsLeft({ stat: left }: KnownFile, stat: FileStat): boolean {
  const isUnchanged = stat.changedAtMs !== undefined && stat.changedAtMs === left.changedAtMs;
  return isUnchanged && stat.bytes === left.bytes && stat.inode === left.inode && stat.isLink !== true;
}
