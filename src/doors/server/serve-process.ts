// What servers change in their process. SIGINT and SIGTERM stop all servers in order: running calls finish, then the
// process exits with 0. The servers keep running if the reader of stderr goes away.

import type { Log } from "../../engine/observe/log-event.ts";
import { writeSync } from "node:fs";
import { ContractError } from "../../core/contract/contract-error.ts";

type Close = () => Promise<void>;

const running = new Set<Close>();
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;
const signals = Object.keys(exitCodes) as Signal[];
let isStopping = false;

function onSignal(signal: Signal): void {
  // A second signal means that the user does not want to wait.
  if (isStopping) process.exit(exitCodes[signal]);
  isStopping = true;
  // A program with its own listener for the signal decides when the process ends.
  const isOurs = process.listenerCount(signal) === 1;
  void Promise.allSettled([...running].map((close) => close())).then(() => {
    isStopping = false;
    if (isOurs) leave();
  });
}

/** Written output is flushed first. */
function leave(): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(0)));
}

const ignore = (): void => undefined;

/** Closes a server when the process is asked to end. Returns a function that removes the server from the list. */
export function runInProcess(close: Close, log: Log): () => void {
  if (running.size === 0) {
    for (const signal of signals) process.on(signal, onSignal);
    process.stderr.on("error", ignore);
  }
  running.add(close);
  const endLogging = logUncaught(log);
  return () => {
    endLogging();
    running.delete(close);
    if (running.size > 0) return;
    for (const signal of signals) process.off(signal, onSignal);
    process.stderr.off("error", ignore);
  };
}

/** Reloads on SIGHUP, if the server can. Returns a function that stops this. */
export function reloadOnSignal(reload: () => Promise<void>, log: Log): () => void {
  const onHangUp = (): void =>
    void reload().catch((error: unknown) => log.error("serve-reload-failed", { err: error }));
  process.on("SIGHUP", onHangUp);
  return () => process.off("SIGHUP", onHangUp);
}

// What is printed for uncaught errors before they end the process. Node prints an error with the line of source that
// threw it; for a mistake such as a wrong port, the sentence alone is enough.

/** Errors that kept a server from starting; a thrown error is in the author's hands, so nothing is written on it. */
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
function logUncaught(log: Log): () => void {
  logs.add(log);
  listen();
  return () => {
    logs.delete(log);
    if (logs.size > 0 || hasRefused) return;
    process.off("uncaughtExceptionMonitor", onUncaught);
    isListening = false;
  };
}
