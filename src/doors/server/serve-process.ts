// What servers do to their process. SIGINT and SIGTERM end all of them in good order: calls that run come to their end, then
// it exits with 0. A reader of stderr that goes away does not end them.

import type { Log } from "../../engine/observe/log-event.ts";
import { logUncaught } from "./uncaught-errors.ts";

type Close = () => Promise<void>;

const running = new Set<Close>();
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof exitCodes;
const signals = Object.keys(exitCodes) as Signal[];
let isStopping = false;

function onSignal(signal: Signal): void {
  // Whoever asks twice does not want to wait.
  if (isStopping) process.exit(exitCodes[signal]);
  isStopping = true;
  // A program that listens for the signal itself decides when it ends.
  const isOurs = process.listenerCount(signal) === 1;
  void Promise.allSettled([...running].map((close) => close())).then(() => {
    isStopping = false;
    if (isOurs) leave();
  });
}

/** What was written gets out first. */
function leave(): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(0)));
}

const ignore = (): void => undefined;

/** Has a server closed when the process is asked to end; the function it gives back takes it off the list. */
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
