// Redis dies under a server that cuts large results, and comes back. Every call is answered all along: with a hash that
// holds, or with the word that nothing was kept; and the server is not started anew.
import { setTimeout as sleep } from "node:timers/promises";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/v4";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type Contract, createContract } from "../../src/doors/server/create-contract.ts";
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import { guardedStore } from "../../src/engine/archive/guarded-store.ts";
import { memoryStore } from "../../src/engine/archive/memory-store.ts";
import { redisStore } from "../../src/engine/archive/redis/redis-store.ts";
import { hasRedis, startRedis } from "../services/redis.fixture.ts";

const CALLERS = 6;
const WAIT = { timeout: 120_000, interval: 25 };
const info = { name: "under-load", version: "1.0.0" };

interface Envelope {
  readonly success: boolean;
  readonly data: { readonly rows: readonly JsonObject[] };
  readonly meta: {
    readonly content_fidelity?: string;
    readonly content_archive_hashes?: Readonly<Record<string, string>>;
    readonly warning_details?: readonly { readonly code: string }[];
  };
}

interface Seen {
  readonly envelope: Envelope;
  readonly hash: string | undefined;
  readonly codes: readonly string[];
}

async function connect(contract: Contract): Promise<Client> {
  const server = contract.server(new McpServer(info));
  const inputSchema = z.object({ turn: z.string() });
  // Each call has a result of its own, so that each needs a write of its own.
  server.registerTool("rows", { description: "Many rows", inputSchema }, ({ turn }) => ({
    rows: Array.from({ length: 500 }, (_, at) => ({ id: `${turn}-${at}`, said: "So it is written." })),
  }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(info);
  await server.connect(far);
  await client.connect(near);
  return client;
}

async function setUp(storeAt: (url: string) => ArchiveStore | string) {
  const redis = await startRedis({ appendOnly: true });
  const events: string[] = [];
  const note = (_fields: object, event: string): void => void events.push(event);
  const store = storeAt(redis.url);
  const contract = createContract({
    ...info,
    budget: { tokens: 600 },
    validate: "always",
    store,
    logger: { info: note, warn: note, error: note },
  });
  const client = await connect(contract);
  onTestFinished(async () => {
    await client.close();
    await contract.close();
    if (typeof store === "object") await store.close();
    await redis.stop();
  });
  return { redis, client, events };
}

async function ask(client: Client, turn: string): Promise<Seen> {
  const result = await client.callTool({ name: "rows", arguments: { turn } });
  const envelope: Envelope = result.structuredContent as never;
  const [hash] = Object.values(envelope.meta.content_archive_hashes ?? {});
  const codes = (envelope.meta.warning_details ?? []).map(({ code }) => code);
  return { envelope, hash, codes };
}

/** Calls from all callers, one after the other each, until told. */
function startLoad(client: Client): { readonly seen: Seen[]; readonly end: () => Promise<void> } {
  const seen: Seen[] = [];
  const over = new AbortController();
  const work = async (caller: number): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn++) {
      seen.push(await ask(client, `${caller}-${turn}`));
      // Bounded: the machine that runs the test also runs Redis.
      await sleep(50);
    }
  };
  // A call that hangs keeps its caller, so that the test ends by its limit.
  const callers = Promise.allSettled(Array.from({ length: CALLERS }, (_, caller) => work(caller)));
  const end = async (): Promise<void> => {
    over.abort();
    const failed = (await callers).flatMap((one) =>
      one.status === "rejected" ? [one.reason as unknown] : [],
    );
    expect(failed).toEqual([]);
  };
  onTestFinished(() => over.abort());
  return { seen, end };
}

/** Waits for a result that came after now. */
async function until(seen: readonly Seen[], isSuch: (one: Seen) => boolean): Promise<void> {
  const from = seen.length;
  await vi.waitFor(() => expect(seen.slice(from).some(isSuch)).toBe(true), WAIT);
}

