// PostgreSQL dies under a gateway that cuts large results, and comes back. Every call is answered all along: with a hash
// that holds, or with the word that nothing was kept; and the gateway is not started anew.
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startGateway } from "../deploy/gateway-process.fixture.ts";
import { connectClient } from "../journeys/attach-clients.fixture.ts";
import { cut, readWhole } from "../journeys/replica-calls.fixture.ts";
import { hasPostgres, startPostgres } from "../services/postgres.fixture.ts";

const KILLS = 3;
const upstream = fileURLToPath(new URL("../journeys/replica-upstream.fixture.ts", import.meta.url));

async function setUp() {
  const server = await startPostgres({ fsync: true });
  onTestFinished(() => server.stop());
  const records = { command: process.execPath, args: ["--import", "tsx", upstream] };
  const config = { store: server.url, http: { port: 0 }, upstreams: { records } };
  const gateway = await startGateway(["gateway", "--config", "gateway.json"], config, {});
  onTestFinished(async () => void (await gateway.stop()));
  const url = new URL(`${gateway.origin}/records/mcp`);
  // The first request starts the server, which may take longer than a client waits for an answer.
  const connect = () => connectClient("2.4.0", new StreamableHTTPClientTransport(url), "modern");
  const client = await vi.waitFor(connect, { timeout: 60_000 });
  onTestFinished(() => client.close());
  return { server, gateway, client };
}

describe.runIf(hasPostgres())("PostgreSQL killed under a gateway", () => {
  test("costs hashes, never results, and what was announced is read afterwards", async () => {
    const { server, gateway, client } = await setUp();
    const hashes = new Map<string, string>();
    let calls = 0;
    /** Calls until one is kept, or until one is not. */
    const call = async (isKept: boolean): Promise<void> => {
      await vi.waitFor(
        async () => {
          const seed = `call-${calls++}`;
          const hash = await cut(client, seed);
          if (hash !== undefined) hashes.set(seed, hash);
          expect(hash !== undefined).toBe(isKept);
        },
        { timeout: 60_000, interval: 100 },
      );
    };
    for (let kill = 0; kill < KILLS; kill++) {
      await call(true);
      await server.kill();
      await call(false);
      await server.restart();
    }
    await call(true);
    expect(hashes.size).toBeGreaterThan(KILLS);
    for (const [seed, hash] of hashes) await readWhole(client, hash, seed);
    expect(gateway.stderr()).toContain("store-failed");
    expect(gateway.stderr()).not.toMatch(/unhandled|TypeError|right-word/i);
  });
});
