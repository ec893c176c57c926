import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { ErrorType } from "./error-types.ts";
import type { Fidelity } from "./fidelity.ts";
import type { Pagination } from "./pagination.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Telemetry } from "./telemetry.ts";
import type { UpgradeHint } from "./upgrade-hint.ts";
import type { WarningDetail } from "./warning.ts";

/** What travels beside the data. Every dialect is a way to write these down. */
export interface Notes {
  readonly requestId?: string;
  readonly warnings?: readonly WarningDetail[];
  readonly pagination?: Pagination;
  readonly rateLimit?: RateLimit;
  readonly telemetry?: Telemetry;
  readonly fidelity?: Fidelity;
  readonly upgradeHints?: readonly UpgradeHint[];
  readonly toolId?: string;
  readonly toolVersion?: string;
  readonly tier?: string;
  readonly capabilities?: readonly string[];
  /** Where a failure came from: handler, input, upstream, … */
  readonly provenance?: string;
  /** The author's own metadata keys. */
  readonly extra?: JsonObject;
}

/** Why a call failed, in words and in code. */
export interface Fault {
  readonly message: string;
  readonly code: string;
  readonly type: ErrorType | (string & {});
  readonly remediation?: string;
  readonly details?: JsonObject;
  /** Further keys for the failure's `data`, such as `retry_after_seconds`. */
  readonly data?: JsonObject;
}

export interface Success {
  readonly ok: true;
  readonly data: JsonValue;
  readonly notes: Notes;
}

export interface Failure {
  readonly ok: false;
  readonly fault: Fault;
  readonly notes: Notes;
}

/** The one model of a tool result; dialects render it and read it back. */
export type Outcome = Success | Failure;
