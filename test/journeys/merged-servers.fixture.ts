import type { GatewayOptions, UpstreamOptions } from "../../src/doors/gateway/gateway-options.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import { type PublishedServer, published } from "./published-servers.fixture.ts";

/** The name of a published server in a configuration: `server-memory` is `memory`. */
export function shortName({ server }: PublishedServer): string {
  return server.replace(/^server-/, "");
}

/** All published servers as upstreams of one gateway. */
export function publishedUpstreams(folder: string): Readonly<Record<string, UpstreamOptions>> {
  return Object.fromEntries(
    published.map((server) => [
      shortName(server),
      { command: process.execPath, args: server.nodeArgs(folder), env: server.env?.(folder) ?? {} },
    ]),
  );
}

export interface RunningMerge {
  readonly url: URL;
  readonly urls: Readonly<Record<string, string>>;
  readonly endpoints: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A gateway that serves all its upstreams at one address. */
export async function startMerged(
  upstreams: GatewayOptions["upstreams"],
  more: Partial<GatewayOptions> = {},
): Promise<RunningMerge> {
  const gateway = createGateway({
    upstreams,
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
    ...more,
  });
  const { urls, merged = "", endpoints = {} } = await gateway.listen();
  return { url: new URL(merged), urls, endpoints, close: () => gateway.close() };
}
