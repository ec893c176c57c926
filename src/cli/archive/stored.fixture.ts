import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveContent } from "../../engine/archive/archive-store.ts";
import { entryPath } from "../../engine/archive/file/file-store.fixture.ts";
import { fileStore } from "../../engine/archive/file/file-store.ts";
import { tempFiles } from "../temp-files.fixture.ts";

interface Kept {
  readonly tenant?: string;
  readonly content: ArchiveContent;
  readonly contentType?: string;
  /** How long ago it was kept. */
  readonly ageMs?: number;
  /** How long its server was told to keep it. */
  readonly ttlMs?: number;
}

export const HOUR_MS = 60 * 60 * 1_000;

/** Sixty tasks, one of which is unlike the others. */
export const tasks = Array.from({ length: 60 }, (_, index) => ({
  id: `task-${index}`,
  number: index,
  status: index % 3 === 0 ? "failed" : "pending",
  title: index === 41 ? "Rotate the signing key" : `Water plant ${index}`,
}));

/** Keeps content in a directory's store, as a server would have; gives the hashes. */
export async function keep(directory: string, kept: readonly Kept[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const { tenant = "local:waybill", content, contentType, ttlMs } of kept) {
    const store = fileStore(directory, ttlMs === undefined ? {} : { ttlMs });
    const { entry } = await store.put(tenant, content, contentType === undefined ? {} : { contentType });
    await store.close();
    hashes.push(entry.hash);
  }
  // A put sweeps, so they grow old afterwards.
  for (const [index, { tenant = "local:waybill", ageMs = 0 }] of kept.entries()) {
    const storedAt = new Date(Date.now() - ageMs);
    if (ageMs > 0) utimesSync(entryPath(directory, tenant, hashes[index] ?? ""), storedAt, storedAt);
  }
  return hashes;
}

/** A working directory with a store in `archive`. */
export async function storedHere(...kept: readonly Kept[]): Promise<{ cwd: string; hashes: string[] }> {
  const cwd = tempFiles({});
  const directory = join(cwd, "archive");
  mkdirSync(directory);
  return { cwd, hashes: await keep(directory, kept) };
}
