// What the page receives about tools, the archive, checks and settings.

import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import type { Body } from "./result.ts";

/** Answer to `GET /api/tools`. */
export interface ToolsReport {
  readonly upstreams: readonly UpstreamTools[];
}

export interface UpstreamTools {
  readonly upstream: string;
  /** `asking`: the list is being fetched; ask again. */
  readonly state: "listed" | "asking" | "failed";
  readonly problem?: string | undefined;
  readonly listedAtMs?: number | undefined;
  /** Tokens of all definitions together, as clients receive them. */
  readonly tokens: number;
  readonly tools: readonly ToolView[];
}

export interface ToolView {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: JsonObject | undefined;
  /** Tokens of the whole definition, as clients receive it in `tools/list`. */
  readonly tokens: number;
  /** From the calls so far; absent before the first. */
  readonly typical?: TypicalResult | undefined;
}

export interface TypicalResult {
  readonly calls: number;
  readonly failed: number;
  /** Medians of what a model reads. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** With many calls, medians are approximate, and tokens may have been estimated as calls passed. */
  readonly isEstimated: boolean;
  readonly serverMs: number;
}

/** Answer to `POST /api/tools/call` with `{ upstream, tool, arguments }`. Needs actions. */
export interface OwnCall {
  /** The number of the call in the list of traffic, which has its result. */
  readonly seq?: number | undefined;
  readonly isError: boolean;
  /** Absent without `--dashboard-bodies`. */
  readonly body?: Body | undefined;
}

/**
 * Answer to `GET /api/archive?tenant=KEY&after=KEY/HASH`: `after` is the tenant's key and the hash of the last item on
 * the page. Entries, bytes and tenants are those of the whole archive, regardless of the query.
 */
export interface ArchiveReport {
  readonly kind: string;
  readonly location: string;
  readonly entries: number;
  /** Nothing is kept now, but something was since the gateway started. */
  readonly wasEmptied: boolean;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly tenants: readonly ArchiveTenant[];
  /** Newest first; at most 200. */
  readonly items: readonly ArchiveItem[];
  readonly hasMore: boolean;
}

export interface ArchiveTenant {
  /** The hash of the tenant's name, as stores know it. */
  readonly key: string;
  /** The tenant's name, if this gateway knows it: the upstream on stdio, a principal. */
  readonly label?: string | undefined;
  readonly entries: number;
  readonly bytes: number;
  readonly newestAtMs: number;
}

export interface ArchiveItem {
  readonly hash: string;
  readonly tenantKey: string;
  readonly bytes: number;
  readonly storedBytes: number;
  readonly contentType: string;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
  readonly lastUsedAtMs: number;
  /**
   * What removes the entry, if that comes before `expiresAtMs`: the end of the session of a client without sign-in, or
   * of the gateway that has it in memory. A session of an earlier gateway is not recognised.
   */
  readonly endsWith?: "session" | "gateway" | undefined;
  /** Calls of its tenant in the list of traffic that name the entry; newest first. */
  readonly seqs: readonly number[];
}

/** Answer to `POST /api/archive/verify` with `{ tenantKey, hash }`. */
export interface Verified {
  readonly hash: string;
  readonly isVerified: boolean;
  readonly bytes: number;
  /** Why the entry is not verified. */
  readonly problem?: string | undefined;
}

/** Answer to `POST /api/archive/search` with `{ words, tenantKey? }`. Needs bodies. */
export interface ArchiveHits {
  readonly hits: readonly ArchiveHit[];
  readonly searched: number;
  /** False if the limit of time or entries ended the search. */
  readonly isComplete: boolean;
}

export interface ArchiveHit {
  readonly hash: string;
  readonly tenantKey: string;
  /** The place in the content, e.g. a pointer or a line. */
  readonly place: string;
  readonly excerpt: string;
}

