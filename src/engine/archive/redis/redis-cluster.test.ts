import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import {
  type RedisCluster,
  startRedisCluster,
  waitForCluster,
} from "../../../../test/services/redis-cluster.fixture.ts";
import { hasRedis } from "../../../../test/services/redis.fixture.ts";
import { createRedisRateStore } from "../../guards/redis-rate-store.ts";
import { storeFacts } from "../store-facts.fixture.ts";
import { createRedisConnection } from "./redis-connection.ts";
import { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.ts";

describe("redisStore on a cluster, without one", () => {
  it("takes no limit of bytes", () => {
    expect(() => redisStore("redis://cache?cluster=true", { maxBytes: 5 })).toThrow(/leave maxBytes out/);
  });
});

describe.runIf(hasRedis() && isFullRun)("redisStore on a Redis Cluster", () => {
  let cluster: RedisCluster;
  let count = 0;

  beforeAll(async () => {
    cluster = await startRedisCluster();
  }, 120_000);
  afterAll(() => cluster.stop());
  beforeEach(() => {
    count++;
  });

  const create = (options: RedisStoreOptions = {}): RedisStore =>
    redisStore(cluster.url, { prefix: `test-${count}`, timeoutMs: 20_000, ...options });

  function open(options: RedisStoreOptions = {}): RedisStore {
    const store = create(options);
    onTestFinished(() => store.close());
    return store;
  }

  storeFacts("redisStore on a cluster", { create: async (options) => create(options), isUnlimited: true });

  it("spreads entries over all nodes, and two stores share them with secrets", async () => {
    const [one, other] = [open(), open()];
    const hashes: string[] = [];
    for (let entry = 0; entry < 60; entry++)
      hashes.push((await one.put("a", [JSON.stringify({ entry, pad: "x".repeat(400) })])).entry.hash);
    for (const hash of hashes) expect(await other.has("a", hash)).toBe(true);
    expect((await other.find("a", hashes[7]?.slice(0, 12) ?? "")).map(({ hash }) => hash)).toEqual([
      hashes[7],
    ]);
    const listed = [];
    for await (const { hash } of other.list("a")) listed.push(hash);
    expect(listed.sort()).toEqual(hashes.sort());
    expect(await other.secret("cursor")).toBe(await one.secret("cursor"));
    expect(await one.sweep()).toMatchObject({ entries: 60, expired: 0 });
    for (const { url } of cluster.nodes) {
      const node = createRedisConnection(url, { timeoutMs: 20_000 });
      expect(await node.send("DBSIZE")).toBeGreaterThan(5);
      await node.close();
    }
  });

  it("keeps an entry of many blocks, reads a range of it, and removes all of it", async () => {
    const store = open();
    const text = Array.from({ length: 200_000 }, (_, index) => `${index * 7919}`).join(",");
    const { entry } = await store.put("a", [text]);
    expect(Buffer.from((await store.get("a", entry.hash))?.bytes ?? []).toString()).toBe(text);
    const range = await store.getRange("a", entry.hash, 700_000, 700_050);
    expect(Buffer.from(range?.bytes ?? []).toString()).toBe(text.slice(700_000, 700_050));
    expect(await store.delete("a", entry.hash)).toBe(true);
    expect(await store.get("a", entry.hash)).toBeUndefined();
  });

  it("counts limits that processes share", async () => {
    const connections = [0, 1].map(() => createRedisConnection(cluster.url, { timeoutMs: 20_000 }));
    onTestFinished(async () => {
      for (const connection of connections) await connection.close();
    });
    const away: unknown[] = [];
    const limits = connections.map((connection) =>
      createRedisRateStore(connection, {
        limit: 30,
        periodSeconds: 60,
        prefix: `test-${count}`,
        onAway: (error) => away.push(error),
      }),
    );
    const takes = await Promise.all(
      Array.from({ length: 20 }, () => limits.map((store) => store.take("ann", 1))).flat(),
    );
    expect(takes.filter(({ taken }) => taken)).toHaveLength(30);
    expect(away).toEqual([]);
  });

  it("says what to do when a cluster is taken for a single Redis", async () => {
    const store = redisStore(cluster.url.replace("?cluster=true", ""), { prefix: "single" });
    onTestFinished(() => store.close());
    const puts = Array.from({ length: 8 }, (_, entry) => store.put("a", [`[${entry}]`]));
    const failures = (await Promise.allSettled(puts)).flatMap((put) =>
      put.status === "rejected" ? [String(put.reason)] : [],
    );
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.join("\n")).toMatch(/cluster=true/);
  });

  it("goes on with the other nodes while one is away, and with it when it is back", async () => {
    const store = open({ timeoutMs: 2_000 });
    const put = (entry: number): Promise<boolean> =>
      store.put("a", [`[${entry}]`]).then(
        () => true,
        () => false,
      );
    expect(await Promise.all(Array.from({ length: 40 }, (_, entry) => put(entry)))).not.toContain(false);
    const lost = cluster.nodes[2];
    await lost?.kill();
    await vi.waitFor(
      async () => {
        const kept = await Promise.all(Array.from({ length: 40 }, (_, entry) => put(entry)));
        expect(kept.filter((isKept) => isKept).length).toBeGreaterThan(10);
        expect(kept).toContain(false);
      },
      { timeout: 60_000, interval: 500 },
    );
    await lost?.restart();
    await waitForCluster(cluster.nodes);
    await vi.waitFor(
      async () => {
        const kept = await Promise.all(Array.from({ length: 40 }, (_, entry) => put(entry)));
        expect(kept).not.toContain(false);
      },
      { timeout: 60_000, interval: 500 },
    );
  }, 180_000);
});
