// The process of a server under development: started with `node`, asked to end before the next one starts.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { relayLines } from "../../engine/transport/relay-lines.ts";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../cli-io.ts";

export interface ServerCommand {
  /** The arguments after `node`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives what the server writes to stderr, and to stdout if it does not carry MCP. */
  readonly say: (line: string) => void;
}

/** How long a server may take to end after it was asked to; then it is killed. */
const END_MS = 5_000;

/** The message about a server that ended by itself. */
export function describeServerEnd(how: string): string {
  const hint = how.endsWith("exit code 0") ? " Does the module call serve()?" : "";
  return `the server ${how}; it is started again when a file changes.${hint}`;
}

export class ServerProcess {
  /** Resolves when the process is gone, with how it ended. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #isStopping = false;

  constructor({ args, cwd, env, say }: ServerCommand) {
    const child = spawn(process.execPath, [...args], {
      cwd,
      env: { ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    relayLines(child.stderr, say);
    // If the process ends before it has read everything, `ended` reports that.
    child.stdin.on("error", () => undefined);
    const endWithUs = (): void => void child.kill("SIGKILL");
    process.once("exit", endWithUs);
    this.ended = new Promise((resolve) => {
      const end = (how: string): void => {
        process.off("exit", endWithUs);
        resolve(how);
      };
      child.once("error", (error: NodeJS.ErrnoException) =>
        end(`could not be started (${error.code ?? ""})`),
      );
      // "close" rather than "exit": by then its last output has been read.
      child.once("close", (code, signal) =>
        end(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
      );
    });
  }

  get input(): Writable {
    return this.#child.stdin as Writable;
  }

  get output(): Readable {
    return this.#child.stdout as Readable;
  }

  /** Whether the process ends because it was asked to. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Asks the process to end, and waits until it has. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.kill("SIGTERM");
    const force = setTimeout(() => this.#child.kill("SIGKILL"), END_MS);
    await this.ended;
    clearTimeout(force);
  }
}

// A server over HTTP under development. Its sessions are not kept: requests of the current protocol need none, and
// connections are refused while a new process starts.

export interface HttpKeeperOptions {
  readonly start: () => ServerProcess;
  readonly say: (line: string) => void;
  /** Reports events to the developer of the server. */
  readonly note: (text: string) => void;
}

export class HttpKeeper {
  /** Never resolves: an HTTP server runs until it is closed. */
  readonly left: Promise<void> = new Promise(() => undefined);
  readonly #options: HttpKeeperOptions;
  #process: ServerProcess;
  #isClosed = false;

  constructor(options: HttpKeeperOptions) {
    this.#options = options;
    this.#process = this.#start();
  }

  /** Waits until the old process has ended, because it holds the port. */
  async restart(): Promise<void> {
    await this.#process.stop();
    if (!this.#isClosed) this.#process = this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process.stop();
  }

  #start(): ServerProcess {
    const started = this.#options.start();
    relayLines(started.output, this.#options.say);
    started.input.end();
    void started.ended.then((how) => {
      if (!started.isStopping) this.#options.note(describeServerEnd(how));
    });
    return started;
  }
}

/** A free port, so that the address stays the same after a restart. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** One restart at a time. Any number of requests during a restart cause one more restart. */
export class Restarts {
  readonly #restart: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isAskedAgain = false;
  #count = 0;

  constructor(restart: () => Promise<void>) {
    this.#restart = restart;
  }

  get count(): number {
    return this.#count;
  }

  ask(): void {
    this.#isAskedAgain = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Resolves when no restart runs. */
  async done(): Promise<void> {
    this.#isAskedAgain = false;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      this.#count += 1;
      await this.#restart();
    }
  }
}

// How Node starts a module: JavaScript directly; TypeScript with the project's own tsx, or by Node itself if it can.

const typeScript: ReadonlySet<string> = new Set([".ts", ".mts", ".cts", ".tsx"]);
const javaScript: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs"]);

/** The loader of the tsx installed beside the module; undefined if there is none. */
function tsxBeside(module: string): string | undefined {
  try {
    return pathToFileURL(createRequire(module).resolve("tsx")).href;
  } catch {
    return undefined;
  }
}

/** Node from 22.18 on runs TypeScript itself. */
function readsTypeScript(): boolean {
  const { typescript } = process.features as { readonly typescript?: string | false };
  return typescript !== undefined && typescript !== false;
}

function refuseUnstartable(module: string, cwd: string): void {
  const shown = relative(cwd, module) || module;
  const found = statSync(module, { throwIfNoEntry: false });
  if (found === undefined) throw new CliError(`There is no file ${shown}.`, { errorCode: "NOT_FOUND" });
  if (!found.isFile())
    throw new CliError(`${shown} is not a file.`, { remediation: "Name the file that starts the server." });
  if (!typeScript.has(extname(module)) && !javaScript.has(extname(module)))
    throw new CliError(`${shown} is neither JavaScript nor TypeScript.`, {
      remediation: `Name a file that ends in ${[...typeScript, ...javaScript].join(", ")}.`,
    });
}

/** The arguments of `node` that start this module; throws if it cannot be started. */
export function nodeArguments(module: string, cwd: string): readonly string[] {
  refuseUnstartable(module, cwd);
  if (!typeScript.has(extname(module))) return [module];
  const loader = tsxBeside(module);
  if (loader !== undefined) return ["--import", loader, module];
  if (readsTypeScript()) return [module];
  throw new CliError(`Node ${process.versions.node} cannot read TypeScript by itself.`, {
    remediation: "Run `npm install tsx` in the project, or use Node 22.18 or newer.",
  });
}

// What a server under development prints if it cannot start because of its code or settings: one sentence. Node would
// print the line of our source that threw the error, and a stack trace into our code.

/** Runs in the server's process before its module, so it is text; it does not affect any other error. */
const program = `
process.on("uncaughtExceptionMonitor", (error) => {
  if (typeof error !== "object" || error === null || !(Symbol.for("waybill.ContractError") in error)) return;
  if (process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  process.stderr.write(error.message + "\\n");
  process.exit(1);
});
`;

/** The arguments after `node` that reduce an error of a contract to one sentence. */
export const sentenceAlone = ["--import", `data:text/javascript,${encodeURIComponent(program)}`] as const;
