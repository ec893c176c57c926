import type { IncomingMessage, ServerResponse } from "node:http";
import { EXPOSITION_TYPE } from "./exposition.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";

/** Answers a GET of `/metrics`. */
export function metricsPage(
  metrics: GatewayMetrics,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (_request, response) => {
    const body = metrics.text();
    response.writeHead(200, {
      "content-type": EXPOSITION_TYPE,
      "content-length": Buffer.byteLength(body),
      "cache-control": "no-store",
    });
    response.end(body);
  };
}
