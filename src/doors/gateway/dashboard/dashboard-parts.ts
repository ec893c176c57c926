// The parts of the dashboard: what the gateway gives it, and what its parts give to its HTTP side.

import type { ConfigSource } from "../../../engine/settings/contract-options.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { SharedRedis } from "../../../engine/archive/redis/shared-redis.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import type { GatewayAuth } from "../gateway-options.ts";
import type { LedgerRow } from "../ledger/ledger-file.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { CheckSummary } from "./protocol/places.ts";
import type { ApiFailureCode, EventData, UpstreamNow } from "./protocol/traffic.ts";

/** One server behind the gateway, as the dashboard sees it. */
export interface WatchedUpstream {
  readonly name: string;
  readonly state: ContractState;
  readonly now: () => UpstreamNow;
  /** The client's end of a separate bridge to the server: messages over it are treated like any client's. */
  readonly connect: () => Promise<Link>;
}

/** The gateway behind the page. Upstreams change with the configuration file. */
export interface WatchedGateway {
  readonly transport: "stdio" | "http";
  readonly urls: () => Readonly<Record<string, string>>;
  readonly upstreams: () => readonly WatchedUpstream[];
  /** The configuration of the whole gateway, if it has one: its problems are shown once, not for each upstream. */
  readonly config?: ConfigSource | undefined;
  /** Writes what was counted and reads the ledger of this user. Absent if calls are not counted there. */
  readonly ledger?: (() => Promise<readonly LedgerRow[]>) | undefined;
  /** The Redis that replicas of this gateway share. Absent on stdio, and with another store. */
  readonly redis?: (() => Promise<SharedRedis | undefined>) | undefined;
  /** Reports added and removed upstreams; returns a function that stops this. Absent if upstreams never change. */
  readonly onChange?: ((listener: () => void) => () => void) | undefined;
}

/** Checks the server of an upstream, in a separate process or connection. */
export type RunCheck = (
  upstream: string,
  tell: (says: string, done: number, total: number) => void,
  signal: AbortSignal,
) => Promise<CheckSummary>;

/** Sends an event to every open page. */
export type TellPages = <Name extends keyof EventData>(event: Name, data: EventData[Name]) => void;

export interface ApiRequest {
  /** The values of the `:names` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON of a POST, at most 1 MiB. */
  readonly body: JsonValue | undefined;
  /** Aborted when the page closes its connection. */
  readonly signal: AbortSignal;
}

/** One address of the page's API. The caller is already signed in, and has the permission in `needs`. */
export interface ApiRoute {
  readonly method: "GET" | "POST";
  /** `/api/calls/:seq`. */
  readonly path: string;
  /** The permission that must be switched on. */
  readonly needs?: "actions" | "bodies" | undefined;
  /** Returns JSON; throws `ApiProblem`. */
  readonly answer: (request: ApiRequest) => unknown;
}

const statuses: Readonly<Record<ApiFailureCode, number>> = {
  "sign-in": 401,
  "actions-off": 403,
  "bodies-off": 403,
  "not-kept": 410,
  "not-found": 404,
  invalid: 400,
  upstream: 502,
  busy: 409,
  failed: 500,
};

/** Thrown by routes; the text is for the person at the page, without secrets. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ApiFailureCode;
  readonly remedy: string;

  constructor(code: ApiFailureCode, message: string, remedy: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }

  get status(): number {
    return statuses[this.code];
  }
}

/** The upstreams by name. A replaced upstream may still finish its calls: of two with one name the newer counts. */
export function upstreamsByName(gateway: WatchedGateway): ReadonlyMap<string, WatchedUpstream> {
  return new Map(gateway.upstreams().map((upstream) => [upstream.name, upstream]));
}

/** The upstream that a request of the page names. */
export function upstreamNamed(gateway: WatchedGateway, name: string): WatchedUpstream {
  const found = upstreamsByName(gateway).get(name);
  if (found !== undefined) return found;
  throw new ApiProblem(
    "not-found",
    `The gateway has no upstream "${name.slice(0, 100)}".`,
    "It may have gone with a change of the configuration file: load the page again.",
  );
}

/**
 * The page that shows the gateway's work. It listens on 127.0.0.1, and requires a link that works once, or with `auth` a
 * token.
 */
export interface DashboardOptions {
  /** Default: 3334, or a free port if that is taken; 0 takes a free port. A given port that is taken is an error. */
  readonly port?: number | undefined;
  /** The page may call tools, run checks and change settings. Default: false. */
  readonly actions?: boolean | undefined;
  /** The page may show the content of calls: arguments, results, archived data. Default: false. */
  readonly bodies?: boolean | undefined;
  /** For a team: browsers sign in with one of these tokens, checked as those of callers. Default: a link that works once. */
  readonly auth?: GatewayAuth | undefined;
  /** The address to listen on; one that others can reach needs `auth`. Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Further names by which browsers call the page, for the check of the Host header. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Checks a server when the page asks for it. Default: the page cannot run checks. */
  readonly check?: RunCheck | undefined;
}
