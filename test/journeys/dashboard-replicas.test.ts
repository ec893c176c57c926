import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConfigReport, SettingView } from "../../src/doors/gateway/dashboard/protocol/places.ts";
import type { CallDetail } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import type {
  CallPage,
  CallRow,
  Hello,
  Overview,
} from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { createRedisConnection } from "../../src/engine/archive/redis/redis-connection.ts";
import { type GatewayProcess, startGateway } from "../deploy/gateway-process.fixture.ts";
import { type RedisServer, hasRedis, startRedis } from "../services/redis.fixture.ts";
import { type AnyClient, connectClient } from "./attach-clients.fixture.ts";
import { type SignedInPage, signIn } from "./signed-in-page.fixture.ts";

const upstream = fileURLToPath(new URL("replica-upstream.fixture.ts", import.meta.url));

interface Replica {
  readonly process: GatewayProcess;
  readonly client: AnyClient;
  readonly page: SignedInPage;
  readonly name: string;
}

const config = (store: string): object => ({
  store,
  upstreams: { records: { command: process.execPath, args: ["--import", "tsx", upstream] } },
  http: { port: 0 },
});

async function startReplica(redis: RedisServer, more: readonly string[] = []): Promise<Replica> {
  const words = ["gateway", "--dashboard", "0", "--dashboard-actions", ...more, "--config", "FILE"];
  const started = await startGateway(words, config(redis.url), {});
  const page = await signIn(started.stderr);
  const url = new URL(`${started.origin}/records/mcp`);
  const client = await connectClient("2.4.0", new StreamableHTTPClientTransport(url), "modern");
  const { replica = "" } = await page.get<Hello>("/api/hello");
  return { process: started, client, page, name: replica };
}

/** Asks until it holds. */
async function until<Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  let value = await ask();
  for (let left = 400; left > 0 && !holds(value); left--) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    value = await ask();
  }
  return value;
}

