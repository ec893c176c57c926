import { isLoopbackHost } from "../../../engine/transport/http/loopback-host.ts";
import type { Problem } from "../../../core/options/explain-issues.ts";
import type { GatewayOptions, UpstreamAuth } from "../gateway-options.ts";

function checksCallers(auth: UpstreamAuth | undefined): boolean {
  return typeof auth === "object";
}

/**
 * What keeps the gateway from listening where others can reach it: an upstream whose callers nobody checks here.
 * `passthrough` does not count, since the list of tools and the archive answer before the server behind is asked.
 */
export function publicAddressProblems({
  http,
  upstreams,
}: Pick<GatewayOptions, "http" | "upstreams">): Problem[] {
  const { host } = http ?? {};
  if (host === undefined || isLoopbackHost(host)) return [];
  return Object.entries(upstreams)
    .filter(([, { auth }]) => !checksCallers(auth))
    .map(([name]) => ({
      path: ["upstreams", name, "auth"],
      part: "value",
      message: `"http.host" is ${JSON.stringify(host)}, which other machines can reach, but nobody checks who calls the upstream "${name}". Give it auth: { gateway: { tokens or jwt } }, or listen on 127.0.0.1.`,
    }));
}
