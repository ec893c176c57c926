import type { WarningDetail } from "../contract/warning.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import type { Answer, Called } from "./answer.ts";
import type { ResponseError } from "./response-error.ts";
import type { RetryOptions } from "./retry-policy.ts";

/** One line for a log: every call has its request id, whatever became of it. */
export interface CallLog extends Called {
  readonly requestId: string | undefined;
  readonly ok: boolean;
  readonly errorCode: string | undefined;
  readonly attempt: number;
  readonly durationMs: number;
  readonly fidelity: Answer["fidelity"] | undefined;
}

export interface ClientOptions {
  /** What a result may cost: what the server says, a number of tokens, or everything where the server allows it. */
  readonly budget?: "server" | "off" | number;
  readonly dialect?: DialectId;
  readonly profile?: string;
  readonly retry?: RetryOptions | false;
  /** Refuse a response that breaks any rule of the contract, SHOULD too. */
  readonly strict?: boolean;
  /** Warnings of severity error are thrown. */
  readonly strictWarnings?: boolean;
  readonly onWarning?: (warning: WarningDetail, answer: Answer) => void;
  /** Asked when the state forbids a call; "retry" once it is put right. */
  readonly onConflict?: (
    error: ResponseError,
    called: Called,
  ) => "retry" | "fail" | Promise<"retry" | "fail">;
  readonly onCall?: (log: CallLog) => void;
  readonly timeoutMs?: number;
  /** What complete() and retrieve() fetch at most, in bytes. Default: 268,435,456 (256 MiB). */
  readonly maxArchiveBytes?: number;
  /** For tests: the clock, and what makes pauses differ. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Fetch what was left out before the answer is given. */
  readonly complete?: boolean;
  /** This call may be repeated though its tool does not say so. */
  readonly repeatable?: boolean;
  readonly budget?: ClientOptions["budget"];
  readonly idempotencyKey?: string;
  readonly requestId?: string;
  /** What fetching what was left out may take, in bytes. Default: the client's own. */
  readonly maxArchiveBytes?: number;
}

/** How what was left out is fetched; `timeoutMs` is for all of it, however many requests that takes. */
export type CompleteOptions = Pick<CallOptions, "signal" | "timeoutMs" | "maxArchiveBytes">;
