import type { IncomingMessage, ServerResponse } from "node:http";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import type { ServedUpstream } from "./http-parts.ts";

interface HealthFacts {
  readonly upstreams: ReadonlyMap<string, ServedUpstream>;
  readonly isDraining: boolean;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}

/**
 * `/healthz`: the process lives. `/readyz`: it can serve, which is false while it shuts down, and while every upstream is
 * down. One upstream that is down does not take the others away; each one's state is in the answer.
 */
export function serveHealth(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { upstreams, isDraining }: HealthFacts,
): boolean {
  if (path !== "/healthz" && path !== "/readyz") return false;
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { allow: "GET, HEAD" }).end();
    return true;
  }
  if (path === "/healthz") {
    send(response, 200, { status: "ok" });
    return true;
  }
  const states: Record<string, UpstreamHealth> = {};
  for (const [name, served] of upstreams) states[name] = served.health();
  const isServed = upstreams.size === 0 || Object.values(states).some(({ state }) => state !== "down");
  const isReady = isServed && !isDraining;
  const status = isDraining ? "closing" : isServed ? "ready" : "down";
  send(response, isReady ? 200 : 503, { status, upstreams: states });
  return true;
}
