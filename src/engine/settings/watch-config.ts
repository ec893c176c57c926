import { isDeepStrictEqual } from "node:util";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type LoadConfigOptions, loadConfig, loadConfigSync } from "./load-config.ts";
import type { LoadedConfig } from "./resolve-config.ts";
import type { Settings } from "./settings.ts";
import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";

const DEBOUNCE_MS = 50;

export type ChangeListener = (config: LoadedConfig) => void;
export type ProblemListener = (problem: ContractError) => void;

/** A configuration that follows its files. */
export interface ConfigWatch {
  /** The last good configuration. */
  readonly current: LoadedConfig;
  /** Calls back when the settings changed, or when a problem is gone. Returns a function that removes the listener. */
  onChange(listener: ChangeListener): () => void;
  /** Calls back once for each problem, while `current` stays as it is. Returns a function that removes the listener. */
  onProblem(listener: ProblemListener): () => void;
  close(): Promise<void>;
}

/** Loads the configuration and follows its files; rejects if the first load fails. */
export async function watchConfig(options: LoadConfigOptions = {}): Promise<ConfigWatch> {
  const followed = new FollowedConfig(options);
  await followed.opened;
  return followed;
}

/**
 * Finds, reads and follows the configuration, and returns it synchronously. Throws if the first read fails.
 *
 * @example
 * const contract = createContract({ name: "issues", config: followConfig() });
 */
export function followConfig(options: LoadConfigOptions = {}): ConfigWatch {
  return new FollowedConfig(options);
}

interface Watcher {
  close(): Promise<void>;
}

/** Without a watcher, the last good configuration stays, and a problem says so. */
async function openFor(followed: FollowedConfig): Promise<Watcher | undefined> {
  try {
    const paths = followed.current.files.map(({ path }) => path);
    const watcher = await openWatcher(paths, {
      onEvent: () => followed.schedule(),
      onError: (cause) => followed.reportWatchError(cause),
    });
    // Catches changes since the first read.
    followed.schedule();
    return watcher;
  } catch (error) {
    followed.reportWatchError(error);
    return undefined;
  }
}

class FollowedConfig implements ConfigWatch {
  current: LoadedConfig;
  /** Undefined if the files cannot be watched. */
  readonly opened: Promise<Watcher | undefined>;
  readonly #options: LoadConfigOptions;
  readonly #changeListeners = new Set<ChangeListener>();
  readonly #problemListeners = new Set<ProblemListener>();
  #unheard: ContractError[] = [];
  #pending: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reloading: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: LoadConfigOptions) {
    this.#options = options;
    this.current = loadConfigSync(options);
    this.opened = openFor(this);
  }

  onChange(listener: ChangeListener): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  onProblem(listener: ProblemListener): () => void {
    this.#problemListeners.add(listener);
    for (const problem of this.#unheard.splice(0)) this.#report(problem);
    return () => this.#problemListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await (await this.opened)?.close();
    await this.#reloading;
  }

  schedule(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#reloading = this.#reloading.then(() => this.#reload());
    }, DEBOUNCE_MS).unref();
  }

  reportWatchError(cause: unknown): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The config files cannot be watched (${reason}). Restart after an edit, or free file watches.`;
    this.#report(new ContractError("INVALID_CONFIG", message, {}, { cause }));
  }

  async #reload(): Promise<void> {
    try {
      const next = await loadConfig(this.#options);
      if (!this.#closed) this.#take(next);
    } catch (error) {
      if (this.#closed) return;
      const problem = toProblem(error);
      if (problem.message === this.#pending) return;
      this.#pending = problem.message;
      this.#report(problem);
    }
  }

  #take(next: LoadedConfig): void {
    const changed = !isDeepStrictEqual(comparable(next), comparable(this.current));
    const repaired = this.#pending !== undefined;
    this.#pending = undefined;
    this.current = next;
    if (changed || repaired) notify(this.#changeListeners, next);
  }

  #report(problem: ContractError): void {
    if (this.#problemListeners.size === 0) this.#unheard = [problem];
    else notify(this.#problemListeners, problem);
  }
}

/** The parts of a configuration whose change a user would notice. */
function comparable({ settings, gateway }: LoadedConfig): unknown {
  const { http, merge, endpoints, upstreams = {}, settings: own = {} } = gateway ?? {};
  return [
    comparableSettings(settings),
    http,
    merge,
    endpoints,
    upstreams,
    Object.values(own).map(comparableSettings),
  ];
}

/** A line that moved changes nothing; a new source of a setting can. */
function comparableSettings({ origins = {}, ...settings }: Settings): unknown {
  return {
    ...settings,
    chosen: Object.entries(origins)
      .map(([path, { source }]) => `${path} ${source}`)
      .sort(),
  };
}

function toProblem(error: unknown): ContractError {
  if (ContractError.isInstance(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ContractError(
    "INVALID_CONFIG",
    `The configuration cannot be loaded: ${reason}`,
    {},
    { cause: error },
  );
}

/** One listener that throws must not keep the others from being called, nor end the process. */
function notify<Message>(listeners: ReadonlySet<(message: Message) => void>, message: Message): void {
  for (const listener of listeners) {
    try {
      listener(message);
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

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
async function openWatcher(
  paths: readonly string[],
  { onEvent, onError }: WatchHandlers,
): Promise<{ close(): Promise<void> }> {
  const { roots, relevant } = planWatch(paths);
  // Loaded here, so that the start does not wait for it.
  const { watch } = await import("chokidar");
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
