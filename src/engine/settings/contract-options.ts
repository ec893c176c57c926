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

/** The source of settings: a watch (hot reload), settings already read, or only the options. */
export type ConfigSource = ConfigWatch | Settings | { readonly settings: Settings };

/** Drafts of the MCP specification that results can also follow. */
export const draftStandards = ["toolFailure"] as const;
type DraftStandard = (typeof draftStandards)[number];

export interface RedactOptions {
  /** Mask successes too: data, text, links, notes, and their archived content. Default: false. */
  readonly successes?: boolean;
  /** Texts that look like a secret but are not one. */
  readonly allow?: readonly (string | RegExp)[];
  readonly patterns?: readonly { readonly label: string; readonly pattern: RegExp }[];
}

export interface FitOptions {
  /** Which items of a long list are kept: the first ones, or those that match the words of the call. */
  readonly strategy?: FitStrategy;
  /** Images and other bytes above this size go to the archive. */
  readonly maxBlobBytes?: number | "off";
  /** Lower the budget to the limit of a client known by its name: true for the built-in table, or your own table. */
  readonly clientLimits?: boolean | readonly ClientLimit[];
  /** Whether results in dialects without an envelope may be cut. Default: only for tools without an output schema. */
  readonly withoutEnvelope?: BareCuts;
  /**
   * The token counter: a built-in encoding, your own counter for another model, or a function that fetches
   * one when needed.
   */
  readonly counter?: TokenEncoding | TokenCounter | (() => Promise<TokenCounter>);
}

export interface ContractOptions {
  /**
   * The server's name in logs, spans and the tenant of a local connection. Contracts with the same name in one process
   * share their memory of archives, the random key of cursors, and the counts of limits.
   */
  readonly name?: string;
  readonly version?: string;
  /** The tools that `contract.server` adds itself; a client's types can be derived from them. */
  readonly tools?: readonly AnyTool[];
  /** Settings of single tools, by name, for tools that are not defined here. A tool's own config comes first. */
  readonly toolSettings?: Readonly<Record<string, ToolOptions>>;
  /**
   * The form of results. "auto" chooses plain or response-v2 for each result, and leaves results unchanged if
   * it can.
   */
  readonly dialect?: DialectChoice;
  readonly profile?: string;
  readonly delivery?: DeliveryMode;
  /** How lists of similar objects in `data` are written: "json" (the default), or as tables where those are shorter. */
  readonly encoding?: Encoding;
  /** Every tool takes a question about its result, in the optional argument `_waybill_select`. Default: false. */
  readonly select?: boolean;
  /**
   * Repairs arguments that a tool's schema refuses, if their meaning is certain: `"5"` for a number, `null`
   * for an absent field. Each answer then has the warning ARGUMENT_REPAIRED. Default: true.
   */
  readonly repairArguments?: boolean;
  /**
   * Adds the tool `server` to each server object: with `action: "capability-negotiate"`, a model asks it for
   * a form of answers. Default: false.
   */
  readonly serverTool?: boolean;
  /**
   * The dialect of an upstream server, behind `attachContract` or a gateway: its results are read in that
   * form and not wrapped again. Default: "auto", which recognises the forms that identify themselves.
   */
  readonly upstream?: { readonly dialect?: DialectChoice | undefined };
  /** Draft dialect only: whether notes of a success are in `meta`, or in `data` as the draft's document shows. */
  readonly draftNotes?: "meta" | "data";
  readonly budget?: { readonly tokens?: number | "off"; readonly bytes?: number | "off" };
  /** How results over the budget are cut. */
  readonly fit?: FitOptions;
  /**
   * Where cut content is kept: a store, an argument of `openStore`, or false (or "off") for nowhere. Default:
   * in memory.
   */
  readonly store?: ArchiveStore | string | false;
  /** The tool that gives back what was cut. `name`: its name. Default: `waybill_retrieve`. */
  readonly retrieve?: { readonly name?: string };
  /** What a request may choose for itself. */
  readonly allow?: {
    readonly dialects?: readonly DialectId[];
    readonly profiles?: readonly string[];
    readonly maxBudgetTokens?: number;
    readonly budgetOff?: boolean;
  };
  /** The quota of every client over all tools; a tool may have its own quota in addition. */
  readonly rateLimit?: RateLimitRule;
  readonly tiers?: Tiers<CallRequest>;
  readonly flags?: Flags;
  /**
   * Leave out of `tools/list` the tools whose `tier` or `flag` the caller does not have, as far as
   * authentication verified the caller. Calls of such a tool are still refused. Default: false.
   */
  readonly hideGated?: boolean;
  /** Features for which `capability-negotiate` answers. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** Masks secrets in every part of a failure, and in logs. Default: true. */
  readonly redact?: boolean | RedactOptions;
  /**
   * Drafts of the MCP specification to follow in addition. "toolFailure" adds its `_meta` key to failures.
   * Default: none.
   */
  readonly standards?: readonly DraftStandard[];
  /** The fault for an error that is not a ToolFault; undefined leaves the error internal. */
  readonly mapError?: (error: unknown) => ToolFault | undefined;
  /**
   * Whose data a call may see. Undefined means the default: the verified subject, else the token's hash, else
   * the legacy session, else one tenant for all anonymous callers (HTTP), or the one local client (stdio).
   */
  readonly tenant?: (request: CallRequest) => string | undefined;
  /**
   * How many of your own proxies are in front of the server, each appending to `X-Forwarded-For`; true counts
   * as 1. Default: none; the header is then not read, because any caller can write it.
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
