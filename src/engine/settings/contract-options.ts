import type { ConfigWatch } from "./watch-config.ts";
import type { BareCuts, Settings } from "./settings.ts";
import type { DialectChoice, DialectId } from "../../core/contract/dialect-id.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { CursorKeys } from "../retrieve/cursor/cursor-options.ts";
import type { Flags } from "./flags-and-tiers/define-flags.ts";
import type { Tiers } from "./flags-and-tiers/define-tiers.ts";
import type { Logger } from "../observe/log-event.ts";
import type { ClientLimit } from "../../core/readers/client-limits.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import type { Encoding as TokenEncoding, TokenCounter } from "../../core/tokens/token-counter.ts";
import type { DeliveryMode, Encoding, FitStrategy } from "../../core/pipeline/parcel.ts";
import type { CallRequest } from "../request/call-request.ts";
import type { TrustProxy } from "../request/call-origin.ts";
import type { AnyTool, RateLimitRule, ToolOptions } from "./tool-definition.ts";

/** Where settings come from: a watch (hot reload), settings already read, or nothing but the options. */
export type ConfigSource = ConfigWatch | Settings | { readonly settings: Settings };

/** Drafts of the MCP specification that results can follow besides. */
export const draftStandards = ["toolFailure"] as const;
type DraftStandard = (typeof draftStandards)[number];

export interface RedactOptions {
  /** Mask successes too: data, text, links, notes, and what is archived of them. Default: false. */
  readonly successes?: boolean;
  /** Texts that look like a secret but are not one. */
  readonly allow?: readonly (string | RegExp)[];
  readonly patterns?: readonly { readonly label: string; readonly pattern: RegExp }[];
}

export interface FitOptions {
  /** Which items of a long list stay: the first ones, or those that match the words of the call. */
  readonly strategy?: FitStrategy;
  /** Images and other bytes above this go to the archive. */
  readonly maxBlobBytes?: number | "off";
  /** Lower the budget to the limit of a client known by its name: true for the built-in table, or your own. */
  readonly clientLimits?: boolean | readonly ClientLimit[];
  /** Whether results in dialects without an envelope may be cut. Default: only for tools without an output schema. */
  readonly withoutEnvelope?: BareCuts;
  /** What counts tokens: a built-in encoding, a counter of your own for another model, or what fetches one when it is needed. */
  readonly counter?: TokenEncoding | TokenCounter | (() => Promise<TokenCounter>);
}

export interface ContractOptions {
  /**
   * The server's name in logs, spans and the tenant of a local connection. Contracts with the same name in one process
   * share their memory of archives, the random key of cursors, and the counts of limits.
   */
  readonly name?: string;
  readonly version?: string;
  /** The tools that `contract.server` adds by itself; a client's types can be read off them. */
  readonly tools?: readonly AnyTool[];
  /** Settings of single tools, by name: for tools that are not defined here. A tool's own config comes first. */
  readonly toolSettings?: Readonly<Record<string, ToolOptions>>;
  /** The form of results. "auto" takes plain or response-v2 result by result, and leaves alone what it can. */
  readonly dialect?: DialectChoice;
  readonly profile?: string;
  readonly delivery?: DeliveryMode;
  /** Lists of like objects in `data` as they are ("json", the default), or as tables where those are shorter. */
  readonly encoding?: Encoding;
  /** Every tool takes a question to its result, in the optional argument `_waybill_select`. Default: false. */
  readonly select?: boolean;
  /**
   * Repairs arguments that a tool's schema refuses, where what was meant is sure: `"5"` for a number, `null` for an
   * absent field. Each answer says so in the warning ARGUMENT_REPAIRED. Default: true.
   */
  readonly repairArguments?: boolean;
  /**
   * Adds the tool `server` to each server object: a model asks it for a form of answers with
   * `action: "capability-negotiate"`. Default: false.
   */
  readonly serverTool?: boolean;
  /**
   * What a server that is not one's own speaks, behind `attachContract` or a gateway: its results are read in that form
   * and not wrapped again. Default: "auto", which recognises what shows by itself.
   */
  readonly upstream?: { readonly dialect?: DialectChoice | undefined };
  /** Draft dialect only: whether notes of a success are written in `meta`, or in `data` as its document shows. */
  readonly draftNotes?: "meta" | "data";
  readonly budget?: { readonly tokens?: number | "off"; readonly bytes?: number | "off" };
  /** How results over the budget are cut. */
  readonly fit?: FitOptions;
  /** Where cut content is kept: a store, what `openStore` takes, or false (or "off") for nowhere. Default: in memory. */
  readonly store?: ArchiveStore | string | false;
  /** The tool that gives back what was cut. `name`: what it is called. Default: `waybill_retrieve`. */
  readonly retrieve?: { readonly name?: string };
  /** What a request may choose for itself. */
  readonly allow?: {
    readonly dialects?: readonly DialectId[];
    readonly profiles?: readonly string[];
    readonly maxBudgetTokens?: number;
    readonly budgetOff?: boolean;
  };
  /** For every client over all tools; a tool may have its own besides. */
  readonly rateLimit?: RateLimitRule;
  readonly tiers?: Tiers<CallRequest>;
  readonly flags?: Flags;
  /**
   * Leave tools out of `tools/list` whose `tier` or `flag` the caller does not have, as far as authentication verified
   * the caller. A call of such a tool is refused as before. Default: false.
   */
  readonly hideGated?: boolean;
  /** Features that `capability-negotiate` answers for. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** Masks secrets in everything that leaves with a failure, and in logs; on by default. */
  readonly redact?: boolean | RedactOptions;
  /** Drafts of the MCP specification to follow besides. "toolFailure" adds its `_meta` key to failures. Default: none. */
  readonly standards?: readonly DraftStandard[];
  /** The fault for an error that is not a ToolFault; undefined leaves it an internal error. */
  readonly mapError?: (error: unknown) => ToolFault | undefined;
  /**
   * Whose data a call may see. Undefined leaves it to the default: the verified subject, else the token's hash, else the
   * legacy session, else one tenant for all anonymous callers (HTTP), or the one local client (stdio).
   */
  readonly tenant?: (request: CallRequest) => string | undefined;
  /**
   * How many proxies of your own are in front of the server, each appending to `X-Forwarded-For`; true counts as 1.
   * Default: none, and the header is not read, since any caller can write it.
   */
  readonly trustProxy?: TrustProxy;
  readonly cursorKeys?: CursorKeys;
  readonly config?: ConfigSource;
  /** Check every outgoing result against the contract and throw on a violation: for tests. */
  readonly validate?: "always" | "never";
  readonly logger?: Logger;
  readonly logLevel?: "debug" | "info" | "warn" | "error" | "silent";
  readonly requestIds?: () => string;
  readonly now?: () => number;
  /** How long a stored outcome answers a repeated idempotency key. */
  readonly idempotencyMs?: number;
  /** Give every tool the opt-in `_waybill` argument. */
  readonly waybillArgument?: boolean;
}
