import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { watch } from "chokidar";

// Kubernetes swaps this link when a mounted ConfigMap changes; the link of the file itself stays as it is.
const CONFIG_MAP_LINK = "..data";

export interface WatchHandlers {
  readonly onEvent: () => void;
  readonly onError: (cause: unknown) => void;
}

/**
 * Watches for files that may come, change and go, and resolves once nothing can be missed.
 * The nearest existing folder of each path is watched, and in it only what lies on the way to a path.
 */
export async function openWatcher(
  paths: readonly string[],
  { onEvent, onError }: WatchHandlers,
): Promise<{ close(): Promise<void> }> {
  const { roots, relevant } = planWatch(paths);
  const watcher = watch(roots, {
    ignored: (path) => !relevant.has(resolve(path)),
    // Following a file is no reason for a process to stay alive. On Windows a deleted folder makes a watcher
    // throw EPERM, and chokidar catches that for persistent ones only.
    persistent: process.platform === "win32",
    ignorePermissionErrors: true,
  });
  watcher.on("error", onError);
  watcher.on("all", onEvent);
  // The folders' own events, because chokidar drops a removal that follows another within 100 ms.
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
  // A folder whose parent is relevant is reached from there.
  const roots = [...folders].filter((folder) => dirname(folder) === folder || !relevant.has(dirname(folder)));
  return { roots, relevant };
}
