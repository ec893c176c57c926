import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { greeting } from "../../src/doors/gateway/bridge/raw-http.fixture.ts";
import { createGateway } from "../../src/doors/gateway/create-gateway.ts";
import type { ListedEntry } from "../../src/engine/archive/archive-store.ts";
import { redisStore } from "../../src/engine/archive/redis/redis-store.ts";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { scriptedServer } from "../../src/engine/transport/scripted-server.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../services/redis.fixture.ts";

const HOUR_MS = 3_600_000;
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

describe.runIf(hasRedis())("a gateway in front of a command, with its archive in Redis", () => {
  let redis: RedisServer;
  let count = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  /** Cuts one result under a configuration and an environment; gives the answer, the tools and what Redis has then. */
  async function cutOne(query: string, file: object, environment: Record<string, string> = {}) {
    const prefix = `journey-${++count}`;
    const place = `${redis.url}/0?prefix=${prefix}${query}`;
    const text = JSON.stringify({ store: place, budget: { tokens: 500 }, ...file });
    const gateway = createGateway({
      upstreams: { own: { ...scriptedServer, probe: "off" } },
      http: { port: 0 },
      config: resolveConfig({ waybill: { file: "w.json", text }, environment }),
      logLevel: "silent",
    });
    onTestFinished(() => gateway.close());
    const url = (await gateway.listen()).urls["own"] ?? "";
    const post = (body: object, more: Record<string, string> = {}): Promise<Response> =>
      fetch(url, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
    const hello = await post(greeting);
    await hello.text();
    const session = {
      "mcp-session-id": hello.headers.get("mcp-session-id") ?? "",
      "mcp-protocol-version": "2025-11-25",
    };
    const ask = async (id: number, method: string, params: object): Promise<string> =>
      (await post({ jsonrpc: "2.0", id, method, params }, session)).text();
    await (await post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).text();
    const tools = await ask(2, "tools/list", {});
    const answer = await ask(3, "tools/call", { name: "huge", arguments: { megabytes: 1 } });
    const store = redisStore(redis.url, { prefix });
    onTestFinished(() => store.close());
    const kept: ListedEntry[] = [];
    for await (const entry of store.list()) kept.push(entry);
    return { answer, tools, lives: kept.map(({ storedAtMs, expiresAtMs }) => expiresAtMs - storedAtMs) };
  }

  it("keeps what it cuts as long as the address says", async () => {
    expect((await cutOne("&ttl=1d", {})).lives).toEqual([24 * HOUR_MS]);
  });

  it("keeps it as long as the environment says, and what a tool leaves out for less", async () => {
    const changed = await cutOne("&ttl=1d", {}, { WAYBILL_STORE_TTL: "6h" });
    expect(changed.lives).toEqual([6 * HOUR_MS]);
    const own = await cutOne("&ttl=1d", { tools: { huge: { store: { ttl: "1h" } } } });
    expect(own.lives).toEqual([HOUR_MS]);
  });

  it("keeps nothing where that is said, and says so", async () => {
    const { answer, tools, lives } = await cutOne("", { archive: "off" });
    expect(lives).toEqual([]);
    expect(answer).not.toContain("waybill_retrieve");
    expect(tools).not.toContain("waybill_retrieve");
    expect((await cutOne("", {})).tools).toContain("waybill_retrieve");
  });
});
