import type { Hello } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";

/** What clients have in their configuration to reach this gateway; undefined where they start it themselves. */
export function clientConfiguration({
  transport,
  urls,
}: Pick<Hello, "transport" | "urls">): string | undefined {
  const servers = Object.entries(urls);
  if (transport === "stdio" || servers.length === 0) return undefined;
  const mcpServers = Object.fromEntries(servers.map(([name, url]) => [name, { type: "http", url }]));
  return JSON.stringify({ mcpServers }, undefined, 2);
}
