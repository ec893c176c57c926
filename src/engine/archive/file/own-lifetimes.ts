// Entries with a lifetime of their own: their tool's, or that of a store that was told one. Their files say so themselves;
// an empty file marks that there are any, since a sweep must open every file to find them.

import { join } from "node:path";
import { readArchiveFile } from "./file-format.ts";
import { type FileStat, errnoOf } from "./file-layer.ts";
import type { FileTree } from "./file-tree.ts";

/** Files whose lifetime is known; beyond this number they are read again. */
const MAX_KNOWN = 50_000;

export class OwnLifetimes {
  readonly #tree: FileTree;
  readonly #mark: string;
  readonly #known = new Map<string, number | undefined>();
  #areAny = false;

  constructor(tree: FileTree) {
    this.#tree = tree;
    this.#mark = join(tree.root, "own-lifetimes");
  }

  /** Called before the first entry with a lifetime of its own is published; `isLasting`: it must survive a power cut. */
  async mark(isLasting: boolean): Promise<void> {
    if (await this.areAny()) return;
    const { path, file } = await this.#tree.createTemporary();
    await file.close();
    await this.#tree.publish(path, this.#mark);
    if (isLasting) await this.#tree.makeLasting(this.#tree.root);
    this.#areAny = true;
  }

  /** Whether the directory has had any such entry. */
  async areAny(): Promise<boolean> {
    if (this.#areAny) return true;
    try {
      await this.#tree.files.stat(this.#mark);
      this.#areAny = true;
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
    }
    return this.#areAny;
  }

  /** The lifetime of its own that a file says; undefined if it lives like the others, is gone, or is damaged. */
  async of(path: string, stat: FileStat): Promise<number | undefined> {
    const key = `${path} ${stat.inode} ${stat.bytes}`;
    if (this.#known.has(key)) return this.#known.get(key);
    const ttlMs = await this.#read(path);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, ttlMs);
    return ttlMs;
  }

  async #read(path: string): Promise<number | undefined> {
    try {
      const file = await this.#tree.files.open(path);
      try {
        const { bytes } = await file.stat();
        return (await readArchiveFile(file, bytes)).map.ttlMs;
      } finally {
        await file.close();
      }
    } catch {
      // A damaged file is not served, and goes with the others. A later put may replace it.
      return undefined;
    }
  }
}
