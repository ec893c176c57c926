import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { connectClient } from "./attach-clients.fixture.ts";
import { serverKinds } from "./attach-example.fixture.ts";
import { callAllTools } from "./call-all-tools.fixture.ts";
import { type PublishedServer, gatewayArgs, makeFolder, published } from "./published-servers.fixture.ts";

function start(server: PublishedServer, folder: string, words: readonly string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [...gatewayArgs(["--store", "memory", ...words], [process.execPath, ...server.nodeArgs(folder)])],
    env: { ...(process.env as Record<string, string>), ...server.env?.(folder) },
    stderr: "ignore",
  });
}

// With a budget that nearly every result is over, the same clients meet cut results.
const journeys = published.flatMap((server) =>
  serverKinds.flatMap((client) =>
    [8_000, 256].map((budget) => ({ name: server.server, server, client, budget })),
  ),
);

/**
 * A tool of `server-pdf` waits eight seconds for a viewer, and then fails. One journey waits for it; the others turn a
 * page with it, which is answered at once.
 */
function withoutWaiting(server: PublishedServer): PublishedServer {
  const navigate = { viewUUID: "none", action: "navigate", page: 1 };
  const calls: PublishedServer["calls"] = (folder) => ({ ...server.calls(folder), interact: navigate });
  return server.server === "server-pdf" ? { ...server, calls } : server;
}

const quick = journeys.filter(
  ({ name, client, budget }) => name === "server-memory" && client === "2.4.0" && budget === 256,
);

// Side by side, since most of the time is waiting: for processes, and for a tool that waits for a viewer.
describe.concurrent("a published server behind the gateway", () => {
  it.for(isFullRun ? journeys : quick)(
    "is used by the client $client without a refusal, all tools, with a budget of $budget: $name",
    async ({ server, client: kind, budget }, { onTestFinished }) => {
      const folder = makeFolder(onTestFinished);
      const client = await connectClient(kind, start(server, folder, ["--budget", String(budget)]));
      onTestFinished(() => client.close());
      const isFirst = kind === serverKinds[0] && budget === 8_000;
      const { called, refused } = await callAllTools(
        client,
        isFirst ? server : withoutWaiting(server),
        folder,
      );
      expect(refused).toEqual([]);
      expect(called.length).toBeGreaterThan(0);
    },
  );
});
