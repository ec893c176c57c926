// What servers change in their process. SIGINT and SIGTERM stop all servers in order: running calls finish, then the
// process exits with 0. The servers keep running if the reader of stderr goes away.

import type { Log } from "../../engine/observe/log-event.ts";
import { logUncaught } from "./uncaught-errors.ts";

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
