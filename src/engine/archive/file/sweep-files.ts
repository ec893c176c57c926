import { dirname, join } from "node:path";
import type { SweepReport } from "../archive-store.ts";
import { entryTimes, lifetimeOf } from "../store-rules.ts";
import { type FileStat, errnoOf } from "./file-layer.ts";
import type { EntryName, FileTree } from "./file-tree.ts";
import type { OwnLifetimes } from "./own-lifetimes.ts";

/** Older than any write that is still running. */
const ABANDONED_MS = 60 * 60 * 1_000;
const EMPTY_DIRECTORY_MS = 24 * 60 * 60 * 1_000;
/** On a disk, a file takes whole pages. */
const PAGE_BYTES = 4_096;

export interface SweepRules {
  readonly now: () => number;
  readonly ttlMs: number;
  readonly maxBytes: number;
  /** How many bytes stay if there were more than `maxBytes`. */
  readonly keepBytes: number;
  /** Entries that live shorter than `ttlMs`. */
  readonly own: OwnLifetimes;
}

/** `gone` means that another process removed it. */
type Removal = "removed" | "gone" | "kept";

interface SeenFile {
  readonly path: string;
  readonly stat: FileStat;
}

export function storedBytesOf({ bytes }: FileStat): number {
  return Math.max(1, Math.ceil(bytes / PAGE_BYTES)) * PAGE_BYTES;
}

