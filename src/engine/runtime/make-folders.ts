// Makes a folder and those above it. Node's own recursive `mkdir` never ends where a folder exists but nothing can be made
// in it, as in /proc.

import { mkdirSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A folder that is there already is no failure; another process may have been faster. */
function unlessThere(path: string, error: unknown): void {
  if (!isFolder(path)) throw error;
}

/** The folder above, if that is what is missing. */
function missingAbove(path: string, error: unknown): string | undefined {
  const above = dirname(path);
  return (error as NodeJS.ErrnoException).code === "ENOENT" && above !== path ? above : undefined;
}

/** The mode is that of each folder that is made. */
export async function makeFolders(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const above = missingAbove(path, error);
    if (above === undefined) return unlessThere(path, error);
    await makeFolders(above, mode);
    await mkdir(path, { mode }).catch((again: unknown) => unlessThere(path, again));
  }
}

/** The same at once; returns the first folder that was made, which holds the others. */
export function makeFoldersSync(path: string, mode?: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    const above = missingAbove(path, error);
    if (above === undefined) {
      unlessThere(path, error);
      return undefined;
    }
    const first = makeFoldersSync(above, mode);
    try {
      mkdirSync(path, { mode });
    } catch (again) {
      unlessThere(path, again);
      return first;
    }
    return first ?? path;
  }
}
