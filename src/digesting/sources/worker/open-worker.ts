import type * as AsyncHooks from "node:async_hooks";
import type * as Fs from "node:fs";
import type * as Threads from "node:worker_threads";
import { READY } from "./worker-messages.ts";

export type DocumentWorker = Threads.Worker;

/** Where the worker's file stands, seen from this module: in the package beside it or one folder up; in the source tree. */
const PLACES = ["./document-worker.js", "../document-worker.js", "./document-worker.source.mjs"];

/** Some 20 times what a long book takes. The buffers of a PDF are not part of it: they are limited by the reader. */
const MAX_HEAP_MIB = 512;

interface BuiltIns {
  readonly "node:async_hooks": typeof AsyncHooks;
  readonly "node:fs": typeof Fs;
  readonly "node:worker_threads": typeof Threads;
}

/** A built-in module of Node; undefined elsewhere. It is asked for at run time, so that a browser's bundle names none. */
export function builtIn<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined {
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

function create(): DocumentWorker | undefined {
  const threads = builtIn("node:worker_threads");
  const file = findFile();
  if (threads === undefined || file === undefined) return undefined;
  return new threads.Worker(file, {
    name: "waybill-documents",
    // Hooks of the program are not for this thread. What reads the files of strangers gets no secrets either, and no
    // way to a server's stdout.
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
}

/** A worker that is ready to read; undefined where none can be had: no Node, no file, no permission. */
export async function openWorker(): Promise<DocumentWorker | undefined> {
  try {
    const worker = create();
    if (worker === undefined) return undefined;
    // What fails in a worker that reads nothing at the moment must not end this process.
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
