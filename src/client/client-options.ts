import { ContractError } from "../contract/contract-error.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { Answer, Called } from "./answer.ts";
import type { ResponseError } from "../contract/response-error.ts";
import type { RetryOptions } from "./retry-policy.ts";

/** One line for a log: every call has its request id, whether it failed or not. */
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
  /** The dialect to ask for. `response-v1` also decides how results are read that do not name theirs. */
  readonly dialect?: DialectId;
  readonly profile?: string;
  readonly retry?: RetryOptions | false;
  /** Refuse a response that breaks any rule of the contract, SHOULD too. */
  readonly strict?: boolean;
  /** Warnings of severity error are thrown. */
  readonly strictWarnings?: boolean;
  readonly onWarning?: (warning: WarningDetail, answer: Answer) => void;
  /** Called on a conflict; return "retry" once the conflict is resolved. */
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

/** How to fetch what was left out; `timeoutMs` is the time for all of it, however many requests that takes. */
export type CompleteOptions = Pick<CallOptions, "signal" | "timeoutMs" | "maxArchiveBytes">;

const known: Readonly<Record<keyof ClientOptions, true>> = {
  budget: true,
  dialect: true,
  profile: true,
  retry: true,
  strict: true,
  strictWarnings: true,
  onWarning: true,
  onConflict: true,
  onCall: true,
  timeoutMs: true,
  maxArchiveBytes: true,
  now: true,
  random: true,
  wait: true,
};
const knownRetry: Readonly<Record<keyof RetryOptions, true>> = {
  attempts: true,
  baseMs: true,
  maxMs: true,
  budgetMs: true,
  repeat: true,
};

function refuse(message: string): never {
  throw new ContractError("INVALID_OPTION", message);
}

function checkKeys(owner: string, value: object, names: object): void {
  const stray = Object.keys(value).find((key) => !Object.hasOwn(names, key));
  if (stray !== undefined)
    refuse(`${owner} has no option "${stray}": choose one of ${Object.keys(names).join(", ")}.`);
}

function checkNumber(name: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  refuse(`${name} is ${JSON.stringify(value)}: give a number of at least ${least}.`);
}

/** Checks options for callers without types: otherwise a misspelt one would be ignored silently. */
export function checkClientOptions(options: ClientOptions): void {
  checkKeys("contractClient", options, known);
  checkNumber("timeoutMs", options.timeoutMs, 1);
  checkNumber("maxArchiveBytes", options.maxArchiveBytes, 1);
  const { retry = {} } = options;
  if (retry === false) return;
  if (typeof retry !== "object")
    refuse("retry is not an object: give { attempts, baseMs, maxMs, budgetMs, repeat }, or false.");
  checkKeys("retry", retry, knownRetry);
  checkNumber("retry.attempts", retry.attempts, 1);
  for (const key of ["baseMs", "maxMs", "budgetMs"] as const) checkNumber(`retry.${key}`, retry[key], 0);
}
