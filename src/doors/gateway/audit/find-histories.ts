import { lstatSync, opendirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Machine } from "../state-folder.ts";
import type { HistoryFiles, HistoryFormat } from "./formats/history-format.ts";

export interface FoundHistory {
  readonly format: HistoryFormat;
  readonly files: HistoryFiles;
  /** The client's folder, and the file's path below it, with forward slashes. */
  readonly folder: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** What was met on the way and not read. */
export interface Passed {
  links: number;
  unreadable: number;
  /** Entries of clients' folders that were not read, because there are too many or they are too deep. */
  beyond: number;
}

/** Clients nest their files four folders deep. */
const MAX_DEPTH = 8;
const MAX_ENTRIES = 500_000;

/**
 * The files of a client's histories on a machine, each as it lies there: a link is never followed, wherever it leads,
 * so nothing outside the folder is read, and nothing twice. The folder itself may be a link, which its owner chose.
 */
export function findHistories(
  format: HistoryFormat,
  machine: Machine & { readonly home: string },
  passed: Passed,
): readonly FoundHistory[] {
  const found: FoundHistory[] = [];
  for (const folder of format.folders(machine)) {
    const real = realFolder(folder);
    if (real === undefined) continue;
    let left = MAX_ENTRIES;
    const waiting = [{ path: "", depth: 0 }];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const { name, kind } of entriesOf(join(real, at.path), passed)) {
        if (left-- <= 0) {
          passed.beyond += 1;
          break;
        }
        const path = at.path === "" ? name : `${at.path}/${name}`;
        if (kind === "link") passed.links += 1;
        else if (kind === "folder" && at.depth < MAX_DEPTH) waiting.push({ path, depth: at.depth + 1 });
        else if (kind === "folder") passed.beyond += 1;
        else found.push(...asHistory(format, real, path, passed));
      }
    }
  }
  return found;
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    // The client is not installed, or was never used.
    return undefined;
  }
}

interface Entry {
  readonly name: string;
  readonly kind: "folder" | "file" | "link";
}

/** One entry after the other: a folder may hold more of them than fit into memory. */
function* entriesOf(folder: string, passed: Passed): Generator<Entry> {
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        const { name } = entry;
        if (entry.isSymbolicLink()) yield { name, kind: "link" };
        else if (entry.isDirectory()) yield { name, kind: "folder" };
        else if (entry.isFile()) yield { name, kind: "file" };
      }
    } finally {
      open.closeSync();
    }
  } catch {
    passed.unreadable += 1;
  }
}

function asHistory(
  format: HistoryFormat,
  folder: string,
  path: string,
  passed: Passed,
): readonly FoundHistory[] {
  const files = format.files.find((each) => each.path.test(path));
  if (files === undefined) return [];
  try {
    const { size, mtimeMs } = lstatSync(join(folder, path));
    // The last writes to a database are in a file beside it.
    const log = lstatSync(join(folder, `${path}-wal`), { throwIfNoEntry: false });
    const isPart = typeof files.holding === "object" && log?.isFile() === true;
    const bytes = size + (isPart ? log.size : 0);
    const changedMs = Math.max(mtimeMs, isPart ? log.mtimeMs : 0);
    return [{ format, files, folder, path, bytes, changedMs }];
  } catch {
    passed.unreadable += 1;
    return [];
  }
}

/**
 * A file that a history names, as a path below one of its client's folders: undefined if it lies elsewhere, or if a link
 * is on the way to it.
 */
export function insideFolder(
  named: string,
  format: HistoryFormat,
  machine: Machine & { readonly home: string },
): string | undefined {
  for (const folder of format.folders(machine)) {
    const path = relative(folder, named);
    if (path === "" || path.startsWith("..") || isAbsolute(path)) continue;
    const real = realFolder(folder);
    if (real !== undefined && isPlainPath(real, path)) return join(real, path);
  }
  return undefined;
}

function isPlainPath(folder: string, path: string): boolean {
  let at = folder;
  for (const name of path.split(sep)) {
    at = join(at, name);
    try {
      if (lstatSync(at).isSymbolicLink()) return false;
    } catch {
      return false;
    }
  }
  return true;
}