/** Waits until as many results in a row as there are callers are such: none of another kind is under way. */
async function untilAll(seen: readonly Seen[], isSuch: (one: Seen) => boolean): Promise<void> {
  const from = seen.length;
  await vi.waitFor(() => {
    const last = seen.slice(from).slice(-2 * CALLERS);
    expect(last.length === 2 * CALLERS && last.every(isSuch)).toBe(true);
  }, WAIT);
}

/** How many of the announced archives a client gets back, whole and verified. */
async function countReadable(client: Client, seen: readonly Seen[]): Promise<number> {
  let count = 0;
  for (const { hash, envelope } of seen) {
    const args = { archive: hash ?? "", pointer: `/rows/${envelope.data.rows.length}` };
    const result = await client.callTool({ name: "waybill_retrieve", arguments: args });
    const { data } = result.structuredContent as { data: { verified?: boolean; returned?: number } };
    if (data.verified === true && data.returned === 1) count++;
  }
  return count;
}

const hasHash = ({ hash }: Seen): boolean => hash !== undefined;

describe.runIf(hasRedis())("Redis killed under a server that cuts", () => {
  test.runIf(isFullRun)("costs the hashes, never the results, and they come back with it", async () => {
    const { redis, client, events } = await setUp((url) => url);
    const { seen, end } = startLoad(client);
    await until(seen, hasHash);
    await redis.kill();
    await until(seen, (one) => !hasHash(one));
    await vi.waitFor(() => expect(events).toContain("breaker-opened"), WAIT);
    await untilAll(seen, (one) => !hasHash(one));
    await redis.restart();
    // What was under way when the breaker closed may still end without one.
    await untilAll(seen, hasHash);
    await end();
    expect(seen.filter(({ envelope }) => !envelope.success)).toEqual([]);
    expect(new Set(seen.map(({ envelope }) => envelope.meta.content_fidelity))).toEqual(new Set(["partial"]));
    const [kept, lost] = [seen.filter(hasHash), seen.filter((one) => !hasHash(one))];
    expect(lost.every(({ codes }) => codes.includes("ARCHIVE_WRITE_FAILED"))).toBe(true);
    expect(kept.some(({ codes }) => codes.includes("ARCHIVE_WRITE_FAILED"))).toBe(false);
    // The breaker answers for the store: most of what was lost never waited for it.
    const asked = events.filter((event) => event === "store-failed").length;
    expect(events).toContain("breaker-opened");
    expect(lost.length).toBeGreaterThan(asked);
    expect(seen.slice(-CALLERS).every(hasHash)).toBe(true);
    expect(await countReadable(client, kept)).toBe(kept.length);
  });

  test("with a fallback costs nothing, and says where it is kept", async () => {
    const { redis, client } = await setUp((url) =>
      guardedStore(redisStore(url, { timeoutMs: 20_000 }), {
        timeoutMs: 30_000,
        breaker: { failures: 3, resetMs: 300 },
        // A first read may wait for Redis while the load goes on: nothing of that time may be pushed out.
        fallback: memoryStore({ maxBytes: 2 ** 30 }),
      }),
    );
    const fellBack = ({ codes }: Seen): boolean => codes.includes("FALLBACK_USED");
    const { seen, end } = startLoad(client);
    await until(seen, hasHash);
    await redis.kill();
    await untilAll(seen, fellBack);
    const spare = seen.filter(fellBack);
    expect(await countReadable(client, spare.slice(0, 20))).toBe(Math.min(20, spare.length));
    await redis.restart();
    await untilAll(seen, (one) => !fellBack(one));
    await end();
    expect(seen.filter((one) => !hasHash(one))).toEqual([]);
    expect(spare.length).toBeGreaterThan(0);
    expect(seen.slice(-CALLERS).some(fellBack)).toBe(false);
    expect(await countReadable(client, seen)).toBe(seen.length);
  });
});
