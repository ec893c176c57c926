import type * as Fs from "node:fs";
import type * as Threads from "node:worker_threads";
import { READY } from "./question-messages.ts";

export type QuestionWorker = Threads.Worker;

/** Where the worker's file stands, seen from this module: in the package beside it or one folder up; in the source tree. */
const PLACES = ["./question-worker.js", "../question-worker.js", "./question-worker.source.mjs"];

interface BuiltIns {
  readonly "node:fs": typeof Fs;
  readonly "node:worker_threads": typeof Threads;
}

/** A built-in module of Node; undefined elsewhere. It is asked for at run time, so that a browser's bundle names none. */
function builtIn<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as BuiltIns[Name] | undefined;
}

function findFile(): URL | undefined {
  const fs = builtIn("node:fs");
  // A bundler may leave no address of this module, or one that is not a file.
  const here: string | undefined = import.meta.url;
  if (fs === undefined || !(here ?? "").startsWith("file:")) return undefined;
  return PLACES.map((place) => new URL(place, here)).find((url) => fs.existsSync(url));
}

let hasFile: boolean | undefined;

/** Whether a worker could be started here, as far as that can be told without starting one. */
export function mayOpenWorker(): boolean {
  hasFile ??= findFile() !== undefined;
  return hasFile && builtIn("node:worker_threads") !== undefined;
}

function create(heapMib: number): QuestionWorker | undefined {
  const threads = builtIn("node:worker_threads");
  const file = findFile();
  if (threads === undefined || file === undefined) return undefined;
  return new threads.Worker(file, {
    name: "waybill-questions",
    // Hooks of the program are not for this thread. What evaluates the expressions of strangers gets no secrets, and no
    // way to a server's stdout.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
  });
}

/** A worker that is ready to answer; undefined where none can be had: no Node, no file, no permission. */
export async function openWorker(heapMib: number): Promise<QuestionWorker | undefined> {
  try {
    const worker = create(heapMib);
    if (worker === undefined) return undefined;
    // What fails in a worker that answers nothing at the moment must not end this process.
    worker.on("error", () => undefined);
    return await new Promise((resolve) => {
      const settle = (isReady: boolean): void => {
        worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
        if (isReady) return resolve(worker);
        void worker.terminate();
        resolve(undefined);
      };
      const onMessage = (message: Partial<typeof READY>): void => settle(message.name === READY.name);
      const onEnd = (): void => settle(false);
      worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    });
  } catch {
    return undefined;
  }
}
