import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { watch } from "chokidar";

// Kubernetes swaps this link when a mounted ConfigMap changes; the file's own link does not change.
const CONFIG_MAP_LINK = "..data";

export interface WatchHandlers {
  readonly onEvent: () => void;
  readonly onError: (cause: unknown) => void;
}

/**
 * Watches for files that may appear, change and vanish, and resolves once no event can be missed. For each
 * path, the nearest existing folder is watched, and only entries on the way to a path count.
 */
export async function openWatcher(
  paths: readonly string[],
  { onEvent, onError }: WatchHandlers,
): Promise<{ close(): Promise<void> }> {
  const { roots, relevant } = planWatch(paths);
  const watcher = watch(roots, {
    ignored: (path) => !relevant.has(resolve(path)),
    // Watching a file must not keep a process alive. On Windows, deleting a folder makes a watcher throw
    // EPERM, which chokidar catches only for persistent watchers.
    persistent: process.platform === "win32",
    ignorePermissionErrors: true,
  });
  watcher.on("error", onError);
  watcher.on("all", onEvent);
  // Raw events of the folders, because chokidar drops a removal that follows another within 100 ms.
  watcher.on("raw", (_event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath?: string };
    if (typeof name !== "string" || watchedPath === undefined) return;
    if (relevant.has(resolve(watchedPath, name)) || basename(name) === CONFIG_MAP_LINK) onEvent();
  });
  await new Promise<void>((done) => {
    watcher.once("ready", done);
  });
  return { close: () => watcher.close() };
}

function planWatch(paths: readonly string[]): { roots: string[]; relevant: ReadonlySet<string> } {
  const relevant = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    let folder = resolve(path);
    do {
      relevant.add(folder);
      folder = dirname(folder);
    } while (!existsSync(folder));
    relevant.add(folder);
    folders.add(folder);
  }
  // A folder whose parent is also watched is reached from the parent.
  const roots = [...folders].filter((folder) => dirname(folder) === folder || !relevant.has(dirname(folder)));
  return { roots, relevant };
}
