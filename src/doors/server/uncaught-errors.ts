// What is said of errors that nobody catches, before they end the process. Node prints an error with the line of source
// that made it; whoever starts a server with a wrong port needs the sentence alone.

import { writeSync } from "node:fs";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { Log } from "../../engine/observe/log-event.ts";

/** Why a server did not start. */
const refusals = new WeakSet<object>();
/** The logs of the servers that run. */
const logs = new Set<Log>();

/** A monitor changes nothing: an error that is none of ours ends the process as it always does. */
function onUncaught(error: unknown, origin: string): void {
  const isRefusal = ContractError.isInstance(error) && refusals.has(error);
  if (!isRefusal) {
    for (const log of logs) log.error("serve-error", { err: error, origin });
    return;
  }
  // A program that has a way of its own to end decides what is said.
  if (process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  try {
    writeSync(2, `${error.message}\n`);
  } catch {
    // Nobody reads stderr; the exit code tells.
  }
  process.exit(1);
}

let isListening = false;
let hasRefused = false;

function listen(): void {
  if (!isListening) process.on("uncaughtExceptionMonitor", onUncaught);
  isListening = true;
}

/** Has an error said in one sentence if the program lets it end the process. */
export function tellRefusal(error: unknown): void {
  if (!ContractError.isInstance(error)) return;
  refusals.add(error);
  hasRefused = true;
  listen();
}

/** Has a server's log told of errors that end the process; the function it gives back ends that. */
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
