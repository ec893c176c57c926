// The store for one machine: one file for each entry, named by its sha256, in a directory that many processes may share.
// A file gets its name only when it is complete, so a reader sees all of an entry or nothing.

import {
  type ArchiveContent,
  type ArchiveEntry,
  ArchiveError,
  type ArchivePut,
  type ArchiveRead,
  type ArchiveStore,
  type ListedEntry,
  type PutOptions,
  type SweepReport,
  closedError,
} from "../archive-store.ts";
import {
  clampRange,
  contentTypeOf,
  entryTimes,
  isHash,
  isHashPrefix,
  lifetimeOf,
  ownTtlOf,
  tenantKey,
} from "../store-rules.ts";
import { type FileStat, type OpenFile, errnoOf, nodeFileLayer, toArchiveError } from "./file-layer.ts";
import type { FileStoreRules } from "./file-store-options.ts";
import { type EntryName, type Gathered, FileTree, KnownFiles, gatherBlocks, isAsLeft } from "./file-tree.ts";
import {
  type ArchiveFile,
  type FileLabel,
  type WrittenFile,
  readArchiveFile,
  readRange,
  readWholeFile,
  writeArchiveFile,
} from "./file-format.ts";
import { fileSecret } from "./file-secret.ts";
import { OwnLifetimes } from "./own-lifetimes.ts";
import { SweepTurns } from "../sweep-turns.ts";
import { statIfThere, storedBytesOf, sweepFiles } from "./sweep-files.ts";

/** The precision of "least recently used": an entry in steady use is marked once a minute, not at every read. */
const TOUCH_MS = 60_000;

interface OpenedEntry {
  readonly entry: ArchiveEntry;
  readonly archive: ArchiveFile;
  readonly stat: FileStat;
}

class DirectoryStore implements ArchiveStore {
  readonly kind = "file";
  readonly location: string;
  readonly #tree: FileTree;
  readonly #rules: FileStoreRules;
  readonly #turns: SweepTurns;
  readonly #known = new KnownFiles();
  readonly #own: OwnLifetimes;
  #isClosed = false;

