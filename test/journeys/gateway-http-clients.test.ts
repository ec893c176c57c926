import { StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type GatewayProcess, startGateway } from "../deploy/gateway-process.fixture.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { type ServerKind, serverKinds } from "./attach-example.fixture.ts";
import { callAllTools } from "./call-all-tools.fixture.ts";
import { type PublishedServer, attachable, makeFolder } from "./published-servers.fixture.ts";

const TOKEN = "journey-token-0123456789";
/** The second one is over nearly every result, so that the clients meet cut results too. */
const budgets = [8_000, 256];

const transports = { "2.4.0": Http24, "1.32.2": Http132, "1.25.3": Http125, "1.18.2": Http118 } as const;

function transportTo(kind: ServerKind, url: URL): object {
  const Http = transports[kind] as new (to: URL, options: object) => object;
  return new Http(url, { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } });
}

function nameOf({ server }: PublishedServer, budget: number): string {
  return `${server}-${budget}`;
}

/** All servers with all budgets behind one gateway, as a file has them. */
function startAll(folder: string): Promise<GatewayProcess> {
  const upstreams = attachable.flatMap((server) =>
    budgets.map((tokens) => [
      nameOf(server, tokens),
      {
        command: process.execPath,
        args: server.nodeArgs(folder),
        env: server.env?.(folder) ?? {},
        budget: { tokens },
        auth: { gateway: { tokens: { journey: "${JOURNEY_TOKEN}" } } },
      },
    ]),
  );
  const config = { http: { port: 0 }, store: "memory", upstreams: Object.fromEntries(upstreams) as object };
  return startGateway(["gateway", "--config", "FILE"], config, { JOURNEY_TOKEN: TOKEN });
}

describe.runIf(isFullRun)("published servers of one configuration, over HTTP", () => {
  it.each(serverKinds)(
    "are used by the client %s without a refusal, all tools, cut and uncut",
    async (kind) => {
      const folder = makeFolder();
      const gateway = await startAll(folder);
      onTestFinished(async () => {
        expect(await gateway.stop()).toBe(0);
      });
      for (const server of attachable)
        for (const budget of budgets) {
          const url = new URL(`${gateway.origin}/${nameOf(server, budget)}/mcp`);
          const client = await connectClient(kind, transportTo(kind, url));
          const { called, refused } = await callAllTools(client, server, folder);
          expect(refused).toEqual([]);
          expect(called.length).toBeGreaterThan(0);
          await client.close();
        }
    },
    120_000,
  );
});
