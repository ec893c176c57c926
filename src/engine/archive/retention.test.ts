import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { type PostgresServer, hasPostgres, sharedPostgres } from "../../../test/services/postgres.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../../../test/services/redis.fixture.ts";
import type { ArchiveStore } from "./archive-store.ts";
import { fileStore } from "./file/file-store.ts";
import { createTempDirectory } from "./file/file-store.fixture.ts";
import { memoryStore } from "./memory-store.ts";
import { postgresStore } from "./postgres/postgres-store.ts";
import { type RedisStore, redisStore } from "./redis/redis-store.ts";
import { DAY_MS, collect, createTestClock } from "./store-subject.fixture.ts";

interface Opened {
  readonly ttlMs?: number | undefined;
  readonly now: () => number;
  /** Of a directory. */
  readonly durability?: "fsync";
}

/** Opens the same place each time. */
type OpenPlace = (options: Opened) => ArchiveStore;

const HOUR_MS = DAY_MS / 24;
const MINUTE_MS = HOUR_MS / 60;

/** What holds in every store. */
function ownLifetimes(name: string, place: () => OpenPlace): void {
  const openAt = (open: OpenPlace, options: Opened): ArchiveStore => {
    const store = open(options);
    onTestFinished(() => store.close());
    return store;
  };

  it(`${name} keeps an entry no longer than it was put for`, async () => {
    const clock = createTestClock();
    const store = openAt(place(), { ttlMs: DAY_MS, now: clock.now });
    const { entry } = await store.put("a", ["short"], { ttlMs: HOUR_MS });
    const { entry: other } = await store.put("a", ["long"], { ttlMs: 30 * DAY_MS });
    expect(entry.expiresAtMs - entry.storedAtMs).toBe(HOUR_MS);
    expect(other.expiresAtMs - other.storedAtMs).toBe(DAY_MS);
    // The first put begins a sweep of its own, which would count what expires while it runs.
    await store.sweep();
    clock.nowMs += HOUR_MS - 1;
    expect(await store.has("a", entry.hash)).toBe(true);
    clock.nowMs += 2;
    expect(await store.has("a", entry.hash)).toBe(false);
    expect(await store.get("a", entry.hash)).toBeUndefined();
    expect(await store.find("a", entry.hash.slice(0, 12))).toEqual([]);
    expect(await store.sweep()).toMatchObject({ expired: name === "memory" ? 0 : 1, entries: 1 });
    expect((await collect(store.list())).map(({ hash }) => hash)).toEqual([other.hash]);
  });

  it(`${name} gives an entry the lifetime of the last put`, async () => {
    const clock = createTestClock();
    const store = openAt(place(), { ttlMs: DAY_MS, now: clock.now });
    await store.put("a", ["same"], { ttlMs: MINUTE_MS });
    const { entry } = await store.put("a", ["same"]);
    clock.nowMs += 2 * MINUTE_MS;
    expect(await store.has("a", entry.hash)).toBe(true);
    await store.put("a", ["same"], { ttlMs: MINUTE_MS });
    clock.nowMs += MINUTE_MS;
    expect(await store.get("a", entry.hash)).toBeUndefined();
  });

  it.each([0, -1, 1.5, Number.NaN])(`${name} refuses the lifetime %s`, async (ttlMs) => {
    const store = openAt(place(), { ttlMs: DAY_MS, now: createTestClock().now });
    await expect(store.put("a", ["x"], { ttlMs })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
}

/** What holds in a store that others may open, with other settings. */
function changedLifetimes(name: string, place: () => OpenPlace): void {
  it(`${name} was kept for seven days, and is kept for one from now on`, async () => {
    const clock = createTestClock();
    const open = place();
    const before = open({ ttlMs: 7 * DAY_MS, now: clock.now });
    const { entry: old } = await before.put("a", ["x".repeat(600_000)]);
    clock.nowMs += DAY_MS / 2;
    const { entry: young } = await before.put("a", ["young"]);
    await before.close();
    clock.nowMs += DAY_MS / 2 + 1;
    const after = open({ ttlMs: DAY_MS, now: clock.now });
    onTestFinished(() => after.close());
    expect(await after.get("a", old.hash)).toBeUndefined();
    expect(await after.has("a", old.hash)).toBe(false);
    expect((await after.get("a", young.hash))?.entry.expiresAtMs).toBe(young.storedAtMs + DAY_MS);
    expect((await collect(after.list())).map(({ hash }) => hash)).toEqual([young.hash]);
    const report = await after.sweep();
    expect(report).toMatchObject({ expired: 1, entries: 1 });
    expect(report.freedBytes).toBeGreaterThan(0);
    // What a sweep removed does not come back with the longer lifetime.
    const again = open({ ttlMs: 7 * DAY_MS, now: clock.now });
    onTestFinished(() => again.close());
    expect(await again.has("a", old.hash)).toBe(false);
  });

  it.each([1, 30])(
    `${name} that was told no lifetime keeps what was put for %s days so long`,
    async (days) => {
      const clock = createTestClock();
      const open = place();
      const told = open({ ttlMs: days * DAY_MS, now: clock.now });
      onTestFinished(() => told.close());
      const { entry } = await told.put("a", ["told"]);
      clock.nowMs += days * DAY_MS - HOUR_MS;
      const reader = open({ now: clock.now });
      onTestFinished(() => reader.close());
      expect((await reader.get("a", entry.hash))?.entry.expiresAtMs).toBe(entry.expiresAtMs);
      expect(await reader.has("a", entry.hash)).toBe(true);
      expect(await reader.sweep()).toMatchObject({ expired: 0, entries: 1 });
      clock.nowMs += HOUR_MS;
      expect(await reader.has("a", entry.hash)).toBe(false);
      expect(await reader.sweep()).toMatchObject({ expired: 1, entries: 0 });
    },
  );
}

describe("in memory", () => {
  ownLifetimes("memory", () => (options) => memoryStore(options as { now: () => number }));
});

describe("in a directory", () => {
  const place = (): OpenPlace => {
    const directory = createTempDirectory();
    return (options) => fileStore(directory, options as { now: () => number });
  };
  ownLifetimes("a directory", place);
  changedLifetimes("a directory", place);

  it("a lifetime of its own is known to every process, and swept by it", async () => {
    const clock = createTestClock();
    const open = place();
    const one = open({ ttlMs: DAY_MS, now: clock.now, durability: "fsync" });
    const { entry } = await one.put("a", ["short"], { ttlMs: HOUR_MS });
    await one.close();
    clock.nowMs += HOUR_MS + 1;
    const other = open({ ttlMs: DAY_MS, now: clock.now });
    onTestFinished(() => other.close());
    expect(await other.has("a", entry.hash)).toBe(false);
    expect(await other.sweep()).toMatchObject({ expired: 1, entries: 0 });
  });
});

describe.runIf(hasRedis())("in Redis", () => {
  let server: RedisServer;
  let count = 0;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  const place = (): OpenPlace => {
    const url = `${server.url}/0?prefix=retention-${++count}`;
    return (options) => redisStore(url, options as { now: () => number });
  };
  ownLifetimes("Redis", place);
  changedLifetimes("Redis", place);

  async function keysOf({ connection, prefix }: RedisStore, kind: string): Promise<readonly unknown[]> {
    return (await connection.send("KEYS", `${prefix}:${kind}:*`)) as readonly unknown[];
  }

  it("removes the blocks of what a shorter lifetime ends", async () => {
    const clock = createTestClock();
    const open = place();
    const before = open({ ttlMs: 7 * DAY_MS, now: clock.now });
    onTestFinished(() => before.close());
    const { entry } = await before.put("a", ["x".repeat(600_000)]);
    await before.put("b", ["y".repeat(600_000)]);
    clock.nowMs += DAY_MS + 1;
    const after = open({ ttlMs: DAY_MS, now: clock.now }) as RedisStore;
    onTestFinished(() => after.close());
    expect(await keysOf(after, "block")).toHaveLength(6);
    expect(await after.delete("a", entry.hash)).toBe(false);
    expect(await keysOf(after, "block")).toHaveLength(3);
    expect(await after.sweep()).toMatchObject({ expired: 1, entries: 0, storedBytes: 0 });
    expect(await keysOf(after, "block")).toEqual([]);
    expect(await keysOf(after, "entry")).toEqual([]);
  });

  it("takes the lifetime and the prefix of its address", async () => {
    const store = redisStore(`${server.url}/0?ttl=2h&prefix=team`);
    onTestFinished(() => store.close());
    const { entry } = await store.put("a", ["[1]"]);
    expect(entry.expiresAtMs - entry.storedAtMs).toBe(2 * HOUR_MS);
    expect(store.prefix).toBe("team");
    expect(store.location).toBe(`${server.url}/0`);
  });
});

describe.runIf(isFullRun && hasPostgres())("in PostgreSQL", () => {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(async () => {
    for (let at = 1; at <= count; at++) await server.run(`DROP SCHEMA IF EXISTS retention_${at} CASCADE`);
  });

  const place = (): OpenPlace => {
    const url = `${server.url}?schema=retention_${++count}`;
    return (options) => postgresStore(url, options as { now: () => number });
  };
  ownLifetimes("PostgreSQL", place);
  changedLifetimes("PostgreSQL", place);

  it("removes the blocks of what a shorter lifetime ends", async () => {
    const clock = createTestClock();
    const open = place();
    const blocks = async () =>
      (await server.run(`SELECT count(*)::int AS n FROM retention_${count}.blocks`))[0];
    const before = open({ ttlMs: 7 * DAY_MS, now: clock.now });
    onTestFinished(() => before.close());
    const { entry } = await before.put("a", ["x".repeat(600_000)]);
    await before.put("b", ["y".repeat(600_000)]);
    clock.nowMs += DAY_MS + 1;
    const after = open({ ttlMs: DAY_MS, now: clock.now });
    onTestFinished(() => after.close());
    expect(await blocks()).toEqual({ n: 4 });
    expect(await after.delete("a", entry.hash)).toBe(false);
    expect(await blocks()).toEqual({ n: 2 });
    expect(await after.sweep()).toMatchObject({ expired: 1, entries: 0, storedBytes: 0 });
    expect(await blocks()).toEqual({ n: 0 });
  });

  it("a store that was told no lifetime serves what others keep for longer", async () => {
    const clock = createTestClock();
    const open = place();
    const long = open({ ttlMs: 30 * DAY_MS, now: clock.now });
    onTestFinished(() => long.close());
    const { entry } = await long.put("a", ["long"]);
    clock.nowMs += 10 * DAY_MS;
    const reader = open({ now: clock.now });
    onTestFinished(() => reader.close());
    expect((await reader.get("a", entry.hash))?.entry.expiresAtMs).toBe(entry.expiresAtMs);
    expect(await reader.sweep()).toMatchObject({ expired: 0, entries: 1 });
  });
});

describe.runIf(isFullRun && hasPostgres())("in PostgreSQL", () => {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(async () => {
    for (let at = 1; at <= count; at++) await server.run(`DROP SCHEMA IF EXISTS retention_${at} CASCADE`);
  });

  const place = (): OpenPlace => {
    const url = `${server.url}?schema=retention_${++count}`;
    return (options) => postgresStore(url, options as { now: () => number });
  };
  ownLifetimes("PostgreSQL", place);
  changedLifetimes("PostgreSQL", place);

  it("removes the blocks of what a shorter lifetime ends", async () => {
    const clock = createTestClock();
    const open = place();
    const blocks = async () =>
      (await server.run(`SELECT count(*)::int AS n FROM retention_${count}.blocks`))[0];
    const before = open({ ttlMs: 7 * DAY_MS, now: clock.now });
    onTestFinished(() => before.close());
    const { entry } = await before.put("a", ["x".repeat(600_000)]);
    await before.put("b", ["y".repeat(600_000)]);
    clock.nowMs += DAY_MS + 1;
    const after = open({ ttlMs: DAY_MS, now: clock.now });
    onTestFinished(() => after.close());
    expect(await blocks()).toEqual({ n: 4 });
    expect(await after.delete("a", entry.hash)).toBe(false);
    expect(await blocks()).toEqual({ n: 2 });
    expect(await after.sweep()).toMatchObject({ expired: 1, entries: 0, storedBytes: 0 });
    expect(await blocks()).toEqual({ n: 0 });
  });

  it("a store that was told no lifetime serves what others keep for longer", async () => {
    const clock = createTestClock();
    const open = place();
    const long = open({ ttlMs: 30 * DAY_MS, now: clock.now });
    onTestFinished(() => long.close());
    const { entry } = await long.put("a", ["long"]);
    clock.nowMs += 10 * DAY_MS;
    const reader = open({ now: clock.now });
    onTestFinished(() => reader.close());
    expect((await reader.get("a", entry.hash))?.entry.expiresAtMs).toBe(entry.expiresAtMs);
    expect(await reader.sweep()).toMatchObject({ expired: 0, entries: 1 });
  });
});
