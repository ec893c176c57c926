// What the dashboard is made of: what the gateway hands in, and what its parts hand to its HTTP side.

import type { ConfigSource } from "../../../engine/settings/contract-options.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import type { Link } from "../../../engine/transport/link.ts";
import type { CheckSummary } from "./protocol/places.ts";
import type { ApiFailureCode, EventData, UpstreamNow } from "./protocol/traffic.ts";

/** One server behind the gateway, as the dashboard sees it. */
export interface WatchedUpstream {
  readonly name: string;
  readonly state: ContractState;
  readonly now: () => UpstreamNow;
  /** A client's end of a bridge of its own to the server: what is sent over it travels as any client's call does. */
  readonly connect: () => Promise<Link>;
}

/** The gateway behind the page. Upstreams change with the configuration file. */
export interface WatchedGateway {
  readonly transport: "stdio" | "http";
  readonly urls: () => Readonly<Record<string, string>>;
  readonly upstreams: () => readonly WatchedUpstream[];
  /** The configuration of the whole gateway, where it has one: its problems are told once, not for each upstream. */
  readonly config?: ConfigSource | undefined;
  /** Calls back when an upstream came or went; the function that is given ends it. Absent where they never change. */
  readonly onChange?: ((listener: () => void) => () => void) | undefined;
}

/** Checks the server of an upstream, in a process or connection of its own. */
export type RunCheck = (
  upstream: string,
  tell: (says: string, done: number, total: number) => void,
  signal: AbortSignal,
) => Promise<CheckSummary>;

/** Who sends an event to every open page. */
export type TellPages = <Name extends keyof EventData>(event: Name, data: EventData[Name]) => void;

export interface ApiRequest {
  /** What stands for the `:names` of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Of a POST: its JSON, at most 1 MiB. */
  readonly body: JsonValue | undefined;
  /** Aborted when the page goes away. */
  readonly signal: AbortSignal;
}

/** One address of the page's API. Whoever calls it is signed in, and what it needs is allowed. */
export interface ApiRoute {
  readonly method: "GET" | "POST";
  /** `/api/calls/:seq`. */
  readonly path: string;
  /** The switch that must be on. */
  readonly needs?: "actions" | "bodies" | undefined;
  /** Its answer is JSON; it throws `ApiProblem`. */
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

/** Thrown by routes; its words are for the person at the page, without secrets. */
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

/** The upstreams by name. One that was replaced finishes its calls first: of two with one name the newer counts. */
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
