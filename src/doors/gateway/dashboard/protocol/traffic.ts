// What the page receives about calls. These files contain only types: the page and the gateway both import them.

import type { FidelityLevel } from "../../../../core/contract/outcome.ts";

/** How a call ended. `abandoned`: it got no answer, because it was cancelled or broken off. */
export type CallEnding = "ok" | "failed" | "abandoned";

/** One call in the list of traffic. */
export interface CallRow {
  /** 1, 2, 3 … in the order in which calls ended. */
  readonly seq: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly upstream: string;
  readonly tool: string;
  readonly requestId: string;
  /** The verified caller's name; else what its client calls itself; absent if neither is known. */
  readonly caller?: string | undefined;
  /** The replica that took the call; absent where replicas share no Redis. */
  readonly replica?: string | undefined;
  readonly ending: CallEnding;
  readonly errorCode?: string | undefined;
  readonly errorType?: string | undefined;
  readonly fidelity: FidelityLevel;
  /** The result was forwarded as the server's own bytes. */
  readonly isUntouched: boolean;
  /** The server had sent this failure as a success, or without a code. */
  readonly isRepaired: boolean;
  readonly isArchived: boolean;
  readonly warnings: number;
  readonly dialect: string;
  /** How long the server took. */
  readonly serverMs: number;
  /** The time that Waybill added. */
  readonly addedMs: number;
  /** Tokens of what the server sent and of what was delivered; estimated unless `isCounted`. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly isCounted: boolean;
  /** The page itself made this call. */
  readonly isOwn: boolean;
}

export interface CallBatch {
  /** Oldest first. */
  readonly rows: readonly CallRow[];
  /**
   * How many calls were not sent because too many came at once. Only calls that succeeded, were not cut and have no
   * warning are ever left out; `GET /api/calls` returns them. The first batch of a connection is the newest 500 calls
   * without a gap, and `skipped` is the number of older calls that the page does not know.
   */
  readonly skipped: number;
}

/** Answer to `GET /api/calls?before=SEQ&limit=N`: newest first, at most 1,000. */
export interface CallPage {
  readonly rows: readonly CallRow[];
  /** The oldest call that is still kept. */
  readonly oldestSeq: number;
  readonly newestSeq: number;
}

/** The totals of some calls. */
export interface Totals {
  readonly calls: number;
  readonly failed: number;
  readonly abandoned: number;
  readonly cut: number;
  readonly repaired: number;
  readonly retrievals: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly isEstimated: boolean;
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
  readonly serverP50Ms: number;
  readonly byErrorType: Readonly<Record<string, number>>;
}

/** The totals of a few seconds, for charts. */
export interface Tile {
  /** The first millisecond of the tile. */
  readonly at: number;
  readonly calls: number;
  readonly failed: number;
  readonly byErrorType: Readonly<Record<string, number>>;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly addedP50Ms: number;
  readonly addedP99Ms: number;
}

export interface ToolTotals extends Totals {
  readonly upstream: string;
  readonly tool: string;
}

/** The event `overview`, and the answer to `GET /api/overview?upstream=NAME&tool=NAME&replica=NAME`. */
export interface Overview {
  readonly sinceMs: number;
  readonly totals: Totals;
  readonly tileMs: number;
  /** Oldest first; at most 360. Tiles without calls are left out. */
  readonly tiles: readonly Tile[];
  /** Most calls first; at most 200, the rest is summed up as the tool `(others)`. */
  readonly tools: readonly ToolTotals[];
}

/** A gateway that shares its Redis with this one. */
export interface ReplicaNow {
  readonly name: string;
  /** It wrote to Redis in the last seconds. */
  readonly isAlive: boolean;
}

export interface UpstreamNow {
  readonly name: string;
  readonly kind: "command" | "url";
  /** How the server is reached, without arguments and secrets. */
  readonly reach: string;
  /** `idle`: over HTTP, no client uses it now; a command is started with the next one. */
  readonly state: "idle" | "starting" | "up" | "down";
  readonly reason?: string | undefined;
  readonly restarts: number;
}

/** The event `hello`: the first event, and again when a server's state changes. Also `GET /api/hello`. */
export interface Hello {
  readonly version: string;
  readonly startedAtMs: number;
  /** Whether the page may call tools, run checks and change settings. */
  readonly hasActions: boolean;
  /** Whether the page may show the content of calls. */
  readonly hasBodies: boolean;
  /** Whether the gateway has a checker. */
  readonly hasCheck: boolean;
  /** Whether the gateway counts its calls in the ledger of its user. */
  readonly hasLedger?: boolean | undefined;
  /** Whether browsers sign in with a token, not by a link. */
  readonly hasTokens?: boolean | undefined;
  readonly transport: "stdio" | "http";
  /** Where clients connect, by the name of the upstream; empty on stdio. */
  readonly urls: Readonly<Record<string, string>>;
  readonly upstreams: readonly UpstreamNow[];
  /** The replica that answers; absent where replicas share no Redis. */
  readonly replica?: string | undefined;
  /** All replicas whose calls are shown, this one first. */
  readonly replicas?: readonly ReplicaNow[] | undefined;
  /** Redis cannot be reached: calls of other replicas come later. */
  readonly isAlone?: boolean | undefined;
}

/**
 * Events of `GET /api/events` (server-sent events). `calls` have an id, and `Last-Event-ID` is supported. A new page
 * may receive a call twice.
 */
export interface EventData {
  readonly hello: Hello;
  readonly overview: Overview;
  readonly calls: CallBatch;
  readonly check: CheckNow;
  /** Settings have changed: request `/api/config` again. */
  readonly config: Readonly<Record<string, never>>;
}

/** The progress of a check. */
export interface CheckNow {
  readonly upstream: string;
  readonly state: "running" | "done" | "failed";
  readonly says: string;
  readonly done: number;
  readonly total: number;
}

/** The body of every answer with a status of 400 or more. */
export interface ApiFailure {
  readonly error: {
    readonly code: ApiFailureCode;
    readonly message: string;
    /** What to do. */
    readonly remedy: string;
  };
}

export type ApiFailureCode =
  | "sign-in"
  | "actions-off"
  | "bodies-off"
  | "not-kept"
  | "not-found"
  | "invalid"
  | "upstream"
  | "busy"
  | "failed";
