import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type RedisServer, hasRedis, startRedis } from "../../../test/services/redis.fixture.ts";
import { createRedisConnection } from "../archive/redis/redis-connection.ts";
import { createRateLimits } from "./rate-limits.ts";
import { createRedisRateStore } from "./redis-rate-store.ts";
import { isFullRun, lawRuns } from "../../../test/arbitrary/law-runs.ts";

const call = fc.record({
  key: fc.constantFrom("ann", "bob", "__proto__"),
  cost: fc.nat({ max: 14 }),
  by: fc.nat({ max: 1 }),
});

function takenBy(url: string, key: string, limit: number): Promise<number> {
  const script = fileURLToPath(new URL("./rate-taker.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, url, key, String(limit)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (data: Buffer) => (printed += data.toString()));
  return new Promise((resolve) => child.once("close", () => resolve(Number(printed))));
}

describe.runIf(hasRedis())("createRedisRateStore", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  test("never lets two clients take more than the limit together, and never forfeits what is left", async () => {
    const connections = [0, 1].map(() => createRedisConnection(server.url, { timeoutMs: 60_000 }));
    let run = 0;
    const calls = fc.array(call, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), calls, async (limit, calls) => {
        const prefix = `run-${run++}`;
        const rule = { limit, periodSeconds: 600 };
        const away: unknown[] = [];
        const onAway = (error: unknown): void => void away.push(error);
        const limits = connections.map((connection) =>
          createRateLimits(rule, { store: createRedisRateStore(connection, { ...rule, prefix, onAway }) }),
        );
        const verdicts = await Promise.all(
          calls.map(async ({ key, cost, by }) => ({
            key,
            cost,
            verdict: await limits[by]?.consume(key, cost),
          })),
        );
        expect(away).toEqual([]);
        for (const name of new Set(calls.map(({ key }) => key))) {
          const mine = verdicts.filter(({ key }) => key === name);
          const spent = mine.reduce(
            (sum, { cost, verdict }) => sum + (verdict?.allowed === true ? cost : 0),
            0,
          );
          expect(spent).toBeLessThanOrEqual(limit);
          expect(mine.every(({ cost, verdict }) => verdict?.allowed === true || spent + cost > limit)).toBe(
            true,
          );
        }
      }),
      lawRuns(1_000),
    );
    for (const connection of connections) await connection.close();
  });

  test.runIf(isFullRun)("lets three processes take exactly the limit together", async () => {
    const taken = await Promise.all([1, 2, 3].map(() => takenBy(server.url, "shared", 500)));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(500);
  });
});