  constructor(directory: string, rules: FileStoreRules) {
    this.#rules = rules;
    this.#tree = new FileTree(directory, rules.files ?? nodeFileLayer);
    this.location = this.#tree.root;
    this.#own = new OwnLifetimes(this.#tree);
    this.#turns = new SweepTurns(this.#rules, (keepBytes) => {
      const { now, maxBytes } = this.#rules;
      const lifetimeFor = (ownTtlMs?: number): number => this.#lifetime(ownTtlMs);
      return sweepFiles(this.#tree, { now, lifetimeFor, maxBytes, keepBytes, own: this.#own });
    });
  }

  put(tenant: string, content: ArchiveContent, options: PutOptions = {}): Promise<ArchivePut> {
    return this.#guard("write", async () => {
      const key = tenantKey(tenant);
      const contentType = contentTypeOf(options.contentType);
      // The file says what this store was told: another program that opens the directory may not have been.
      const { ttlMs: storeTtlMs, isTold } = this.#rules;
      const ttlMs = ownTtlOf(options.ttlMs, storeTtlMs) ?? (isTold ? storeTtlMs : undefined);
      const label: FileLabel = { contentType, ttlMs };
      const gathered = gatherBlocks(content);
      const known = await this.#renew(gathered, key, label);
      if (known !== undefined) return { entry: known };
      if (ttlMs !== undefined) await this.#own.mark(this.#rules.durability === "fsync");
      const { path, file } = await this.#tree.createTemporary();
      try {
        const { written, storedAtMs } = await this.#write(file, gathered, label);
        const { hash, fileBytes, contentBytes: bytes } = written;
        const name = { tenantKey: key, hash };
        await this.#publish(path, name);
        const sweepFailure = this.#turns.wrote(fileBytes);
        await this.#remember(this.#tree.pathOf(name), storedAtMs, label);
        const entry = { hash, bytes, contentType, ...this.#timesOf(storedAtMs, label) };
        return { entry, sweepFailure };
      } catch (error) {
        await this.#tree.remove(path).catch(() => false);
        // Removing expired entries may make enough room for the next one.
        if (errnoOf(error) === "ENOSPC") this.#turns.startSoon();
        throw error;
      }
    });
  }

  get(tenant: string, hash: string): Promise<ArchiveRead | undefined> {
    return this.#read(tenant, hash, async ({ entry, archive }) => ({
      entry,
      bytes: await readWholeFile(archive, hash),
    }));
  }

  getRange(tenant: string, hash: string, start: number, end: number): Promise<ArchiveRead | undefined> {
    return this.#read(tenant, hash, async ({ entry, archive }) => {
      const range = clampRange(start, end, entry.bytes);
      return { entry, bytes: await readRange(archive, range.start, range.end) };
    });
  }

  find(tenant: string, prefix: string): Promise<readonly ArchiveEntry[]> {
    return this.#guard("read", async () => {
      const found: ArchiveEntry[] = [];
      if (!isHashPrefix(prefix)) return found;
      for await (const shard of this.#tree.shards({ tenantKey: tenantKey(tenant), prefix })) {
        for (const name of await this.#tree.entriesIn(shard)) {
          if (!name.hash.startsWith(prefix)) continue;
          const entry = await this.#open(name, async (opened) => opened.entry);
          if (entry !== undefined) found.push(entry);
        }
      }
      return found;
    });
  }

  has(tenant: string, hash: string): Promise<boolean> {
    return this.#guard("read", async () => {
      const key = tenantKey(tenant);
      if (!isHash(hash)) return false;
      const path = this.#tree.pathOf({ tenantKey: key, hash });
      const stat = await statIfThere(this.#tree, path);
      if (stat === undefined) return false;
      return this.#isLiving(stat, (await this.#own.areAny()) ? await this.#own.of(path, stat) : undefined);
    });
  }

  /** Damaged entries are skipped here; reading one gives the error. */
  async *list(tenant?: string): AsyncGenerator<ListedEntry> {
    const key = tenant === undefined ? undefined : tenantKey(tenant);
    const shards = this.#tree.shards({ tenantKey: key });
    for (;;) {
      const shard = await this.#guard("read", () => shards.next());
      if (shard.done === true) return;
      const listed = await this.#guard("read", async () => {
        const names = await this.#tree.entriesIn(shard.value);
        return await Promise.all(names.map((name) => this.#describe(name)));
      });
      for (const entry of listed) if (entry !== undefined) yield entry;
    }
  }

  delete(tenant: string, hash: string): Promise<boolean> {
    return this.#guard("write", async () => {
      const name = { tenantKey: tenantKey(tenant), hash };
      return isHash(hash) && (await this.#tree.remove(this.#tree.pathOf(name)));
    });
  }

  sweep(): Promise<SweepReport> {
    return this.#guard("write", () => this.#turns.run());
  }

  secret(name: string): Promise<string> {
    return this.#guard("write", () => fileSecret(this.#tree, name));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.idle();
  }

  async #guard<Result>(doing: "read" | "write", act: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closedError(this.kind);
    try {
      return await act();
    } catch (error) {
      throw toArchiveError(error, doing, this.location);
    }
  }

  async #write(
    file: OpenFile,
    content: Gathered,
    label: FileLabel,
  ): Promise<{ readonly written: WrittenFile; readonly storedAtMs: number }> {
    try {
      const written = await writeArchiveFile(file, content, {
        label,
        maxEntryBytes: this.#rules.maxEntryBytes,
      });
      const storedAtMs = this.#rules.now();
      await file.setTimes({ accessedAtMs: storedAtMs, modifiedAtMs: storedAtMs });
      if (this.#rules.durability === "fsync") await file.sync();
      return { written, storedAtMs };
    } finally {
      await file.close();
    }
  }

  /** The entry of content that this process has stored before, if its file is unchanged; its lifetime restarts. */
  async #renew({ whole }: Gathered, key: string, label: FileLabel): Promise<ArchiveEntry | undefined> {
    if (whole === undefined) return undefined;
    const { hash, bytes } = whole;
    const path = this.#tree.pathOf({ tenantKey: key, hash });
    const known = this.#known.find(path, label);
    const stat = known === undefined ? undefined : await statIfThere(this.#tree, path);
    if (
      known === undefined ||
      stat === undefined ||
      !isAsLeft(known, stat) ||
      !this.#isLiving(stat, label.ttlMs)
    )
      return undefined;
    const nowMs = this.#rules.now();
    const ttlMs = this.#lifetime(label.ttlMs);
    let { storedAtMs } = known;
    if (Math.abs(nowMs - storedAtMs) > Math.min(TOUCH_MS, ttlMs / 1_000)) {
      await this.#tree.files.setTimes(path, { accessedAtMs: nowMs, modifiedAtMs: nowMs });
      storedAtMs = nowMs;
      await this.#remember(path, storedAtMs, label);
    }
    return {
      hash,
      bytes,
      contentType: label.contentType,
      ...this.#timesOf(storedAtMs, label),
    };
  }

  #timesOf(storedAtMs: number, { ttlMs }: FileLabel): Pick<ArchiveEntry, "storedAtMs" | "expiresAtMs"> {
    return { storedAtMs, expiresAtMs: storedAtMs + this.#lifetime(ttlMs) };
  }

  #lifetime(ownTtlMs?: number): number {
    const { ttlMs, isTold } = this.#rules;
    return lifetimeOf(ownTtlMs, ttlMs, isTold);
  }

  async #remember(path: string, storedAtMs: number, label: FileLabel): Promise<void> {
    const stat = await statIfThere(this.#tree, path);
    if (stat !== undefined) this.#known.add(path, { stat, storedAtMs, label });
  }

  async #publish(temporary: string, name: EntryName): Promise<void> {
    await this.#tree.publish(temporary, this.#tree.pathOf(name));
    if (this.#rules.durability === "fsync") await this.#tree.makeLasting(this.#tree.shardOf(name));
  }

  #isLiving(stat: FileStat, ownTtlMs?: number): boolean {
    const nowMs = this.#rules.now();
    const ttlMs = this.#lifetime(ownTtlMs);
    return entryTimes(stat.modifiedAtMs, nowMs, ttlMs).expiresAtMs > nowMs;
  }

  #read<Result>(
    tenant: string,
    hash: string,
    use: (opened: OpenedEntry) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#guard("read", async () => {
      const name = { tenantKey: tenantKey(tenant), hash };
      if (!isHash(hash)) return undefined;
      try {
        return await this.#open(name, async (opened, file) => {
          const result = await use(opened);
          await this.#touch(file, opened);
          return result;
        });
      } catch (error) {
        this.#known.forget(this.#tree.pathOf(name));
        throw error;
      }
    });
  }

  /** Opens an entry that has not expired; undefined if it is absent or expired. */
  async #open<Result>(
    name: EntryName,
    use: (opened: OpenedEntry, file: OpenFile) => Promise<Result>,
  ): Promise<Result | undefined> {
    const file = await this.#openFile(this.#tree.pathOf(name));
    if (file === undefined) return undefined;
    try {
      const stat = await file.stat();
      const archive = await readArchiveFile(file, stat.bytes);
      const { contentType, ttlMs: ownTtlMs, contentBytes: bytes } = archive.map;
      if (!this.#isLiving(stat, ownTtlMs)) return undefined;
      const ttlMs = this.#lifetime(ownTtlMs);
      const { storedAtMs, expiresAtMs } = entryTimes(stat.modifiedAtMs, this.#rules.now(), ttlMs);
      return await use(
        { entry: { hash: name.hash, bytes, contentType, storedAtMs, expiresAtMs }, archive, stat },
        file,
      );
    } finally {
      // The content is already read, so this need not be awaited.
      file.close().catch(() => undefined);
    }
  }

  async #openFile(path: string): Promise<OpenFile | undefined> {
    try {
      return await this.#tree.files.open(path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Marks an entry as used. Through its open file, not its name: a newer file of that name keeps its own times. */
  async #touch(file: OpenFile, { entry, stat }: OpenedEntry): Promise<void> {
    const nowMs = this.#rules.now();
    const isRecent = Math.abs(nowMs - stat.accessedAtMs) < TOUCH_MS && stat.modifiedAtMs <= nowMs;
    if (isRecent) return;
    // A read-only directory can still be read.
    await file.setTimes({ accessedAtMs: nowMs, modifiedAtMs: entry.storedAtMs }).catch(() => undefined);
  }

  async #describe(name: EntryName): Promise<ListedEntry | undefined> {
    try {
      return await this.#open(name, async ({ entry, stat }) => ({
        ...entry,
        tenantKey: name.tenantKey,
        storedBytes: storedBytesOf(stat),
        lastUsedAtMs: Math.min(stat.accessedAtMs, this.#rules.now()),
      }));
    } catch (error) {
      if (ArchiveError.isInstance(error) && error.code === "CORRUPT") return undefined;
      throw error;
    }
  }
}

/** Loaded by `fileStore` at its first use. */
export function directoryStore(directory: string, rules: FileStoreRules): ArchiveStore {
  return new DirectoryStore(directory, rules);
}
