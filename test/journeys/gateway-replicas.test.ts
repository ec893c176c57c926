import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type GatewayProcess, startGateway } from "../deploy/gateway-process.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../services/redis.fixture.ts";
import { type RoundRobin, startRoundRobin } from "../services/round-robin.fixture.ts";
import { type AnyClient, connectClient } from "./attach-clients.fixture.ts";
import { type Envelope, cut, envelopeOf, readWhole } from "./replica-calls.fixture.ts";
import { recordsOf } from "./replica-records.fixture.ts";

const CLIENTS = 12;
const CALLS_BEFORE = 3;
const CALLS_AFTER = 6;
const tokens = { ada: "ada-token-0123456789", ben: "ben-token-0123456789" };
const upstream = fileURLToPath(new URL("replica-upstream.fixture.ts", import.meta.url));

/** A page of the archive: the items, and the cursor of the next page. */
function pageOf({ structuredContent }: JsonObject): { items: readonly object[]; next: string | undefined } {
  const { data, meta } = structuredContent as unknown as Pick<Envelope, "meta"> & {
    readonly data: { readonly items: readonly { readonly pointer: string }[] };
  };
  return { items: eachRow(data.items), next: meta.pagination?.cursor ?? undefined };
}

describe.runIf(isFullRun && hasRedis())("two replicas on one Redis, behind a round-robin proxy", () => {
  let redis: RedisServer;
  let replicas: readonly GatewayProcess[];
  let proxy: RoundRobin;
  const clients: AnyClient[] = [];

  const connect = async (token: string): Promise<AnyClient> => {
    const url = new URL(`${proxy.origin}/records/mcp`);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const client = await connectClient(
      "2.4.0",
      new StreamableHTTPClientTransport(url, { requestInit }),
      "modern",
    );
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    redis = await startRedis({ appendOnly: true });
    const config = {
      store: redis.url,
      http: { port: 0 },
      upstreams: {
        records: {
          command: process.execPath,
          args: ["--import", "tsx", upstream],
          auth: { gateway: { tokens } },
          rate_limit: { limit: 100_000, period_seconds: 3_600 },
        },
      },
    };
    const words = ["gateway", "--config", "gateway.json"];
    replicas = await Promise.all([0, 1].map(() => startGateway(words, config, {})));
    proxy = await startRoundRobin(replicas.map(({ origin }) => origin));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await proxy.close();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await redis.stop();
  });

  it("give back what the other cut, page by page, and only to its caller", async () => {
    const ada = await connect(tokens.ada);
    const ben = await connect(tokens.ben);
    const hash = (await cut(ada, "first")) ?? "";
    const fetched: object[] = [];
    let cursor: string | undefined;
    do {
      const args = { archive: hash, pointer: "/records", ...(cursor === undefined ? {} : { cursor }) };
      const { items, next } = pageOf(await ada.call("waybill_retrieve", args));
      fetched.push(...items);
      cursor = next;
    } while (cursor !== undefined);
    expect(fetched.length).toBe(recordsOf("first").length);
    expect(envelopeOf(await ben.call("waybill_retrieve", { archive: hash })).success).toBe(false);
    for (const { asked } of proxy.counts) expect(asked).toBeGreaterThan(3);
  });

  it("answer every request once while Redis is restarted, and lose nothing that they announced", async () => {
    const callers = await Promise.all(Array.from({ length: CLIENTS }, () => connect(tokens.ada)));
    const hashes = new Map<string, string>();
    let answered = 0;
    const run = async (client: AnyClient, name: string, from: number, count: number): Promise<void> => {
      for (let call = from; call < from + count; call++) {
        const seed = `${name}-${call}`;
        const hash = await cut(client, seed);
        answered++;
        if (hash !== undefined) hashes.set(seed, hash);
      }
    };
    await Promise.all(callers.map((client, index) => run(client, `c${index}`, 0, CALLS_BEFORE)));
    expect(hashes.size).toBe(CLIENTS * CALLS_BEFORE);
    const during = Promise.all(
      callers.map((client, index) => run(client, `c${index}`, CALLS_BEFORE, CALLS_AFTER)),
    );
    await redis.kill();
    await redis.restart();
    await during;
    expect(answered).toBe(CLIENTS * (CALLS_BEFORE + CALLS_AFTER));
    const [first] = callers;
    if (first === undefined) throw new Error("Nobody called.");
    // The breaker of either replica may still be open for the first calls that it gets.
    await vi.waitFor(async () => expect(await cut(first, "afterwards")).toBeDefined(), { timeout: 60_000 });
    for (const [seed, hash] of hashes) {
      await vi.waitFor(() => readWhole(first, hash, seed), { timeout: 60_000 });
    }
    const [one, two] = proxy.counts;
    expect([one?.answered, two?.answered]).toEqual([one?.asked, two?.asked]);
    for (const replica of replicas) expect(replica.stderr()).not.toMatch(/unhandled|TypeError/i);
  });
});
