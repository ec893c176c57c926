import type { DashboardOptions } from "./dashboard/dashboard-options.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import type { KeyAlgorithm } from "./auth/jwt-rules.ts";

/** How callers over HTTP authenticate to one upstream. Exactly one way for each upstream. */
export type UpstreamAuth =
  | "none"
  /** The client's own credentials go to the HTTP upstream, which decides. This does not protect a public address. */
  | "passthrough"
  /** The gateway checks bearer tokens itself and never forwards them. */
  | { readonly gateway: GatewayAuth };

export interface GatewayAuth {
  /** Tokens by the name of their principal: at least 16 characters each, or `sha256:` and the hash of a token. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
  readonly jwt?: JwtAuth | undefined;
}

/** JSON Web Tokens of one issuer; the claim `sub` is the principal. */
export interface JwtAuth {
  /** Where the issuer publishes its keys: https, or http on this machine. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** Accepted signatures. Default: RS, PS and ES with 256, 384 and 512, EdDSA; never a shared-secret signature. */
  readonly algorithms?: readonly KeyAlgorithm[] | undefined;
}

/** The contract options of one upstream; the gateway's own options are the default. */
export type UpstreamContract = Pick<
  ContractOptions,
  | "dialect"
  | "profile"
  | "delivery"
  | "encoding"
  | "select"
  | "upstream"
  | "budget"
  | "fit"
  | "rateLimit"
  | "redact"
  | "toolSettings"
  | "allow"
  | "retrieve"
>;

interface UpstreamCommon extends UpstreamContract {
  /** Tools that are neither listed nor callable. If the retrieval tool is hidden, cut content is not kept. */
  readonly hide?: readonly string[] | undefined;
  readonly auth?: UpstreamAuth | undefined;
  /** How long the server may take for its first answer. Default: 60,000. */
  readonly startTimeoutMs?: number | undefined;
  /** How long one tool call may take. Default: none; the client decides. */
  readonly callTimeoutMs?: number | undefined;
  /** How long any other request may take, except subscriptions and results of tasks. Default: 300,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Open requests over HTTP: of one session, or of one caller without a session. Default: 1,000. */
  readonly maxOpenRequests?: number | undefined;
  /** The longest message that is read: at least 65,536. Default: 134,217,728 (128 MiB). */
  readonly maxMessageBytes?: number | undefined;
}

export interface CommandUpstream extends UpstreamCommon {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to a short list of safe variables; `inheritEnv` passes on everything except Waybill's own secrets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly inheritEnv?: boolean | undefined;
  readonly cwd?: string | undefined;
  /** Processes at once over HTTP, including those that are ending. Default: 16. */
  readonly maxProcesses?: number | undefined;
  /** The most processes of one caller. Default: half; all if callers cannot be told apart or there is only one. */
  readonly maxProcessesPerCaller?: number | undefined;
  /** How long an idle process is kept. Default: 300,000. */
  readonly idleMs?: number | undefined;
  /** A server is reached by a command or a URL: with a command, none of these. */
  readonly url?: undefined;
  readonly headers?: undefined;
}

export interface UrlUpstream extends UpstreamCommon {
  readonly url: string;
  /** Sent with every request, for servers that require a fixed key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A server is reached by a command or a URL: with a URL, none of these. */
  readonly command?: undefined;
  readonly args?: undefined;
  readonly env?: undefined;
  readonly inheritEnv?: undefined;
  readonly cwd?: undefined;
  readonly maxProcesses?: undefined;
  readonly idleMs?: undefined;
}

export type UpstreamOptions = CommandUpstream | UrlUpstream;

export interface HttpOptions {
  /** Default: 3333; 0 takes a free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. A public address needs `auth: { gateway: … }` on every upstream. */
  readonly host?: string | undefined;
  /** More names that clients may use for the gateway, for the check of the Host header. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Web pages that may call, for the check of the Origin header. Default: pages of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly trustProxy?: ContractOptions["trustProxy"];
}

export interface GatewayOptions
  extends
    UpstreamContract,
    Pick<ContractOptions, "store" | "logger" | "logLevel" | "config" | "cursorKeys" | "requestIds" | "now"> {
  readonly upstreams: Readonly<Record<string, UpstreamOptions>>;
  /** Serve over HTTP, each upstream at `/NAME/mcp`. Default: the one upstream on stdin and stdout. */
  readonly http?: HttpOptions | undefined;
  /** A web page for this machine that shows the traffic. Default: none, and its code is not loaded. */
  readonly dashboard?: DashboardOptions | undefined;
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
