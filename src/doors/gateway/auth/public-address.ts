import { isLoopbackHost } from "../../../engine/transport/http/loopback-host.ts";
import type { Problem } from "../../../core/options/explain-issues.ts";
import type { GatewayOptions, UpstreamAuth } from "../gateway-options.ts";

function checksCallers(auth: UpstreamAuth | undefined): boolean {
  return typeof auth === "object";
}

/**
 * Why the gateway may not listen on a public address: an upstream whose callers the gateway does not check.
 * `passthrough` is not a check, since the list of tools and the archive answer before the server is asked.
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
