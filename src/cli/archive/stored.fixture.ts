import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveContent } from "../../engine/archive/archive-store.ts";
import { fileStore } from "../../engine/archive/file/file-store.ts";
import { tempFiles } from "../temp-files.fixture.ts";

interface Kept {
  readonly tenant?: string;
  readonly content: ArchiveContent;
  readonly contentType?: string;
  /** How long ago it was kept. */
  readonly ageMs?: number;
}

export const HOUR_MS = 60 * 60 * 1_000;

/** Sixty tasks, one of which is unlike the others. */
export const tasks = Array.from({ length: 60 }, (_, index) => ({
  id: `task-${index}`,
  number: index,
  status: index % 3 === 0 ? "failed" : "pending",
  title: index === 41 ? "Rotate the signing key" : `Water plant ${index}`,
}));

/**
 * Keeps content in a directory's store, as a server would have; gives the hashes. The oldest comes first: a store that
 * finds an entry later than its own clock dates it anew.
 */
export async function keep(directory: string, kept: readonly Kept[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const { tenant = "local:waybill", content, contentType, ageMs = 0 } of kept) {
    // A put sweeps; with this life nothing is old enough to go.
    const store = fileStore(directory, { now: () => Date.now() - ageMs, ttlMs: 36_500 * 24 * HOUR_MS });
    const { entry } = await store.put(tenant, content, contentType === undefined ? {} : { contentType });
    await store.close();
    hashes.push(entry.hash);
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
