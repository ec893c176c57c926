import type { ConfigWatch } from "./watch-config.ts";
import type { Settings } from "./settings.ts";
import type { CodeTable } from "./code-table.ts";
import type { SettingTable } from "./table.ts";
import type { Options } from "./table-types.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { CursorKeys } from "../retrieve/cursor/cursor-options.ts";
import type { Flags } from "./flags-and-tiers/define-flags.ts";
import type { Tiers } from "./flags-and-tiers/define-tiers.ts";
import type { Logger } from "../observe/log-event.ts";
import type { ClientLimit } from "./call-budget.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import type { Encoding as TokenEncoding, TokenCounter } from "../../core/tokens/token-counter.ts";
import type { CallRequest, TrustProxy } from "../request/call-request.ts";
import type { AnyTool, RateLimitRule, ToolOptions } from "./tool-definition.ts";

/** The source of settings: a watch (hot reload), settings already read, or only the options. */
export type ConfigSource = ConfigWatch | Settings | { readonly settings: Settings };

export interface RedactOptions {
  /** Mask successes too: data, text, links, notes, and their archived content. Default: false. */
  readonly successes?: boolean;
  /** Texts that look like a secret but are not one. */
  readonly allow?: readonly (string | RegExp)[];
  readonly patterns?: readonly { readonly label: string; readonly pattern: RegExp }[];
}

/** How results over the budget are cut. */
export interface FitOptions extends Options<SettingTable["fit"]["members"], "contract"> {
  /** Lower the budget to the limit of a client known by its name: true for the built-in table, or your own table. */
  readonly clientLimits?: boolean | readonly ClientLimit[];
  /**
   * The token counter: a built-in encoding, your own counter for another model, or a function that fetches
   * one when needed.
   */
  readonly counter?: TokenEncoding | TokenCounter | (() => Promise<TokenCounter>);
}

/** The options of `createContract`: the settings of both tables. Here are those whose types no kind describes. */
export interface ContractOptions extends Options<SettingTable, "contract">, Options<CodeTable, "contract"> {
  /** The tools that `contract.server` adds itself; a client's types can be derived from them. */
  readonly tools?: readonly AnyTool[];
  /** Settings of single tools, by name, for tools that are not defined here. A tool's own config comes first. */
  readonly toolSettings?: Readonly<Record<string, ToolOptions>>;
  /** How results over the budget are cut. */
  readonly fit?: FitOptions;
  /**
   * Where cut content is kept: a store, an argument of `openStore`, or false (or "off") for nowhere. Default:
   * in memory.
   */
  readonly store?: ArchiveStore | string | false;
  /** The quota of every client over all tools; a tool may have its own quota in addition. */
  readonly rateLimit?: RateLimitRule;
  readonly tiers?: Tiers<CallRequest>;
  readonly flags?: Flags;
  /** Features for which `capability-negotiate` answers. */
  readonly features?: Readonly<Record<string, boolean>>;
  /** Masks secrets in every part of a failure, and in logs. Default: true. */
  readonly redact?: boolean | RedactOptions;
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
  readonly logger?: Logger;
  readonly requestIds?: () => string;
  readonly now?: () => number;
}
