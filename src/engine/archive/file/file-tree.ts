// The directories and file names of a file store, and how a file gets its name and is synced.

import { randomBytes } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { isHash } from "../store-rules.ts";
import { type FileLayer, type OpenFile, errnoOf } from "./file-layer.ts";

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
