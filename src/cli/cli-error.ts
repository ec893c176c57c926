import type { ErrorCode } from "../core/contract/error-rows.ts";
import type { JsonObject } from "../core/json/json-value.ts";

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