/** A file's stat; undefined if the file is gone. */
export async function statIfThere(tree: FileTree, path: string): Promise<FileStat | undefined> {
  try {
    return await tree.files.stat(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Removes an entry if it is still the one that was seen. Another process may put, and announce, the same
 * content between our check and our removal: so the file is moved aside, checked again, and moved back if it
 * is another file.
 */
async function removeSeen(tree: FileTree, { path, stat }: SeenFile): Promise<Removal> {
  const isSeen = (now: FileStat): boolean =>
    now.inode === stat.inode &&
    now.modifiedAtMs === stat.modifiedAtMs &&
    now.accessedAtMs === stat.accessedAtMs;
  const before = await statIfThere(tree, path);
  if (before === undefined) return "gone";
  if (!isSeen(before)) return "kept";
  const aside = tree.temporaryPath();
  try {
    await tree.publish(path, aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "gone";
    throw error;
  }
  const moved = await statIfThere(tree, aside);
  if (moved === undefined || isSeen(moved)) return (await tree.remove(aside)) ? "removed" : "gone";
  await tree.publish(aside, path);
  return "kept";
}

/**
 * Whether a path is a symbolic link. Files behind a link do not belong to the store, and a sweep would remove
 * them or change their times. The store's own directory may be a link; nothing in it may.
 */
async function isLink(tree: FileTree, path: string): Promise<boolean> {
  return (await statIfThere(tree, path))?.isLink === true;
}

/** Whether a shard is behind a link: the shard itself, its tenant's directory, or the directory of all entries. */
async function isBehindLink(tree: FileTree, shard: string): Promise<boolean> {
  for (let path = shard; path.length > tree.root.length; path = dirname(path)) {
    if (await isLink(tree, path)) return true;
  }
  return false;
}

/** Removes temporary files whose writers died. */
async function removeAbandoned(tree: FileTree, nowMs: number): Promise<void> {
  if (await isLink(tree, tree.temporaryDirectory)) return;
  for (const name of await tree.names(tree.temporaryDirectory)) {
    const path = join(tree.temporaryDirectory, name);
    const stat = await statIfThere(tree, path);
    if (stat !== undefined && nowMs - stat.modifiedAtMs >= ABANDONED_MS) await tree.remove(path);
  }
}

/** Removes a shard that has been empty for long, and then its tenant's directory: tenants come and go. */
async function removeEmpty(tree: FileTree, shard: string, nowMs: number): Promise<void> {
  await removeDirectoryIfEmpty(tree, shard, nowMs);
  await removeDirectoryIfEmpty(tree, dirname(shard), nowMs);
}

async function removeDirectoryIfEmpty(tree: FileTree, directory: string, nowMs: number): Promise<void> {
  const stat = await statIfThere(tree, directory);
  if (stat === undefined || nowMs - stat.modifiedAtMs < EMPTY_DIRECTORY_MS) return;
  if ((await tree.names(directory)).length > 0) return;
  try {
    await tree.files.removeDirectory(directory);
  } catch (error) {
    // Another process has just put something there, or has removed it first.
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
  }
}

async function seeShard(tree: FileTree, names: readonly EntryName[]): Promise<SeenFile[]> {
  const seen = await Promise.all(
    names.map(async (name) => {
      const path = tree.pathOf(name);
      return { path, stat: await statIfThere(tree, path) };
    }),
  );
  return seen.filter((file): file is SeenFile => file.stat !== undefined && file.stat.isLink !== true);
}

/** What a sweep has found and done so far. */
interface Tally {
  readonly living: SeenFile[];
  expired: number;
  evicted: number;
  freedBytes: number;
  entries: number;
  storedBytes: number;
}

/** Sets the time of an entry that seems to be stored in the future to now, so that it can expire. */
async function dateAnew(tree: FileTree, { path, stat }: SeenFile, nowMs: number): Promise<SeenFile> {
  await tree.files.setTimes(path, { accessedAtMs: nowMs, modifiedAtMs: nowMs }).catch(() => undefined);
  return { path, stat: (await statIfThere(tree, path)) ?? stat };
}

/** Removes an entry that has not changed since it was seen; one that another process removed is not counted. */
async function drop(
  tree: FileTree,
  tally: Tally,
  file: SeenFile,
  reason: "expired" | "evicted",
): Promise<void> {
  const removal = await removeSeen(tree, file);
  if (removal === "kept") return;
  const bytes = storedBytesOf(file.stat);
  tally.entries--;
  tally.storedBytes -= bytes;
  if (removal === "gone") return;
  tally[reason]++;
  tally.freedBytes += bytes;
}

async function sweepShard(
  tree: FileTree,
  tally: Tally,
  shard: string,
  { now, ttlMs, own }: SweepRules,
): Promise<void> {
  if (await isBehindLink(tree, shard)) return;
  const names = await tree.entriesIn(shard);
  const hasOwn = names.length > 0 && (await own.areAny());
  const seen = await seeShard(tree, names);
  // Read after the stat: an entry put during a long sweep must not seem to come from the future.
  const nowMs = now();
  if (names.length === 0) await removeEmpty(tree, shard, nowMs);
  for (const file of seen) {
    const ownTtlMs = hasOwn ? await own.of(file.path, file.stat) : undefined;
    const times = entryTimes(file.stat.modifiedAtMs, nowMs, lifetimeOf(ownTtlMs, ttlMs));
    tally.entries++;
    tally.storedBytes += storedBytesOf(file.stat);
    if (times.expiresAtMs <= nowMs) await drop(tree, tally, file, "expired");
    else tally.living.push(times.isFromFuture ? await dateAnew(tree, file, nowMs) : file);
  }
}

/**
 * Removes expired entries, abandoned files, and the least recently used entries beyond the quota. Any process
 * may call it at any time.
 */
export async function sweepFiles(tree: FileTree, rules: SweepRules): Promise<SweepReport> {
  const tally: Tally = { living: [], expired: 0, evicted: 0, freedBytes: 0, entries: 0, storedBytes: 0 };
  await removeAbandoned(tree, rules.now());
  for await (const shard of tree.shards()) await sweepShard(tree, tally, shard, rules);
  if (tally.storedBytes > rules.maxBytes) {
    for (const file of tally.living.toSorted((a, b) => a.stat.accessedAtMs - b.stat.accessedAtMs)) {
      if (tally.storedBytes <= rules.keepBytes) break;
      await drop(tree, tally, file, "evicted");
    }
  }
  const { living: _, ...report } = tally;
  return report;
}
