import type { Link } from "../../../engine/transport/link.ts";

/** Who a connection is opened for. */
export interface ConnectionOrigin {
  /** Who the gateway's own authentication says it is; "local" on stdio. */
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
  /**
   * A connection of its own for one client or session. A server that is down gives a link that closes by itself.
   * `ended` is called once, when nothing of the connection is left: a process may take a while to end.
   */
  connect(origin: ConnectionOrigin, ended?: () => void): Link;
  health(): UpstreamHealth;
  close(): Promise<void>;
}
