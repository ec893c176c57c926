import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hasRedis, startRedis } from "../../../test/services/redis.fixture.ts";
import { createRedisConnection } from "../archive/redis/redis-connection.ts";
import { createRedisRateStore } from "./redis-rate-store.ts";

async function setUp(limit = 3, periodSeconds = 60) {
  const server = await startRedis();
  const connection = createRedisConnection(server.url, { timeoutMs: 20_000 });
  onTestFinished(async () => {
    await connection.close();
    await server.stop();
  });
  const away: unknown[] = [];
  const onAway = (error: unknown): void => void away.push(error);
  const create = () => createRedisRateStore(connection, { limit, periodSeconds, onAway });
  return { server, connection, away, create, store: create() };
}

describe.runIf(hasRedis())("createRedisRateStore", () => {
  it("takes all of a cost or nothing, and a refusal costs nothing", async () => {
    const { store } = await setUp(5);
    expect(await store.take("ann", 4)).toMatchObject({ taken: true, used: 4 });
    expect(await store.take("ann", 2)).toMatchObject({ taken: false, used: 4 });
    expect(await store.take("ann", 1)).toMatchObject({ taken: true, used: 5 });
    expect(await store.take("ann", 0)).toMatchObject({ taken: true, used: 5 });
    expect(await store.take("bob", 6)).toEqual({ taken: false, used: 0, resetMs: 60_000 });
  });

  it("opens a new window when the period is over", async () => {
    const { store } = await setUp(1, 1);
    expect((await store.take("ann", 1)).taken).toBe(true);
    const refused = await store.take("ann", 1);
    expect(refused.taken).toBe(false);
    expect(refused.resetMs).toBeLessThanOrEqual(1_000);
    await sleep(refused.resetMs + 20);
    expect((await store.take("ann", 1)).taken).toBe(true);
  });

  it("ends a window that somebody left without an end", async () => {
    const { store, connection } = await setUp();
    await store.take("ann", 1);
    const [key] = (await connection.send("KEYS", "waybill:rate:*")) as readonly Buffer[];
    await connection.send("PERSIST", key ?? "");
    await store.take("ann", 1);
    expect(await connection.send("PTTL", key ?? "")).toBeGreaterThan(0);
  });

  it("names no caller in its keys", async () => {
    const { store, connection } = await setUp();
    await store.take("ann@example.com", 1);
    expect(String(await connection.send("KEYS", "*"))).not.toContain("ann");
  });

  it("goes on with the window of this process when Redis is away, and back with Redis", async () => {
    const { server, connection, store, away, create } = await setUp(3);
    await store.take("ann", 2);
    await server.kill();
    expect(await store.take("ann", 2)).toMatchObject({ taken: false, used: 2 });
    expect(await store.take("ann", 1)).toMatchObject({ taken: true, used: 3 });
    expect(await store.take("ann", 1)).toMatchObject({ taken: false });
    expect(away.length).toBe(3);
    await server.restart();
    await vi.waitFor(() => connection.send("PING"), { timeout: 60_000 });
    expect(await create().take("bob", 3)).toMatchObject({ taken: true, used: 3 });
    expect(await create().take("bob", 1)).toMatchObject({ taken: false });
    expect(away.length).toBe(3);
  });
});
