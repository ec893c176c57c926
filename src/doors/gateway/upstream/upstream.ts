import type { Link } from "../../../engine/transport/link.ts";
import type { Admitted } from "../../../engine/request/sign-in/verdict.ts";

/** The caller that a connection is opened for. */
export interface ConnectionOrigin {
  /** The name from the gateway's own authentication; "local" on stdio. */
  readonly principal: string;
  /** At an address of several servers: the caller as each of them knows it. */
  readonly each?: ReadonlyMap<string, Admitted> | undefined;
}

export interface UpstreamHealth {
  /** `idle`: nothing runs and nothing is wrong, such as a command that no client uses now. */
  readonly state: "starting" | "up" | "idle" | "down";
  /** Why the server is down, without paths or secrets. */
  readonly reason?: string | undefined;
  readonly restarts: number;
  /** How long until the next attempt, if one is planned. */
  readonly retryInMs?: number | undefined;
}

/** A server behind the gateway, reached by its own process or over HTTP. */
export interface Upstream {
  readonly name: string;
  /**
   * A separate connection for one client or session. If the server is down, the link closes by itself. `ended` is
   * called once, when nothing of the connection is left: a process may take a while to end.
   */
  connect(origin: ConnectionOrigin, ended?: () => void): Link;
  health(): UpstreamHealth;
  /** Asks every running process for a sign of life. One that still owes the last sign counts as down until it sends something. */
  ping?(): void;
  close(): Promise<void>;
}
