#!/usr/bin/env node
import * as nodeModule from "node:module";
import { isatty } from "node:tty";
import { readVersion } from "./cli-io.ts";

// A reader that closed the pipe, as `head` does, needs no more output.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`waybill: cannot write to stdout (${error.code ?? error.message})\n`);
  process.exit(1);
});
process.stderr.on("error", () => undefined);

let stopRunning: (() => void) | undefined;

/** A command with unfinished work is asked to stop once; a second signal ends it at once. */
function onSignal(exitCode: number): void {
  const stop = stopRunning;
  stopRunning = undefined;
  if (stop === undefined) process.exit(exitCode);
  stop();
}
process.on("SIGINT", () => onSignal(130));

/** If there is nothing to finish, SIGTERM ends the process by itself. */
function takeOver(stop: () => void): void {
  if (process.listenerCount("SIGTERM") === 0) process.on("SIGTERM", () => onSignal(143));
  stopRunning = stop;
}

/** Node from 22.8 on caches compiled code in the system's temporary folder: the next start is a tenth faster. */
function keepCompiled(): void {
  const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
}

/** Commands that load modules of other authors, or that wait for a line that may never be typed. */
const loading: ReadonlySet<string> = new Set(["lint", "docs", "login"]);

/** The version alone needs no commands: their declarations are not even loaded. */
async function run(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    process.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  keepCompiled();
  const command = args.find((arg) => !arg.startsWith("-"));
  // What a module opened while it was loaded must not keep a finished command alive.
  if (command !== undefined && loading.has(command)) return leave(await runAll());
  if (args[0] !== "gateway") return runAll();
  const { dropEarlyServer, startEarly } = await import("./early-server.ts");
  await startEarly(args);
  try {
    const exitCode = await runAll();
    await dropEarlyServer();
    return await leave(exitCode);
  } finally {
    await dropEarlyServer();
  }
}

/** A client that keeps our stdin open must not keep a finished gateway alive; pending output is written first. */
function leave(exitCode: number): Promise<never> {
  return new Promise(() => {
    process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode)));
  });
}

async function runAll(): Promise<number> {
  const { runCli } = await import("./run.ts");
  return runCli(process.argv, {
    // Opened only when a command reads it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    isTTY: { stdin: isatty(0), stdout: isatty(1), stderr: isatty(2) },
    columns: process.stdout.columns,
    onStop: takeOver,
  });
}

/** Node's code for a program that ends while it still waits. */
const UNFINISHED = 13;
process.exitCode = UNFINISHED;
// exitCode rather than exit(): pending output to a pipe is still written. Without a top-level `await`: with one,
// rolldown makes one more file for each module that is loaded later.
void run().then((exitCode) => (process.exitCode = exitCode));
