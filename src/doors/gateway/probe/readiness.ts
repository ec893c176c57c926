// Whether a gateway over HTTP should be sent requests: what `/readyz` answers, and the gauge `waybill_ready`.

import type { UpstreamHealth } from "../upstream/upstream.ts";

/** What readiness depends on, of one upstream. */
export interface ReadyPart {
  readonly health: () => UpstreamHealth;
  /** Without this server the gateway is not ready. */
  readonly isRequired?: boolean | undefined;
  /** False until it was found out for the first time whether the server can be called. */
  readonly isKnown?: (() => boolean) | undefined;
}

export type Readiness = "ready" | "starting" | "down";

/**
 * Not ready while a required server is down, and while it is not yet known whether one can be called. One failed server
 * that is not required does not affect the others; if every server is down, there is nothing to be ready for.
 */
export function readinessOf(upstreams: ReadonlyMap<string, ReadyPart>): Readiness {
  const parts = [...upstreams.values()];
  const isDown = ({ health }: ReadyPart): boolean => health().state === "down";
  const required = parts.filter(({ isRequired }) => isRequired === true);
  if (required.some(isDown) || (parts.length > 0 && parts.every(isDown))) return "down";
  return required.some(({ isKnown }) => isKnown?.() === false) ? "starting" : "ready";
}

/** A single server is what the gateway is there for; of several, each may fail alone. */
export function isRequired(required: boolean | undefined, upstreams: number): boolean {
  return required ?? upstreams === 1;
}
