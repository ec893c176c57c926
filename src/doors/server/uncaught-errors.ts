// What is printed for uncaught errors before they end the process. Node prints an error with the line of source that
// threw it; for a mistake such as a wrong port, the sentence alone is enough.

import { writeSync } from "node:fs";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { Log } from "../../engine/observe/log-event.ts";

/** Errors that kept a server from starting. */
const refusals = new WeakSet<object>();
/** The logs of the running servers. */
const logs = new Set<Log>();

/** The monitor changes nothing for foreign errors: they end the process as usual. */
function onUncaught(error: unknown, origin: string): void {
  const isRefusal = ContractError.isInstance(error) && refusals.has(error);
  if (!isRefusal) {
    for (const log of logs) log.error("serve-error", { err: error, origin });
    return;
  }
  // A program with its own way to end decides what is printed.
  if (process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  try {
    writeSync(2, `${error.message}\n`);
  } catch {
    // stderr has no reader; the exit code shows the failure.
  }
  process.exit(1);
}

let isListening = false;
let hasRefused = false;

function listen(): void {
  if (!isListening) process.on("uncaughtExceptionMonitor", onUncaught);
  isListening = true;
}

/** Prints a refusal as one sentence if the program lets it end the process. */
export function tellRefusal(error: unknown): void {
  if (!ContractError.isInstance(error)) return;
  refusals.add(error);
  hasRefused = true;
  listen();
}

/** Logs errors that end the process. Returns a function that stops this. */
export function logUncaught(log: Log): () => void {
  logs.add(log);
  listen();
  return () => {
    logs.delete(log);
    if (logs.size > 0 || hasRefused) return;
    process.off("uncaughtExceptionMonitor", onUncaught);
    isListening = false;
  };
}
