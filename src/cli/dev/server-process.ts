// The process of a server under development: started with `node`, asked to end before the next one starts.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { relayLines } from "../../engine/transport/relay-lines.ts";

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
export function describeLoss(how: string): string {
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
