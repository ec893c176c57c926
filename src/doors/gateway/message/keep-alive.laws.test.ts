import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { KeepAlive } from "./keep-alive.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const value = fc.oneof(
  fc.integer({ min: -10, max: 1_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
);

it("sends values that increase, from the first of its own on, whatever the server says", () => {
  const message = { id: 1, method: "tools/call", params: { _meta: { progressToken: 1 } } };
  fc.assert(
    fc.property(fc.array(fc.oneof(value, fc.constant("silence" as const)), { maxLength: 30 }), (steps) => {
      const alive = new KeepAlive(1_000);
      const sent: number[] = [];
      let ownFrom: number | undefined;
      const hear = (text: string): void =>
        void sent.push((JSON.parse(text) as { params: { progress: number } }).params.progress);
      void alive.during(new Promise(() => undefined), message, {
        tell: (text) => {
          ownFrom ??= sent.length;
          hear(text);
        },
        giveUp: () => undefined,
      });
      for (const step of steps)
        if (step === "silence") vi.advanceTimersByTime(1_000);
        else {
          const params = { progressToken: 1, progress: step };
          hear(
            alive.said(Buffer.from(JSON.stringify({ method: "notifications/progress", params }))).toString(),
          );
        }
      vi.clearAllTimers();
      for (let at = Math.max(1, ownFrom ?? sent.length); at < sent.length; at++)
        expect(sent[at]).toBeGreaterThan(sent[at - 1] ?? Number.NaN);
    }),
    lawRuns(1_000),
  );
});
