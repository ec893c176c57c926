import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CacheHit, createResultCache } from "./kept-results.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const ttlMs = 100;
const staleMs = 50;
const keys = ["a", "b", "__proto__"];
const key = fc.constantFrom(...keys);
const step = fc.oneof(
  fc.record({ kind: fc.constant("load" as const), key, fails: fc.boolean() }),
  fc.record({ kind: fc.constant("get" as const), key }),
  fc.record({ kind: fc.constant("set" as const), key }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, 49, 50, 51, 99, 100, 150) }),
  fc.record({ kind: fc.constant("settle" as const) }),
);

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve();
}

/** The value of an entry is the time it was made, so that every answer shows its true age. */
describe("createResultCache", () => {
  test("never answers with an entry past its time, and never loads one key twice at once", () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 40 }), async (scheduler, steps) => {
        let now = 0;
        const cache = createResultCache<number>({ ttlMs, staleMs, maxEntries: 2, now: () => now });
        const loading = new Set<string>();
        const broken: unknown[] = [];
        const answers: Promise<unknown>[] = [];

        const judge = (hit: CacheHit<number> | undefined, at: number): void => {
          if (hit === undefined) return;
          const ageMs = at - hit.value;
          const state = ageMs < ttlMs ? "fresh" : "stale";
          if (hit.ageMs !== ageMs || ageMs >= ttlMs + staleMs || hit.state !== state) broken.push(hit);
        };
        const run = (name: string, fails: boolean) => async (): Promise<number> => {
          if (loading.has(name)) broken.push(`two loads of ${name}`);
          loading.add(name);
          await scheduler.schedule(Promise.resolve(), name);
          loading.delete(name);
          if (fails) throw new Error("down");
          return now;
        };
        const load = async (name: string, fails: boolean): Promise<void> => {
          const askedAt = now;
          const answer = await cache.load(name, run(name, fails)).catch(() => undefined);
          if (answer?.state !== "loaded") judge(answer, askedAt);
        };

        for (const step of steps) {
          if (step.kind === "wait") now += step.ms;
          if (step.kind === "set") cache.set(step.key, now);
          if (step.kind === "get") judge(cache.get(step.key), now);
          if (step.kind === "load") answers.push(load(step.key, step.fails));
          if (step.kind === "settle") await settle();
          if (step.kind === "settle" && scheduler.count() > 0) await scheduler.waitNext(1);
        }
        await scheduler.waitIdle();
        await Promise.all(answers);
        expect(broken).toEqual([]);
        expect(keys.filter((name) => cache.get(name) !== undefined).length).toBeLessThan(3);
      }),
      runs,
    ));
});
