import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../../../../../test/arbitrary/law-runs.ts";
import { type RedisCluster, startRedisCluster } from "../../../../../test/services/redis-cluster.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../../../../../test/services/redis.fixture.ts";
import { type RedisStore, redisStore } from "../../../../engine/archive/redis/redis-store.ts";
import { MAX_CALLS, type Looking, SharedPlace } from "./shared-place.ts";

const kinds = ["one server", ...(isFullRun ? ["a cluster"] : [])] as const;

describe.runIf(hasRedis()).each(kinds)("what replicas keep in Redis, on %s", (kind) => {
  let server: RedisServer | undefined;
  let cluster: RedisCluster | undefined;
  let store: RedisStore;
  let place: SharedPlace;

  const looking = (more: Partial<Looking> = {}): Looking => ({
    replica: "one",
    told: 0,
    after: "",
    count: 100,
    version: "",
    ...more,
  });

  beforeAll(async () => {
    if (kind === "a cluster") cluster = await startRedisCluster();
    else server = await startRedis();
    store = redisStore(cluster?.url ?? server?.url ?? "");
    place = new SharedPlace(store);
  });

  afterAll(async () => {
    await store.close();
    await cluster?.stop();
    await server?.stop();
  });

  it("brings calls in their order, each once, and who is there", async () => {
    await place.tell(["a", "b"]);
    const first = await place.look(looking({ told: 2 }));
    expect(first.entries.map(({ text }) => text)).toEqual(["a", "b"]);
    await place.tell(["c"]);
    const after = first.entries.at(-1)?.id ?? "";
    const second = await place.look(looking({ replica: "two", after }));
    expect(second.entries.map(({ text }) => text)).toEqual(["c"]);
    expect(second.replicas).toEqual([
      { name: "one", isAlive: true },
      { name: "two", isAlive: true },
    ]);
    expect(second.told).toEqual(
      new Map([
        ["one", 2],
        ["two", 0],
      ]),
    );
    expect(second.epoch).toBe(first.epoch);
  });

  it("tells changed settings to replicas that have another version, and keeps the later of two", async () => {
    await place.change([["at", "1"]]);
    const version = await place.change([
      ["at", "2"],
      ["other", "3"],
    ]);
    const { settings, version: now } = await place.look(looking());
    expect([now, settings]).toEqual([
      version,
      new Map([
        ["at", "2"],
        ["other", "3"],
      ]),
    ]);
    expect((await place.look(looking({ version }))).settings).toBeUndefined();
    await place.change(
      [
        ["at", "1"],
        ["new", "4"],
      ],
      true,
    );
    await place.change([["other", ""]]);
    expect((await place.look(looking())).settings).toEqual(
      new Map([
        ["at", "2"],
        ["new", "4"],
      ]),
    );
  });

  it("hands a question to one replica, and its answer over once", async () => {
    await place.ask("two", "what was it?");
    expect((await place.look(looking())).asked).toEqual([]);
    expect((await place.look(looking({ replica: "two" }))).asked).toEqual(["what was it?"]);
    expect((await place.look(looking({ replica: "two" }))).asked).toEqual([]);
    await place.answer("7", "this");
    expect([await place.answerTo("7"), await place.answerTo("7")]).toEqual(["this", undefined]);
  });

  it("keeps the totals of each replica", async () => {
    await place.keepTotals("one", "{}");
    expect([await place.totalsOf("one"), await place.totalsOf("nobody")]).toEqual(["{}", undefined]);
  });

  it.runIf(isFullRun)("keeps no more calls than its limit, but for a part of a block of Redis", async () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => `call ${at}`);
    for (let sent = 0; sent < MAX_CALLS + 5_000; sent += texts.length) await place.tell(texts);
    const kept = await store.connection.send("XLEN", "{waybill:page}:calls");
    expect(Number(kept)).toBeGreaterThanOrEqual(MAX_CALLS);
    expect(Number(kept)).toBeLessThan(MAX_CALLS + 1_000);
  });
});