/** Answer to `GET /api/ledger`: what each server cost and saved behind the stdio gateways of this user. */
export interface LedgerReport {
  /** False over HTTP, and with `--ledger off`. */
  readonly isOn: boolean;
  /** Oldest day first; at most 5,000. */
  readonly rows: readonly LedgerDay[];
}

/** One server on one day. */
export interface LedgerDay {
  /** By the clock of the gateway's machine: `2026-11-19`. */
  readonly day: string;
  readonly server: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly isEstimated: boolean;
  readonly cuts: number;
  readonly retrievals: number;
  readonly errorsRepaired: number;
}

/** Answer to `GET /api/clients`: how each known client is led to this gateway over HTTP. */
export interface ClientsReport {
  /** The first is any other client. */
  readonly clients: readonly ClientEntry[];
}

interface ClientEntry {
  readonly name: string;
  /** Where the client keeps its servers, with `~` for the home of the user. */
  readonly file?: string | undefined;
  /** What is added to that file; absent for a client that takes servers only as commands. */
  readonly text?: string | undefined;
}

// `POST /api/archive/read` with `{ tenantKey, hash }` answers with `Retrieved`, `POST /api/archive/ask` with
// `{ tenantKey, hash, select }` with `Asked` (both need bodies).

// `POST /api/check` with `{ upstream }` starts a check, `POST /api/check/stop` with `{ upstream }` ends one early; both
// need actions and answer with `ChecksReport`. Events `check` report the progress; after `done` or `failed` request the
// report again.

/** Answer to `GET /api/check`: the last check of each upstream. */
export interface ChecksReport {
  readonly checks: readonly CheckView[];
}

export interface CheckView {
  readonly upstream: string;
  readonly state: "never" | "running" | "done" | "failed";
  readonly says: string;
  readonly startedAtMs?: number | undefined;
  readonly report?: CheckSummary | undefined;
}

/** The part of a check's report that is shown. */
export interface CheckSummary {
  /** How many tools were called, and why the others were not. */
  readonly coverage?: string | undefined;
  /** Null if no tool was called, or no call succeeded. */
  readonly score: number | null;
  /** The deductions from 100, as positive numbers. */
  readonly reasons: readonly { readonly text: string; readonly points: number }[];
  readonly counts: Readonly<Record<"error" | "warning" | "info" | "passed" | "untested", number>>;
  readonly calls: number;
  readonly durationMs: number;
  readonly findings: readonly CheckFindingView[];
}

export interface CheckFindingView {
  readonly rule: string;
  readonly severity: "error" | "warning" | "info";
  readonly tool?: string | undefined;
  readonly message: string;
  readonly fix: string;
}

/** Answer to `GET /api/config`. */
export interface ConfigReport {
  /** The names of the files that were read, without folders. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
  readonly upstreams: readonly UpstreamConfigView[];
}

export interface UpstreamConfigView {
  readonly upstream: string;
  readonly settings: readonly SettingView[];
}

export interface SettingView {
  /** `budget.tokens`, or for one tool `tools.search.budget.tokens`. */
  readonly path: string;
  readonly value: JsonValue;
  /** `default`, `gateway`, `file`, `environment: WAYBILL_PROFILE`, `command line`, `page`, … */
  readonly origin: string;
  /** How the setting can be changed here; absent if it cannot. */
  readonly change?: SettingChange | undefined;
}

export type SettingChange =
  /** With `canBeOff` the text "off" is also a value. */
  | {
      readonly kind: "number";
      readonly min: number;
      readonly max: number;
      readonly canBeOff?: boolean | undefined;
    }
  /** One of these texts; for a setting that is true or false, "true" and "false". */
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  /** A list of fields, as in a filter: `["items[*].id"]`. */
  | { readonly kind: "fields" };

/**
 * `POST /api/config` with a `ConfigChange` answers with a new `ConfigReport`, or with 400 and the problems in the
 * message. A change lasts until the gateway ends and overrides every other source; null reverts it. Needs actions.
 */
export interface ConfigChange {
  readonly upstream: string;
  readonly path: string;
  readonly value: JsonValue;
}
