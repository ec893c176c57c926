import type { ErrorCode } from "../contract/error-rows.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Paint } from "./output/paint.ts";

export interface ReportFailure {
  readonly message: string;
  readonly errorCode: ErrorCode;
  readonly remediation?: string;
  readonly details?: JsonObject;
}

/** What a command found out. Commands print nothing themselves, so `--json` is one envelope by construction. */
export interface Report {
  readonly exitCode: ExitCode;
  /** The envelope's data; with a failure, what is added to the error's own. */
  readonly data: JsonObject;
  readonly failure?: ReportFailure;
  readonly warnings?: readonly WarningDetail[];
  /** The result for people, without the last line feed. */
  readonly text: (paint: Paint) => string;
  /** The result as it is, written in place of `text`: content that must not change by a single byte. */
  readonly raw?: Uint8Array;
  /** Lines for stderr: what is worth knowing but is not the result. */
  readonly remarks?: readonly string[];
}
