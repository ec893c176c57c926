import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio24 } from "@modelcontextprotocol/client/stdio";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { StdioClientTransport as Stdio118 } from "mcp-sdk-1-18/client/stdio.js";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { StdioClientTransport as Stdio125 } from "mcp-sdk-1-25/client/stdio.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { StdioClientTransport as Stdio132 } from "mcp-sdk-1-32/client/stdio.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import { serverKinds } from "./attach-example.fixture.ts";
import { type ExampleHttp, serveBuilt } from "./attach-http-server.fixture.ts";
import { expectReadable, expectRetrievable, readCuts } from "./cut-expectations.fixture.ts";
import { type Door, cutContract, cutServer, doors, sdkOf } from "./cut-server.fixture.ts";
import { CutTable, type Journey, type TransportName } from "./cut-table.fixture.ts";
import { cutTools } from "./cut-tools.fixture.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";

const stdioEntry = fileURLToPath(new URL("cut-stdio.fixture.ts", import.meta.url));
const stdio = { "2.4.0": Stdio24, "1.32.2": Stdio132, "1.25.3": Stdio125, "1.18.2": Stdio118 };
const http = { "2.4.0": Http24, "1.32.2": Http132, "1.25.3": Http125, "1.18.2": Http118 };

const served = new Map<Door, Promise<ExampleHttp>>();
const table = new CutTable();

function serve(door: Door): Promise<ExampleHttp> {
  const contract = cutContract();
  const server = served.get(door) ?? serveBuilt(sdkOf(door), () => cutServer(door, contract));
  served.set(door, server);
  return server;
}

async function transportTo({ door, transport, client, era }: Journey): Promise<object> {
  if (transport === "http") return new http[client]((await serve(door)).url);
  if (transport === "stdio") {
    const args = ["--import", "tsx", stdioEntry, door];
    return new stdio[client]({ command: process.execPath, args, stderr: "ignore" });
  }
  const [near, far] = memoryPair();
  const server = cutServer(door, cutContract());
  if (era === "modern") serveStdio(() => server as unknown as McpServer, { transport: far as never });
  else await server.connect(far as never);
  return near;
}

async function connect(journey: Journey): Promise<AnyClient> {
  return connectClient(journey.client, await transportTo(journey), journey.era);
}

/** Every client to the door of a server under a contract; over stdio an attached server meets its own and one other. */
function journeysOf(door: Door, transport: TransportName): readonly Journey[] {
  const own = sdkOf(door);
  const all = [
    ...(own === "2.4.0" ? [{ client: own, era: "modern" as const }] : []),
    ...serverKinds.map((client) => ({ client, era: "legacy" as const })),
  ].map((client) => ({ door, transport, ...client }));
  if (door === "contract" || transport !== "stdio") return all;
  const other = own === "2.4.0" ? "1.18.2" : "2.4.0";
  return all.filter(({ client }) => client === own || client === other);
}

const journeys = doors.flatMap((door) =>
  (["memory", "stdio", "http"] as const).flatMap((transport) => journeysOf(door, transport)),
);

afterAll(async () => {
  await Promise.all([...served.values()].map(async (server) => (await server).close()));
  // A run of single tests says nothing about the rest.
  if (table.size < journeys.length) return;
  const folder = new URL("../../bench/results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    new URL("cut-clients.md", folder),
    `# Cut results, read by the clients\n\n${table.toMarkdown()}\n`,
  );
  process.stdout.write(`\n${table.toMarkdown()}\n`);
});

describe("results over the budget", () => {
  it.each(someOf(isFullRun ? journeys : journeys.filter(({ transport }) => transport === "memory"), 1))(
    "of $door reach an SDK $client client, $era, over $transport as listed, and come back whole",
    async (journey) => {
      const client = await connect(journey);
      const counts = { cut: 0, retrieve: 0, resource: 0 };
      onTestFinished(() => {
        table.add(journey, counts, cutTools.length);
        return client.close();
      });
      const cuts = await readCuts(client);
      counts.cut = cuts.length;
      expect(cuts.length).toBe(cutTools.length);
      for (const cut of cuts) {
        await expectRetrievable(client, cut);
        counts.retrieve++;
        await expectReadable(client, cut, journey.era === "modern");
        counts.resource++;
      }
    },
  );
});
