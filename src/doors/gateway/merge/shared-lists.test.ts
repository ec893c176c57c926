import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, hasRedis, startRedis } from "../../../../test/services/redis.fixture.ts";
import { type RedisStore, redisStore } from "../../../engine/archive/redis/redis-store.ts";
import { connectTo, namesOf, openMerge, smallServer, textOf } from "./merge.fixture.ts";

describe.runIf(hasRedis())("replicas on one Redis", () => {
  let server: RedisServer;
  let store: RedisStore;

  beforeAll(async () => {
    server = await startRedis();
    store = redisStore(server.url);
  });

  afterAll(async () => {
    await store.close();
    await server.stop();
  });

  it("give the same names, though one of them has never seen a server up", async () => {
    const web = smallServer("web", { tools: ["search", "fetch"] });
    const notes = smallServer("notes", { tools: ["search"] });
    const one = await openMerge([web, notes], { redis: store });
    expect(await namesOf(await connectTo(one.url, "legacy"))).toContain("web_search");
    const dead = smallServer("notes", { tools: [] });
    const other = await openMerge([smallServer("web", { tools: ["search", "fetch"] }), dead], {
      redis: store,
    });
    for (const era of ["legacy", "modern"] as const) {
      const client = await connectTo(other.url, era);
      expect(await namesOf(client)).toEqual(["web_search", "fetch", "waybill_retrieve"]);
    }
  });

  it("know a name that a client has from another replica, before any list", async () => {
    const pair = () => ["one", "two"].map((name) => smallServer(name, { tools: ["look"] }));
    const first = await openMerge(pair(), { redis: store });
    const [, name = ""] = await namesOf(await connectTo(first.url, "modern"));
    const second = await openMerge(pair(), { redis: store });
    expect(await textOf(await connectTo(second.url, "modern"), name)).toBe("two look 0");
  });

  it("list by what each knows while Redis is away", async () => {
    const alone = await startRedis();
    const away = redisStore(alone.url);
    const servers = [smallServer("far", { tools: ["dig"] }), smallServer("web", { tools: ["search"] })];
    const { url } = await openMerge(servers, { redis: away });
    await alone.stop();
    const client = await connectTo(url, "legacy");
    expect(await namesOf(client)).toContain("dig");
    await away.close();
  });
});
