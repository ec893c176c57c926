import { describe, expect, it } from "vitest";
import { planFor, usualMix } from "../../bench/harness/capacity/plan.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Load, simulate } from "../../bench/harness/capacity/simulate.ts";

const load: Load = {
  callsPerSecond: 2_000,
  kinds: [
    { share: 0.9, gatewayUs: 200, redisUs: 20 },
    { share: 0.1, gatewayUs: 4_000, redisUs: 200 },
  ],
  replicas: 3,
  redisNodes: 1,
  seconds: 10,
};

describe("the simulation of docs/scaling.md", () => {
  it("keeps replicas and Redis as busy as the work that arrives", () => {
    const { calls, replicaBusy, redisBusy } = simulate(load);
    expect(calls / load.seconds / load.callsPerSecond).toBeCloseTo(1, 1);
    // 580 µs and, for two of 1,000 calls, a pause of 10 ms; 38 µs of Redis.
    expect(replicaBusy).toBeCloseTo((2_000 * (580 + 20)) / 3 / 1e6, 1);
    expect(redisBusy).toBeCloseTo((2_000 * 38) / 1e6, 2);
  });

  it("lets calls wait as queueing theory says: times that hardly differ, one server, half busy", () => {
    const kinds = [{ share: 1, gatewayUs: 1_000, redisUs: 100 }];
    const one = { callsPerSecond: 5_000, kinds, replicas: 500, redisNodes: 1, seconds: 20 };
    const { redisBusy, redisWaitP99Ms } = simulate(one);
    expect(redisBusy).toBeCloseTo(0.5, 1);
    // M/D/1 at a load of one half: one in a hundred waits about 3.3 times as long as a visit takes.
    expect(redisWaitP99Ms).toBeGreaterThan(0.25);
    expect(redisWaitP99Ms).toBeLessThan(0.45);
  });

  it("waits less with more replicas, and gives the same figures twice", () => {
    const waits = [2, 3, 6].map((replicas) => simulate({ ...load, replicas }).waitP99Ms);
    expect(waits).toEqual(waits.toSorted((left, right) => right - left));
    expect(simulate(load)).toEqual(simulate(load));
  });
});

describe.runIf(isFullRun)("a plan", () => {
  const redis = (sent: number, cpuUs: number, memoryBytes: number) => ({
    commands: { evalsha: sent },
    bytesIn: memoryBytes,
    bytesOut: 0,
    cpuUs,
    memoryBytes,
  });
  const measured = {
    calls: [
      { size: "1 KB", gatewayUs: 200, serverUs: 30, redis: redis(1, 20, 0) },
      { size: "10 KB", gatewayUs: 300, serverUs: 60, redis: redis(1, 20, 0) },
      { size: "100 KB", gatewayUs: 5_000, serverUs: 400, redis: redis(2, 200, 30_000) },
      { size: "1 MB", gatewayUs: 27_000, serverUs: 5_000, redis: redis(2, 800, 300_000) },
    ],
    retrieval: { gatewayUs: 3_000, redis: redis(2, 80, 0) },
    gatewayRssMb: 200,
  } as const;

  it("keeps within its limits at every rate, with work that grows as the rate does", () => {
    const [small, large] = [1_000, 20_000].map((rate) => planFor(measured, usualMix, rate));
    for (const plan of [small, large]) {
      expect(plan?.queues.waitP99Ms).toBeLessThanOrEqual(50);
      expect(plan?.queues.replicaBusy).toBeLessThanOrEqual(0.65);
    }
    expect(large?.replicas).toBeGreaterThan(10 * (small?.replicas ?? 0));
    expect((large?.archiveGbPerDay ?? 0) / (small?.archiveGbPerDay ?? 1)).toBeCloseTo(20);
    // 7 % of 30 KB and 1 % of 300 KB, a thousand times a second, all day.
    expect(small?.archiveGbPerDay).toBeCloseTo((5_100 * 1_000 * 86_400) / 1e9);
  });

  it("spares Redis the limiter's command where nothing is limited", () => {
    const off = planFor(measured, { ...usualMix, isLimited: false }, 1_000);
    const on = planFor(measured, usualMix, 1_000);
    expect(on.redisCommandsPerSecond - off.redisCommandsPerSecond).toBeCloseTo(1_000);
  });
});
