import type { Link } from "../../link/link.ts";

/** Who a connection is opened for. */
export interface ConnectionOrigin {
  /** Headers of the client's HTTP request, lower case; none for a client on stdio. */
  readonly headers: Readonly<Record<string, string>>;
  /** The tenant that the gateway's own authentication or the token's hash gave; "local" on stdio. */
  readonly principal: string;
}

export interface UpstreamHealth {
  readonly state: "starting" | "up" | "down";
  /** Why it is down, without paths or secrets. */
  readonly reason?: string | undefined;
  readonly restarts: number;
  /** How long until the next attempt, where one is planned. */
  readonly retryInMs?: number | undefined;
}

/** A server behind the gateway, reached by a process of its own or over HTTP. */
export interface Upstream {
  readonly name: string;
  /** A connection of its own for one client or session. A server that is down gives a link that closes by itself. */
  connect(origin: ConnectionOrigin): Link;
  health(): UpstreamHealth;
  close(): Promise<void>;
}