describe.runIf(hasRedis())("two replicas on one Redis, each with its page", () => {
  let redis: RedisServer;
  let one: Replica;
  let two: Replica;

  const call = async ({ client }: Replica, times: number): Promise<void> => {
    for (let at = 0; at < times; at++) await client.call("records", { seed: `s${at}`, count: 2 });
  };
  const overview = ({ page }: Replica, query = ""): Promise<Overview> => page.get(`/api/overview${query}`);
  const countsOf = async (replica: Replica, calls: number): Promise<number> => {
    const shown = await until(
      () => overview(replica),
      ({ totals }) => totals.calls >= calls,
    );
    return shown.totals.calls;
  };
  const budgetOn = async ({ page }: Replica): Promise<Partial<SettingView>> => {
    const { upstreams } = await page.get<ConfigReport>("/api/config");
    return upstreams[0]?.settings.find(({ path }) => path === "budget.tokens") ?? {};
  };
  const idsOf = async ({ page }: Replica): Promise<readonly string[]> =>
    (await page.get<CallPage>("/api/calls?limit=1000")).rows.map(({ requestId }) => requestId);

  beforeAll(async () => {
    redis = await startRedis();
    one = await startReplica(redis);
    two = await startReplica(redis);
  });

  afterAll(async () => {
    await Promise.all([one, two].map(({ client }) => client?.close().catch(() => undefined)));
    await Promise.all([one, two].map((replica) => replica?.process.stop()));
    await redis?.stop();
  });

  it("shows on the page of each the calls of both, each once, and of which replica it was", async () => {
    await call(one, 3);
    await call(two, 4);
    expect([await countsOf(one, 7), await countsOf(two, 7)]).toEqual([7, 7]);
    const ids = await idsOf(one);
    expect(new Set(ids).size).toBe(7);
    expect([...(await idsOf(two))].sort()).toEqual([...ids].sort());
    const { rows } = await one.page.get<CallPage>("/api/calls");
    expect(rows.filter(({ replica }) => replica === two.name)).toHaveLength(4);
    const { replicas = [] } = await one.page.get<Hello>("/api/hello");
    expect(replicas.map(({ name, isAlive }) => [name, isAlive])).toEqual([
      [one.name, true],
      [two.name, true],
    ]);
  });

  it("counts one replica by itself, with its tools and charts", async () => {
    const ofTwo = await overview(one, `?replica=${two.name}`);
    expect(ofTwo.totals.calls).toBe(4);
    expect(ofTwo.tools).toMatchObject([{ tool: "records", calls: 4 }]);
    expect(ofTwo.tiles.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
    expect((await overview(one, `?replica=${one.name}`)).totals.calls).toBe(3);
    const all = await overview(one);
    expect(all.tools).toMatchObject([{ tool: "records", calls: 7 }]);
    expect(all.totals.tokensIn).toBe(
      ofTwo.totals.tokensIn + (await overview(one, `?replica=${one.name}`)).totals.tokensIn,
    );
  });

  it("applies on all replicas what was changed on the page of one, and takes it back", async () => {
    const before = (await budgetOn(two)).value;
    await one.page.post("/api/config", { upstream: "records", path: "budget.tokens", value: 777 });
    expect(
      await until(
        () => budgetOn(two),
        ({ value }) => value === 777,
      ),
    ).toMatchObject({ value: 777 });
    await two.page.post("/api/config", { upstream: "records", path: "budget.tokens", value: null });
    expect(
      await until(
        () => budgetOn(one),
        ({ value }) => value === before,
      ),
    ).toMatchObject({ value: before });
    await two.page.post("/api/config", { upstream: "records", path: "budget.tokens", value: 900 });
    expect(
      await until(
        () => budgetOn(one),
        ({ value }) => value === 900,
      ),
    ).toMatchObject({ value: 900 });
  });

  it("gives a replica that comes later the calls and settings of the others", async () => {
    const three = await startReplica(redis);
    try {
      expect(await countsOf(three, 7)).toBe(7);
      await call(three, 1);
      expect([await countsOf(one, 8), await countsOf(three, 8)]).toEqual([8, 8]);
      expect(
        await until(
          () => budgetOn(three),
          ({ value }) => value === 900,
        ),
      ).toMatchObject({
        value: 900,
        origin: "page",
      });
    } finally {
      await three.client.close().catch(() => undefined);
      await three.process.stop();
    }
    // What it counted stays for an hour.
    expect(await countsOf(two, 8)).toBe(8);
  });

  it("goes on while Redis is away, and counts nothing twice when it is back without its data", async () => {
    await redis.kill();
    await call(one, 2);
    await call(two, 3);
    expect((await overview(one, `?replica=${one.name}`)).totals.calls).toBe(5);
    const alone = await until(
      () => one.page.get<Hello>("/api/hello"),
      ({ isAlone }) => isAlone === true,
    );
    expect(alone.isAlone).toBe(true);
    await redis.restart();
    await call(one, 1);
    expect([await countsOf(one, 14), await countsOf(two, 14)]).toEqual([14, 14]);
    // A later look must not add to it.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (const replica of [one, two]) {
      expect((await overview(replica)).totals.calls).toBe(14);
      expect(new Set(await idsOf(replica)).size).toBe(14);
      expect(await idsOf(replica)).toHaveLength(14);
    }
    expect((await Promise.all([one, two].map(budgetOn))).map(({ value }) => value)).toEqual([900, 900]);
    expect(one.process.stderr()).toContain("dashboard-alone");
  });

  it("loses and doubles no call while Redis is restarted in the midst of them", async () => {
    const before = (await overview(one)).totals.calls;
    const calls = Promise.all([call(one, 40), call(two, 40)]);
    for (let times = 0; times < 2; times++) {
      await redis.kill();
      await redis.restart();
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    await calls;
    const all = before + 80;
    expect([await countsOf(one, all), await countsOf(two, all)]).toEqual([all, all]);
    for (const replica of [one, two]) {
      const { rows } = await until(
        () => replica.page.get<CallPage>("/api/calls?limit=1000"),
        (page) => page.rows.length >= all,
      );
      expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(all);
      expect(rows).toHaveLength(all);
    }
    expect((await overview(one)).totals).toMatchObject({ calls: all });
  });

  it("shows what a call went through at the replica that took it, and its content only where both may", async () => {
    const detailOn = async ({ page }: Replica, of: Replica): Promise<CallDetail> => {
      const newest = async (): Promise<CallRow | undefined> =>
        (await page.get<CallPage>("/api/calls")).rows.find(({ replica }) => replica === of.name);
      const row = await until(newest, (found) => found !== undefined);
      return page.get<CallDetail>(`/api/calls/${row?.seq}`);
    };
    const stages = ["outcome", "shape", "fit", "archive", "dialect", "deliver"];
    const withoutBodies = await detailOn(one, two);
    expect(withoutBodies.stages.map(({ stage }) => stage)).toEqual(stages);
    expect(withoutBodies).toMatchObject({ whyNoBodies: "bodies-off", row: { replica: two.name } });
    const open = await Promise.all([1, 2].map(() => startReplica(redis, ["--dashboard-bodies"])));
    const [three, four] = open as [Replica, Replica];
    try {
      await three.client.call("records", { seed: "the-words-of-three" });
      const { bodies, row } = await detailOn(four, three);
      expect(row.replica).toBe(three.name);
      expect(bodies?.arguments.text).toContain("the-words-of-three");
      // One may not show content, whoever has it; and two has none to give.
      const closed = await detailOn(one, three);
      expect([closed.whyNoBodies, closed.bodies, closed.row.replica]).toEqual([
        "bodies-off",
        undefined,
        three.name,
      ]);
      expect((await detailOn(four, two)).bodies).toBeUndefined();
    } finally {
      for (const { client, process: started } of open) {
        await client.close().catch(() => undefined);
        await started.stop();
      }
    }
  });

  it("keeps no argument and no result in Redis", async () => {
    const { client } = one;
    await client.call("records", { seed: "a-word-that-nobody-else-says", count: 2 });
    await countsOf(two, 96);
    const connection = createRedisConnection(redis.url, { timeoutMs: 2_000 });
    const ask = async (...words: readonly string[]): Promise<string> => {
      const reply = await connection.send(...words);
      return (Array.isArray(reply) ? reply.flat(2) : [reply]).map(String).join("\n");
    };
    const keys = (await ask("KEYS", "{waybill:page}*")).split("\n").sort();
    const texts = await Promise.all([
      ask("XRANGE", "{waybill:page}:calls", "-", "+"),
      ...keys.filter((key) => key.includes("totals:")).map((key) => ask("GET", key)),
    ]);
    const left = await Promise.all(keys.map((key) => ask("PTTL", key)));
    await connection.close();
    expect(texts.join("\n").match(/"tool":"records"/g)?.length).toBeGreaterThan(2);
    expect(texts.join("\n")).not.toContain("a-word-that-nobody-else-says");
    expect(left.map(Number).every((ms) => ms > 0 && ms <= 3_600_000)).toBe(true);
  });
});
