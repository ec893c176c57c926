import type { ErrorCode } from "../core/contract/error-registry.ts";
import type { JsonObject } from "../core/json/json-value.ts";
import { homedir } from "node:os";
import type { Machine } from "../doors/gateway/state-folder.ts";
import { createRequire } from "node:module";

/** All parts of the process that the command line uses, so that a test can replace them. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly columns?: number | undefined;
  /**
   * A command that runs until it is stopped handles Ctrl-C and SIGTERM itself, to finish its work. A second signal ends
   * the process at once. Undefined if there are no signals.
   */
  readonly onStop?: ((stop: () => void) => void) | undefined;
}

interface TextSink {
  write(text: string | Uint8Array): unknown;
}

/** The meaning of a command's exit code to a script; pinned by a test and by docs/cli.md. */
export const exitCodes = { fine: 0, violated: 1, usage: 2, unreachable: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "fine",
  1: "contract violated, or the operation failed",
  2: "wrong usage, configuration or input file",
  3: "upstream unreachable",
};

export interface CliErrorOptions {
  readonly exitCode?: ExitCode | undefined;
  readonly errorCode?: ErrorCode | undefined;
  /** What to do about it; printed on a separate line. */
  readonly remediation?: string | undefined;
  readonly details?: JsonObject | undefined;
  /** Further lines for people, one for each finding. */
  readonly lines?: readonly string[] | undefined;
}

/** A command cannot do what was requested: one line for people, a code for programs, an exit code for scripts. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly errorCode: ErrorCode;
  readonly remediation: string | undefined;
  readonly details: JsonObject | undefined;
  readonly lines: readonly string[];

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message);
    this.exitCode = options.exitCode ?? exitCodes.usage;
    this.errorCode = options.errorCode ?? "INVALID_FORMAT";
    this.remediation = options.remediation;
    this.details = options.details;
    this.lines = options.lines ?? [];
  }
}

/** The machine as the command line sees it: with the environment in `io`, which a test can replace. */
export function machineOf({ env }: Pick<CliIo, "env">): Machine {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? homedir();
  return { platform: process.platform, env, home: home === "" ? undefined : home };
}

interface PackageFile {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The package.json of this package, found by the package's name: a build may put this module anywhere. */
export function readPackage(): PackageFile {
  return createRequire(import.meta.url)("waybill/package.json") as PackageFile;
}

export function readVersion(): string {
  return readPackage().version;
}
