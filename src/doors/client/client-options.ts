import { ContractError } from "../../core/contract/contract-error.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import type { Answer, Called } from "./answer.ts";
import type { ResponseError } from "../../core/contract/response-error.ts";
import type { RetryOptions } from "./retry-policy.ts";
import type { DataSchema, TypedCallOptions } from "./tool-types.ts";
import type { ItemOptions } from "./walk-items.ts";
import type { PageWalkOptions } from "./walk-pages.ts";

/** One line for a log. A server in the profile `minimal` repeats the id of a success only if the call had an id. */
export interface CallLog extends Called {
  readonly requestId: string | undefined;
  readonly ok: boolean;
  readonly errorCode: string | undefined;
  readonly attempt: number;
  readonly durationMs: number;
  readonly fidelity: Answer["fidelity"] | undefined;
}

export interface ClientOptions {
  /** The budget of a result: the server's own, a number of tokens, or no limit if the server allows that. */
  readonly budget?: "server" | "off" | number;
  /** The dialect to ask for. `response-v1` also decides how results are read that do not name their dialect. */
  readonly dialect?: DialectId;
  readonly profile?: string;
  readonly retry?: RetryOptions | false;
  /** Refuse a response that breaks any rule of the contract, including SHOULD rules. */
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
  /** The most that complete() and retrieve() fetch, in bytes. Default: 268,435,456 (256 MiB). */
  readonly maxArchiveBytes?: number;
  /** For tests: the clock, and the source of random pauses. */
  readonly now?: () => number;
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Fetch omitted content before the answer is returned. */
  readonly complete?: boolean;
  /** This call may be repeated although its tool does not declare that. */
  readonly repeatable?: boolean;
  readonly budget?: ClientOptions["budget"];
  readonly idempotencyKey?: string;
  /** The id of this call in the server's log and in its answer: 1 to 128 letters, digits, `_` or `-`. */
  readonly requestId?: string;
  /** The most bytes that fetching omitted content may take. Default: the client's own. */
  readonly maxArchiveBytes?: number;
}

/** How to fetch omitted content; `timeoutMs` is the time for all requests together. */
export type CompleteOptions = Pick<CallOptions, "signal" | "timeoutMs" | "maxArchiveBytes">;

/** How to ask: the time covers all pages of the answer, and a schema describes it. */
export interface AskOptions extends CompleteOptions {
  /** A Standard Schema: `data` is its output, or the call fails with NOT_AS_ASKED. */
  readonly schema?: DataSchema;
}

/** The kind of each option: a number is the least value allowed, "" marks an option with its own check. */
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

const OWNER = "contractClient";

const fetchKinds = { signal: "", timeoutMs: 0, maxArchiveBytes: 0 } as const;
const callKinds = {
  ...fetchKinds,
  complete: "boolean",
  repeatable: "boolean",
  budget: "",
  idempotencyKey: "string",
  requestId: "string",
} as const;
const pageKinds = { ...callKinds, from: "string", maxPages: 0 } as const;

/** The options of each method of the client. */
const methodKinds = {
  call: { ...callKinds, schema: "", select: "string" },
  pages: pageKinds,
  items: { ...pageKinds, path: "string" },
  complete: fetchKinds,
  retrieve: { ...fetchKinds, idPath: "string" },
  ask: { ...fetchKinds, schema: "" },
} as const satisfies {
  readonly call: Kinds<TypedCallOptions>;
  readonly pages: Kinds<PageWalkOptions>;
  readonly items: Kinds<ItemOptions>;
  readonly complete: Kinds<CompleteOptions>;
  readonly retrieve: Kinds<CompleteOptions & { readonly idPath?: string }>;
  readonly ask: Kinds<AskOptions>;
};

function refuse(owner: string, option: string, value: unknown, advice: string): never {
  const message = `${owner}: "${option}" is ${JSON.stringify(value)}. ${advice}.`;
  throw new ContractError("INVALID_OPTION", message, { option });
}

const plain = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

function adviseOn(name: string, known: readonly string[]): string {
  const meant = known.find((one) => plain(one) === plain(name));
  const advice = meant === undefined ? `choose one of ${known.join(", ")}` : `write "${meant}"`;
  return `There is no such option: ${advice}`;
}

function check(
  owner: string,
  path: string,
  given: object,
  kinds: Readonly<Record<string, number | string>>,
): void {
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (value === undefined || kind === "" || typeof value === kind) continue;
    if (kind === undefined) refuse(owner, path + name, value, adviseOn(name, Object.keys(kinds)));
    const isLeast = typeof kind === "number";
    if (!isLeast || typeof value !== "number" || !(value >= kind))
      refuse(owner, path + name, value, `Write a ${isLeast ? `number of at least ${kind}` : kind}`);
  }
}

/** Checks the options of one call like those of the client. */
export function checkCallOptions(method: keyof typeof methodKinds, options: object): void {
  check(`${method}()`, "", options, methodKinds[method]);
}

/**
 * Checks options for callers without types: a misspelt option would otherwise be ignored silently. Written by hand,
 * because a page that calls tools should not load a schema library.
 */
export function checkClientOptions(options: ClientOptions): void {
  check(OWNER, "", options, clientKinds);
  const { budget = 1, retry = {} } = options;
  if (budget !== "server" && budget !== "off" && !(budget >= 1))
    refuse(OWNER, "budget", budget, 'Write "server", "off", or a number of at least 1');
  if (retry === false) return;
  if (typeof retry !== "object" || retry === null) refuse(OWNER, "retry", retry, "Write an object, or false");
  check(OWNER, "retry.", retry, retryKinds);
}
