import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { errorRows } from "../../core/contract/error-registry.ts";
import { errorTypes } from "../../core/contract/error-data.ts";
import { type Step, failure, scripted, success } from "./scripted.fixture.ts";

const runs = lawRuns(1_000);

/** What a call met: whether the tool may have run, and the answer that came, if one did. */
interface Meeting {
  readonly mayHaveRun: boolean;
  readonly step: Step;
}

const codes = fc.constantFrom(...errorRows.map(({ code }) => code), "MY_OWN_CODE");
const executed = fc.constantFrom(undefined, "no", "unknown", "yes");

const failures: fc.Arbitrary<Meeting> = fc
  .record({ errorCode: codes, ran: executed, after: fc.option(fc.nat({ max: 3 }), { nil: undefined }) })
  .map(({ errorCode, ran, after }) => ({
    // A limit turns calls away before the tool runs.
    mayHaveRun: ran !== "no" && errorCode !== "RATE_LIMIT_EXCEEDED",
    step: failure("no", {
      errorCode,
      ...(ran === undefined ? {} : { details: { executed: ran } }),
      ...(after === undefined ? {} : { data: { retry_after_seconds: after } }),
    }),
  }));
const own: fc.Arbitrary<Meeting> = fc.constantFrom(...errorTypes).map((errorType) => ({
  mayHaveRun: errorType !== "rate_limit",
  step: failure("no", { errorCode: "AUTHORS_OWN", errorType }),
}));
const losses: fc.Arbitrary<Meeting> = fc
  .constantFrom(
    new Error("socket closed"),
    Object.assign(new Error("timed out"), { code: -32001 }),
    Object.assign(new Error("closed"), { code: -32000 }),
    Object.assign(new Error("Structured content does not match the tool's output schema"), { code: -32602 }),
  )
  .map((step) => ({ mayHaveRun: true, step }));
const nonsense: fc.Arbitrary<Meeting> = fc
  .constantFrom(
    {},
    { content: 1 },
    { content: [], structuredContent: { success: true, data: 1, error: null, meta: {} } },
  )
  .map((step) => ({ mayHaveRun: true, step: step as Step }));
const done: fc.Arbitrary<Meeting> = fc.constant({ mayHaveRun: true, step: success({ n: 1 }) });

const meetings = fc.array(fc.oneof(failures, own, losses, nonsense, done), { minLength: 1, maxLength: 8 });
const hints = fc.constantFrom(
  undefined,
  {},
  { destructiveHint: true },
  { readOnlyHint: false, idempotentHint: false },
);
const attempts = fc.integer({ min: 1, max: 8 });

describe("a tool that is neither idempotent nor read-only", () => {
  test("is never called again once it may have run", async () => {
    let repeated = 0;
    await fc.assert(
      fc.asyncProperty(meetings, hints, attempts, async (list, given, most) => {
        const steps = list.map(({ step }) => step);
        const options = given === undefined ? {} : { hints: given };
        const { client, calls } = scripted(steps, { ...options, retry: { attempts: most } });
        await client.tryCall("work");
        const mayHaveRun = calls.map((_, at) => list[Math.min(at, list.length - 1)]?.mayHaveRun);
        expect(mayHaveRun.slice(0, -1)).not.toContain(true);
        expect(calls.length).toBeLessThanOrEqual(most);
        repeated += calls.length - 1;
      }),
      runs,
    );
    expect(repeated).toBeGreaterThan(0);
  });
});

describe("any tool", () => {
  test("is never called more often than told, nor waited for longer than there is time", async () => {
    const budget = fc.integer({ min: 0, max: 20_000 });
    await fc.assert(
      fc.asyncProperty(
        meetings,
        attempts,
        budget,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (list, most, budgetMs, chance) => {
          const { client, calls, pauses } = scripted(
            list.map(({ step }) => step),
            { hints: { readOnlyHint: true }, random: () => chance, retry: { attempts: most, budgetMs } },
          );
          await client.tryCall("work");
          expect(calls.length).toBeLessThanOrEqual(most);
          expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(budgetMs);
        },
      ),
      runs,
    );
  });
});
