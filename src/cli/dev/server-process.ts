// The process of a server under development: started with `node`, asked to end before the next one starts.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { relayLines } from "../../engine/transport/relay-lines.ts";

export interface ServerCommand {
  /** What follows `node`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears what the server writes to stderr, and to stdout where nobody speaks MCP with it. */
  readonly say: (line: string) => void;
}

/** How long a server may take to end once it was asked to; then it is ended. */
const END_MS = 5_000;

/** What is said of a server that ended without being asked to. */
export function describeLoss(how: string): string {
  const hint = how.endsWith("exit code 0") ? " Does the module call serve()?" : "";
  return `the server ${how}; it is started again when a file changes.${hint}`;
}

export class ServerProcess {
  /** Resolves when it is gone, with how it ended. */
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
    // A process that ended before it read everything is told of by `ended`.
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
      // "close" rather than "exit": what it wrote last has been read then.
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

  /** Whether it ends because it was asked to. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Asks it to end, and waits until it has. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.kill("SIGTERM");
    const force = setTimeout(() => this.#child.kill("SIGKILL"), END_MS);
    await this.ended;
    clearTimeout(force);
  }
}
