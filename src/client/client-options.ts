import { ContractError } from "../contract/contract-error.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import type { WarningDetail } from "../contract/warning.ts";
import type { Answer, Called } from "./answer.ts";
import type { ResponseError } from "../contract/response-error.ts";
import type { RetryOptions } from "./retry-policy.ts";
import type { DataSchema } from "./tool-types.ts";

/** One line for a log. A server in the profile `minimal` names the id of a success only if the call was given one. */
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
  /** The id of this call in the log of the server, and in its answer: 1 to 128 letters, digits, `_` or `-`. */
  readonly requestId?: string;
  /** What fetching what was left out may take, in bytes. Default: the client's own. */
  readonly maxArchiveBytes?: number;
}

/** How to fetch what was left out; `timeoutMs` is the time for all of it, however many requests that takes. */
export type CompleteOptions = Pick<CallOptions, "signal" | "timeoutMs" | "maxArchiveBytes">;

/** How to ask: the time is for all of the answer's pages, and a schema says what it must look like. */
export interface AskOptions extends CompleteOptions {
  /** A Standard Schema: `data` is what it gives, or the call fails with NOT_AS_ASKED. */
  readonly schema?: DataSchema;
}

/** What an option must be: a number has a least value, "" is looked at on its own. */
type Kinds<Options> = Readonly<Record<keyof Options, number | "string" | "boolean" | "function" | "">>;

const clientKinds: Kinds<ClientOptions> = {
  budget: "",
  dialect: "string",
  profile: "string",
  retry: "",
  strict: "boolean",
  strictWarnings: "boolean",
  onWarning: "function",
  onConflict: "function",
  onCall: "function",
  timeoutMs: 1,
  maxArchiveBytes: 1,
  now: "function",
  random: "function",
  wait: "function",
};
const retryKinds: Kinds<RetryOptions> = { attempts: 1, baseMs: 0, maxMs: 0, budgetMs: 0, repeat: "" };

function refuse(option: string, value: unknown, advice: string): never {
  const message = `contractClient: "${option}" is ${JSON.stringify(value)}. ${advice}.`;
  throw new ContractError("INVALID_OPTION", message, { option });
}

function check(path: string, given: object, kinds: Readonly<Record<string, number | string>>): void {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined)
      refuse(path + name, value, `There is no such option: choose one of ${Object.keys(kinds).join(", ")}`);
    const isLeast = typeof kind === "number";
    if (value === undefined || kind === "" || typeof value === kind) continue;
    if (!isLeast || typeof value !== "number" || !(value >= kind))
      refuse(path + name, value, `Write a ${isLeast ? `number of at least ${kind}` : kind}`);
  }
}

/**
 * Checks options for callers without types: otherwise a misspelt one would be ignored silently. Written out, because
 * a page that calls tools loads no schemas.
 */
export function checkClientOptions(options: ClientOptions): void {
  check("", options, clientKinds);
  const { budget = 1, retry = {} } = options;
  if (budget !== "server" && budget !== "off" && !(budget >= 1))
    refuse("budget", budget, 'Write "server", "off", or a number of at least 1');
  if (retry === false) return;
  if (typeof retry !== "object" || retry === null) refuse("retry", retry, "Write an object, or false");
  check("retry.", retry, retryKinds);
}
