// The directories and file names of a file store, and how a file gets its name and is synced.

import { randomBytes, createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { isHash } from "../store-rules.ts";
import { type FileLayer, type OpenFile, errnoOf, type FileStat } from "./file-layer.ts";
import type { ArchiveContent } from "../archive-store.ts";
import type { FileLabel } from "./file-format.ts";
import { encodeBlocks } from "../blocks.ts";

const TENANT_KEY = /^[0-9a-f]{32}$/;
const SHARD = /^[0-9a-f]{2}$/;

/** Less than the age at which a sweep removes empty directories, so a directory in this map still exists. */
const REMEMBERED_MS = 60 * 60 * 1_000;
const MAX_REMEMBERED = 10_000;

export interface EntryName {
  readonly tenantKey: string;
  readonly hash: string;
}

export class FileTree {
  readonly root: string;
  readonly files: FileLayer;
  readonly temporaryDirectory: string;
  readonly secretsDirectory: string;
  readonly #entriesDirectory: string;
  /** Directories whose own name is known to survive a power cut, and since when. */
  readonly #lasting = new Map<string, number>();

  constructor(directory: string, files: FileLayer) {
    this.root = resolve(directory);
    this.files = files;
    this.temporaryDirectory = join(this.root, "tmp");
    this.secretsDirectory = join(this.root, "secrets");
    this.#entriesDirectory = join(this.root, "entries");
  }

  shardOf({ tenantKey, hash }: EntryName): string {
    return join(this.#entriesDirectory, tenantKey, hash.slice(0, 2));
  }

  pathOf(name: EntryName): string {
    return join(this.shardOf(name), name.hash);
  }

  /** A new file under an unused name, on the file system of the entries, so that a rename can publish it. */
  async createTemporary(): Promise<{ readonly path: string; readonly file: OpenFile }> {
    const path = this.temporaryPath();
    const file = await this.#inDirectory(this.temporaryDirectory, () => this.files.create(path));
    return { path, file };
  }

  temporaryPath(): string {
    return join(this.temporaryDirectory, `${process.pid}-${randomBytes(8).toString("hex")}`);
  }

  /** Gives a finished file its name; readers see the whole file or nothing. */
  async publish(temporary: string, target: string): Promise<void> {
    await this.#inDirectory(dirname(target), () => this.files.rename(temporary, target));
  }

  /** Gives a finished file a name that is not taken yet; false if it is taken. */
  async publishOnce(temporary: string, target: string): Promise<boolean> {
    try {
      await this.#inDirectory(dirname(target), () => this.files.link(temporary, target));
      return true;
    } catch (error) {
      if (errnoOf(error) === "EEXIST") return false;
      throw error;
    }
  }

  /** Resolves when the names in a directory, and the names of all its parents, survive a power cut. */
  async makeLasting(directory: string): Promise<void> {
    await this.files.syncDirectory(directory);
    for (let child = directory; dirname(child) !== child; child = dirname(child)) {
      if (Date.now() - (this.#lasting.get(child) ?? -Infinity) < REMEMBERED_MS) return;
      await this.#syncParent(child);
      if (this.#lasting.size >= MAX_REMEMBERED) this.#lasting.clear();
      this.#lasting.set(child, Date.now());
    }
  }

  async *shards(only?: {
    readonly tenantKey?: string | undefined;
    readonly prefix?: string;
  }): AsyncGenerator<string> {
    const tenants =
      only?.tenantKey === undefined ? await this.names(this.#entriesDirectory) : [only.tenantKey];
    const start = only?.prefix?.slice(0, 2) ?? "";
    for (const tenant of tenants.filter((name) => TENANT_KEY.test(name))) {
      const directory = join(this.#entriesDirectory, tenant);
      const shards = start.length === 2 ? [start] : await this.names(directory);
      for (const shard of shards) {
        if (SHARD.test(shard) && shard.startsWith(start)) yield join(directory, shard);
      }
    }
  }

  /** The entries in a shard, by name. */
  async entriesIn(shard: string): Promise<EntryName[]> {
    const tenantKey = shard.slice(this.#entriesDirectory.length + 1, -3);
    return (await this.names(shard)).filter((name) => isHash(name)).map((hash) => ({ tenantKey, hash }));
  }

  /** The names in a directory; an empty list for a directory that does not exist. */
  async names(directory: string): Promise<readonly string[]> {
    try {
      return await this.files.readDirectory(directory);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** Removes a file; false if it is already gone. */
  async remove(path: string): Promise<boolean> {
    try {
      await this.files.unlink(path);
      return true;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return false;
      throw error;
    }
  }

  /** Acts in a directory, which is made if it is missing: no directory is made before it is needed. */
  async #inDirectory<Result>(directory: string, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      await this.files.makeDirectory(directory);
      return await act();
    }
  }

  async #syncParent(child: string): Promise<void> {
    try {
      await this.files.syncDirectory(dirname(child));
    } catch (error) {
      // We may have no access to a directory above the store; then we did not make it, and it needs no sync.
      const isForbidden = ["EACCES", "EPERM"].includes(errnoOf(error) ?? "");
      if (!isForbidden || child.length > this.root.length) throw error;
    }
  }
}

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
  readonly label: FileLabel;
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

  find(path: string, { contentType, ttlMs }: FileLabel): KnownFile | undefined {
    const known = this.#files.get(path);
    const isSame = known?.label.contentType === contentType && known.label.ttlMs === ttlMs;
    return isSame ? known : undefined;
  }
}

/** Whether the file is unchanged since. */
export function isAsLeft({ stat: left }: KnownFile, stat: FileStat): boolean {
  const isUnchanged = stat.changedAtMs !== undefined && stat.changedAtMs === left.changedAtMs;
  return isUnchanged && stat.bytes === left.bytes && stat.inode === left.inode && stat.isLink !== true;
}
