// The built page. All its files are read when the dashboard opens: a request selects one by name and reads no file, so
// no path can lead out of the folder.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

interface PageFile {
  readonly bytes: Buffer;
  /** The same content, for browsers that accept gzip. */
  readonly gzipped: Buffer;
  readonly type: string;
  /** The file's name changes with its content, so a browser may cache it. */
  readonly isLasting: boolean;
}

/** By their paths in a URL: `/index.html`, `/assets/…`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * The folder of the built page: in the package one folder up from this module's chunk, in the source tree the output of
 * the build. Undefined if a bundler left no URL of this module.
 */
function findFolder(here: string): string | undefined {
  if (!here.startsWith("file:")) return undefined;
  const place = here.endsWith(".ts") ? "../../../../../dist/dashboard/" : "../dashboard/";
  return fileURLToPath(new URL(place, here));
}

/** The files of the page; empty if the page was not built. */
export function readPageFiles(folder: string | undefined = findFolder(import.meta.url)): PageFiles {
  const files = new Map<string, PageFile>();
  if (folder === undefined || !existsSync(join(folder, "index.html"))) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).split(sep).filter(Boolean).join("/");
    const bytes = readFileSync(path);
    files.set(`/${name}`, { bytes, gzipped: gzipSync(bytes), type, isLasting: name.startsWith("assets/") });
  }
  return files;
}
