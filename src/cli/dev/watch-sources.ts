// Detects changes in the source of a server. Data does not count: a server that writes its own file would restart
// itself forever. The server itself follows its configuration file.

import { existsSync } from "node:fs";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { watch } from "chokidar";

const sources: ReadonlySet<string> = new Set([".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"]);
const passedOver: ReadonlySet<string> = new Set(["node_modules", "coverage"]);
/** Editors write a file in several steps, and several files at once. */
const SETTLE_MS = 100;

/** The folder with the nearest package.json: the project that the module belongs to. */
export function projectOf(module: string): string {
  let folder = dirname(module);
  while (!existsSync(join(folder, "package.json"))) {
    const above = dirname(folder);
    if (above === folder) return dirname(module);
    folder = above;
  }
  return folder;
}

function isPassedOver(path: string, folder: string): boolean {
  const parts = relative(folder, path).split(sep);
  return parts.some((part) => passedOver.has(part) || (part.startsWith(".") && part !== ""));
}

function isSource(path: string): boolean {
  const name = basename(path);
  return name === "package.json" || (sources.has(extname(name)) && !/\.test\.\w+$/.test(name));
}

export interface SourceWatch {
  close(): Promise<void>;
}

/** Calls back with the changed file, relative to the folder; resolves once no change can be missed. */
export async function watchSources(
  folder: string,
  onChange: (path: string) => void,
  onError: (error: unknown) => void,
): Promise<SourceWatch> {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, {
    ignored: (path, stats) => isPassedOver(path, folder) || (stats?.isFile() === true && !isSource(path)),
    ignoreInitial: true,
    ignorePermissionErrors: true,
  });
  watcher.on("error", onError);
  watcher.on("all", (event, path) => {
    if (event === "addDir" || event === "unlinkDir") return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(relative(folder, path)), SETTLE_MS);
  });
  await new Promise<void>((done) => {
    watcher.once("ready", done);
  });
  return {
    close: () => {
      clearTimeout(timer);
      return watcher.close();
    },
  };
}
