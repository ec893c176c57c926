import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIdempotency } from "./kept-results.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const key = fc.constantFrom("a", "b", "__proto__");
const calls = fc.array(key, { minLength: 1, maxLength: 20 });

function countBy<T>(items: readonly T[], item: T): number {
  return items.filter((other) => other === item).length;
}

describe("createIdempotency", () => {
  test("runs the work exactly once a key, for any interleaving of concurrent calls", () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, async (scheduler, keys) => {
        const idempotency = createIdempotency<string>({ now: () => 0 });
        const worked: string[] = [];
        const call = async (name: string, at: number) => {
          await scheduler.schedule(Promise.resolve(), `call ${at}`);
          return idempotency.run(name, name, async () => {
            worked.push(name);
            await scheduler.schedule(Promise.resolve(), `work ${at}`);
            return `${name} by ${at}`;
          });
        };
        const answers = Promise.all(keys.map(async (name, at) => ({ name, ...(await call(name, at)) })));
        await scheduler.waitIdle();
        for (const name of new Set(keys)) {
          const mine = (await answers).filter((answer) => answer.name === name);
          expect(countBy(worked, name)).toBe(1);
          expect(new Set(mine.map((answer) => answer.value)).size).toBe(1);
          expect(mine.filter((answer) => !answer.replayed)).toHaveLength(1);
        }
      }),
      runs,
    ));

  test("never runs a key twice at once and never after a success, when some works fail", () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.tuple(key, fc.boolean()), { maxLength: 20 }),
        async (scheduler, calls) => {
          const idempotency = createIdempotency<number>({ now: () => 0 });
          const busy = new Set<string>();
          const finished: string[] = [];
          const broken: string[] = [];
          const work = (name: string, fails: boolean) => async (): Promise<number> => {
            if (busy.has(name) || finished.includes(name)) broken.push(name);
            busy.add(name);
            await scheduler.schedule(Promise.resolve(), name);
            busy.delete(name);
            if (fails) throw new Error("down");
            finished.push(name);
            return 1;
          };
          const all = Promise.allSettled(
            calls.map(async ([name, fails]) => {
              await scheduler.schedule(Promise.resolve(), `call ${name}`);
              return idempotency.run(name, name, work(name, fails));
            }),
          );
          await scheduler.waitIdle();
          await all;
          expect(broken).toEqual([]);
        },
      ),
      runs,
    ));
});
