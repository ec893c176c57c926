// A thread for work on untrusted input: it can be ended at any time, and only its own work is lost.

import type * as Threads from "node:worker_threads";
import { builtIn } from "./built-in.ts";

export type WorkerThread = Threads.Worker;

/** The threads that do one kind of work. */
export interface ThreadKind {
  /** The name of the entry file without its ending, and of the thread. */
  readonly file: string;
  /**
   * `import.meta.url` of the module that is in the same folder as the file. A bundler may leave none, or one
   * that is not a file.
   */
  readonly here: string | undefined;
  /**
   * Recognises the first message of a thread: a thread that never sends it is not ours, or could not load its
   * modules.
   */
  readonly isReady: (message: unknown) => boolean;
}

/** Searched for once: every cut asks whether there is a file. */
const found = new Map<ThreadKind, URL | undefined>();

function fileOf(kind: ThreadKind): URL | undefined {
  if (!found.has(kind)) found.set(kind, findFile(kind));
  return found.get(kind);
}

/** In the package: beside the module or one folder up; or in the source tree. */
function findFile({ file, here = "" }: ThreadKind): URL | undefined {
  const fs = builtIn("node:fs");
  if (fs === undefined || !here.startsWith("file:")) return undefined;
  const places = [`./${file}.js`, `../${file}.js`, `./${file}.source.mjs`];
  return places.map((place) => new URL(place, here)).find((url) => fs.existsSync(url));
}

/** Whether a thread can probably be started here, without starting one. */
export function mayOpenThread(kind: ThreadKind): boolean {
  return fileOf(kind) !== undefined && builtIn("node:worker_threads") !== undefined;
}

function create(kind: ThreadKind, heapMib: number): WorkerThread | undefined {
  const threads = builtIn("node:worker_threads");
  const file = fileOf(kind);
  if (threads === undefined || file === undefined) return undefined;
  return new threads.Worker(file, {
    name: `waybill-${kind.file}`,
    // Hooks of the program must not run in this thread. It also gets no secrets, and no access to a server's stdout.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
  });
}

/** How long a thread may take until it is ready. */
const START_TIMEOUT_MS = 20_000;

/** A thread that is ready to work; undefined if none can be started: no Node, no file, no permission, no time. */
export async function openThread(kind: ThreadKind, heapMib: number): Promise<WorkerThread | undefined> {
  try {
    const worker = create(kind, heapMib);
    if (worker === undefined) return undefined;
    // An error in an idle thread must not end this process.
    worker.on("error", () => undefined);
    return await new Promise((resolve) => {
      const settle = (isReady: boolean): void => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
        if (isReady) return resolve(worker);
        void worker.terminate();
        resolve(undefined);
      };
      const onMessage = (message: unknown): void => settle(kind.isReady(message));
      const onEnd = (): void => settle(false);
      const timer = setTimeout(onEnd, START_TIMEOUT_MS);
      worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    });
  } catch {
    return undefined;
  }
}
