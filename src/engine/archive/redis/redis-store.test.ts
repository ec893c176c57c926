import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type RedisServer, hasRedis, startRedis } from "../../../../test/services/redis.fixture.ts";
import type { ArchiveStore } from "../archive-store.ts";
import { storeFacts } from "../store-facts.fixture.ts";
import { type RedisStore, type RedisStoreOptions, redisStore } from "./redis-store.ts";

describe.runIf(hasRedis())("redisStore", () => {
  let server: RedisServer;
  let count = 0;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    count++;
  });

  const create = (options: RedisStoreOptions = {}): RedisStore =>
    redisStore(server.url, { prefix: `test-${count}`, ...options });

  function open(options: RedisStoreOptions = {}): RedisStore {
    const store = create(options);
    onTestFinished(() => store.close());
    return store;
  }

  async function keysOf(store: RedisStore, kind: string): Promise<string[]> {
    const keys = (await store.connection.send("KEYS", `${store.prefix}:${kind}:*`)) as readonly Buffer[];
    return keys.map(String);
  }

  async function damage(store: ArchiveStore): Promise<void> {
    const redis = store as RedisStore;
    for (const key of await keysOf(redis, "block")) await redis.connection.send("SETRANGE", key, "7", "?!");
  }

  storeFacts("redisStore", { create: async (options) => create(options), damage });

  it("lets two stores share entries and secrets", async () => {
    const [one, other] = [open(), open()];
    const { entry } = await one.put("a", ["[1,2,3]"]);
    expect(Buffer.from((await other.get("a", entry.hash))?.bytes ?? []).toString()).toBe("[1,2,3]");
    expect(await other.secret("cursor")).toBe(await one.secret("cursor"));
  });

  it("keeps stores of different prefixes apart", async () => {
    const [one, other] = [open(), open({ prefix: "elsewhere" })];
    const { entry } = await one.put("a", ["[1]"]);
    expect(await other.has("a", entry.hash)).toBe(false);
    expect(await other.secret("cursor")).not.toBe(await one.secret("cursor"));
  });

  it("gives every key but the index and secrets an expiry", async () => {
    const store = open({ ttlMs: 5_000 });
    await store.put("a", ["x".repeat(600_000)]);
    for (const key of [...(await keysOf(store, "block")), ...(await keysOf(store, "entry"))]) {
      expect(await store.connection.send("PTTL", key)).toBeGreaterThan(0);
    }
    expect(await keysOf(store, "block")).toHaveLength(3);
  });

  it("removes the blocks of what is deleted, put again or refused", async () => {
    const store = open({ maxBytes: 400_000 });
    const { entry } = await store.put("a", ["x".repeat(600_000)]);
    await store.put("a", ["x".repeat(600_000)]);
    expect(await keysOf(store, "block")).toHaveLength(3);
    await store.delete("a", entry.hash);
    const noise = Array.from({ length: 60 }, () => crypto.getRandomValues(new Uint8Array(10_000)));
    await expect(store.put("a", noise)).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect(await keysOf(store, "block")).toEqual([]);
  });

  it("reads no more blocks than a range touches", async () => {
    const store = open();
    const { entry } = await store.put("a", ["x".repeat(900_000)]);
    const [gone] = (await keysOf(store, "block")).filter((key) => key.endsWith(":3"));
    await store.connection.send("DEL", gone ?? "");
    expect((await store.getRange("a", entry.hash, 10, 700_000))?.bytes).toHaveLength(699_990);
    expect(await store.getRange("a", entry.hash, 10, 800_000)).toBeUndefined();
    expect(await store.get("a", entry.hash)).toBeUndefined();
  });

  it("reports a description that was written over", async () => {
    const store = open();
    const { entry } = await store.put("a", ["[1]"]);
    const [key] = await keysOf(store, "entry");
    for (const text of ["junk", "1 99999999999999 {}", '1 99999999999999 {"upload":"00","packed":"0"}']) {
      await store.connection.send("SET", key ?? "", text);
      await expect(store.get("a", entry.hash)).rejects.toMatchObject({ code: "CORRUPT" });
    }
  });

  it("forgets what Redis itself dropped, at the next sweep", async () => {
    const store = open();
    await store.put("a", ["[1]"]);
    await store.put("a", ["[2]"]);
    const [key] = await keysOf(store, "entry");
    await store.connection.send("DEL", key ?? "");
    expect(await store.sweep()).toMatchObject({ expired: 1, entries: 1 });
  });

  it("says FULL when Redis has no memory left, and keeps what it has", async () => {
    const full = await startRedis({ arguments: ["--maxmemory", "3mb", "--maxmemory-policy", "noeviction"] });
    onTestFinished(() => full.stop());
    const store = redisStore(full.url);
    onTestFinished(() => store.close());
    const { entry } = await store.put("a", ["[1]"]);
    const noise = Array.from({ length: 500 }, () => crypto.getRandomValues(new Uint8Array(10_000)));
    await expect(store.put("a", noise)).rejects.toMatchObject({ code: "FULL" });
    expect(await store.has("a", entry.hash)).toBe(true);
  });

  it.each([
    ["prefix", { prefix: "a b" }],
    ["timeoutMs", { timeoutMs: 0 }],
    ["timeoutMs", { timeoutMs: Number.NaN }],
  ])("refuses a bad %s", (option, options) => {
    expect(() => create(options)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", details: expect.objectContaining({ option }) }),
    );
  });
});
