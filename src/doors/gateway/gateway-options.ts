import type { DashboardOptions } from "./dashboard/dashboard-parts.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { httpTable, mergeTable, reachTable } from "../../engine/settings/gateway-table.ts";
import type { SettingTable } from "../../engine/settings/table.ts";
import type { LedgerChoice, Options, Within } from "../../engine/settings/table-types.ts";
import type { AccessLogTarget } from "./access-log/access-log.ts";
import type { BearerAuth } from "../../engine/request/sign-in/bearer-auth.ts";

/** How callers over HTTP authenticate to one upstream, and how the gateway signs in to it for each of them. */
export type UpstreamAuth =
  | "none"
  /** The client's own credentials go to the HTTP upstream, which decides. This does not protect a public address. */
  | "passthrough"
  /** On stdio: the gateway signs in to the HTTP upstream with OAuth, for the user of this machine. */
  | "oauth"
  | { readonly gateway?: undefined; readonly oauth: true | OAuthOptions }
  /** The gateway checks bearer tokens itself and never forwards them; with `oauth` it signs in for each caller. */
  | { readonly gateway: GatewayAuth; readonly oauth?: true | OAuthOptions | undefined };

/** Who the gateway is to the authorization server of an upstream. Default: it registers itself there. */
export interface OAuthOptions {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The address of a client-id metadata document. */
  readonly clientMetadataUrl?: string | undefined;
  /** The scopes to ask for, with spaces between them. Default: those that the server names. */
  readonly scope?: string | undefined;
}

/** Bearer tokens that the gateway checks itself. */
export interface GatewayAuth extends BearerAuth {}

export type { JwtAuth } from "../../engine/request/sign-in/bearer-auth.ts";

/** The contract options of one upstream; the gateway's own options are the default. */
export type UpstreamContract = Pick<
  ContractOptions,
  (Within<SettingTable, "upstream"> & keyof ContractOptions) | "rateLimit" | "redact" | "toolSettings"
>;

interface UpstreamCommon extends UpstreamContract {
  readonly auth?: UpstreamAuth | undefined;
}

type ByCommand = Options<typeof reachTable, "byCommand">;
type ByUrl = Options<typeof reachTable, "byUrl">;
/** A server is reached by a command or a URL: with one, none of what is the other's. */
type None<Key extends PropertyKey> = { readonly [K in Key]?: undefined };

export interface CommandUpstream
  extends UpstreamCommon, ByCommand, None<Exclude<keyof ByUrl, keyof ByCommand>> {
  readonly command: string;
}

export interface UrlUpstream extends UpstreamCommon, ByUrl, None<Exclude<keyof ByCommand, keyof ByUrl>> {
  readonly url: string;
}

export type UpstreamOptions = CommandUpstream | UrlUpstream;

export interface HttpOptions extends Omit<Options<typeof httpTable, "file">, "trustProxy"> {
  readonly trustProxy?: ContractOptions["trustProxy"];
}

/** When a name begins with its upstream's: where two upstreams have the same name (the default), or always. */
export type MergeOptions = Options<typeof mergeTable, "file">;

export interface GatewayOptions
  extends
    UpstreamContract,
    Pick<
      ContractOptions,
      "store" | "logger" | "logLevel" | "logForm" | "config" | "cursorKeys" | "requestIds" | "now"
    > {
  readonly upstreams: Readonly<Record<string, UpstreamOptions>>;
  /** Serve over HTTP: each upstream at `/NAME/mcp`, all of them at `/mcp`. Default: on stdin and stdout. */
  readonly http?: HttpOptions | undefined;
  /** How the tools of several upstreams are named where one address serves them: `/mcp`, a group, or stdio. */
  readonly merge?: MergeOptions | undefined;
  /** Groups of upstreams over HTTP, by name: each group is served at `/NAME/mcp`, as all upstreams are at `/mcp`. */
  readonly endpoints?: Readonly<Record<string, readonly string[]>> | undefined;
  /** A web page for this machine that shows the traffic. Default: none, and its code is not loaded. */
  readonly dashboard?: DashboardOptions | undefined;
  /**
   * One line for each call and each refused request: a file, "-" for stdout (on stdio: stderr), or a function.
   * Default: none, and its code is not loaded.
   */
  readonly accessLog?: AccessLogTarget | undefined;
  /**
   * On stdio: whether calls are counted in the ledger of this user, which `waybill ledger` shows. Default: "off"; of the
   * command `waybill gateway`: "on".
   */
  readonly ledger?: LedgerChoice | undefined;
}

/** The savings since the start. */
export interface GatewaySummary {
  readonly calls: number;
  /** Tokens that the servers sent; estimated from samples if `isEstimated`. */
  readonly tokensIn: number;
  readonly isEstimated: boolean;
  readonly tokensOut: number;
  readonly cuts: number;
  readonly retrievals: number;
  /** Failures that the server had sent as successes, or without a code. */
  readonly errorsRepaired: number;
}

/** Why a gateway ended. */
export interface GatewayEnd {
  readonly by: "close" | "client" | "server";
  /** For people; without secrets. */
  readonly reason: string;
}

export interface GatewayAddresses {
  readonly urls: Readonly<Record<string, string>>;
  /** The address of all upstreams as one server; absent on stdio, and with one upstream. */
  readonly merged?: string | undefined;
  /** The address of each group of `endpoints`; absent without groups. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
  /** A link that opens the dashboard in one browser, once; absent without a dashboard. */
  readonly dashboard?: string | undefined;
}

export interface Gateway {
  /** Starts to serve; resolves with the address of each upstream, or with no address on stdio. */
  listen(): Promise<GatewayAddresses>;
  /** Takes no more requests, lets running calls finish (at most 5 s), ends the processes it started. */
  close(): Promise<void>;
  /** Resolves when the gateway has ended: it was closed, or on stdio the client left or the server failed for good. */
  ended(): Promise<GatewayEnd>;
  summary(): Promise<GatewaySummary>;
}
