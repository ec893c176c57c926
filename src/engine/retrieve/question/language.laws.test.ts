import { search } from "@jmespath-community/jmespath";
import * as fc from "fast-check";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { isFullRun, lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { answerQuestion } from "./answer-question.ts";
import { anyExpression, hostileExpression, plainExpression, questionedData } from "./expressions.fixture.ts";
import { openQuestions } from "./open-questions.ts";

const TIMEOUT_MS = 1_000;

/** Whatever the community's own evaluator gives; undefined where it throws. */
function theirs(data: JsonValue, expression: string): string | undefined {
  try {
    return JSON.stringify(search(data as never, expression) ?? null);
  } catch {
    return undefined;
  }
}

/** Our answer as JSON, or the code of the fault. Anything else that is thrown fails the test. */
function ours(data: JsonValue, expression: string): { readonly json?: string; readonly fault?: ToolFault } {
  try {
    return { json: JSON.stringify(answerQuestion(data, expression, 0).value) };
  } catch (error) {
    if (ToolFault.isInstance(error)) return { fault: error };
    throw error;
  }
}

describe("the language", () => {
  it("answers as the community's own evaluator does, where that one is right", () => {
    let compared = 0;
    fc.assert(
      fc.property(questionedData, plainExpression, (data, expression) => {
        const expected = theirs(data, expression);
        const { json, fault } = ours(data, expression);
        if (expected !== undefined && json !== undefined) compared++;
        // A key that is nowhere is explained here; there it is null, which later steps may make something of.
        return (
          expected === undefined ||
          (json === undefined ? fault?.details?.["missing"] !== undefined : json === expected)
        );
      }),
      lawRuns(10_000, 400),
    );
    expect(compared).toBeGreaterThan(isFullRun ? 2_000 : 50);
  });

  it("never throws anything but a fault, whatever the expression is", () => {
    fc.assert(
      fc.property(questionedData, anyExpression, (data, expression) => {
        const { json, fault } = ours(data, expression);
        expect(json !== undefined || ["INVALID_FORMAT", "TOO_LARGE"].includes(fault?.code ?? "")).toBe(true);
      }),
      lawRuns(10_000, 300),
    );
  });

  it(
    "answers or refuses hostile expressions in a worker, in time, and leaves this thread alone",
    { timeout: 1_200_000 },
    async () => {
      const questions = await openQuestions();
      const ask = async ([data, expression]: readonly [JsonValue, string]): Promise<string> => {
        try {
          // A call does so before its tool runs.
          await questions?.check(expression);
          const answer = await questions?.ask({ value: data }, expression, { timeoutMs: TIMEOUT_MS });
          return answer?.value === undefined ? "nothing" : "answered";
        } catch (error) {
          return ToolFault.isInstance(error) ? error.code : String(error);
        }
      };
      const expression = fc.oneof(
        { arbitrary: anyExpression, weight: 29 },
        // Each may take as long as a question may.
        { arbitrary: hostileExpression, weight: isFullRun ? 1 : 0 },
      );
      const stalls: number[] = [];
      const { numRuns, seed } = lawRuns(1_000, 100);
      for (let batch = 0; batch < (isFullRun ? 4 : 1); batch++) {
        // Made before the clock runs: making them takes this thread's time. Each batch has cases of its own.
        const cases = fc.sample(fc.tuple(questionedData, expression), { numRuns, seed: seed + batch });
        // A new one for each batch: one that is enabled again counts the time between as a stall.
        const delay = monitorEventLoopDelay({ resolution: 2 });
        delay.enable();
        for (const one of cases)
          expect({ one, ending: await ask(one) }).toHaveProperty(
            "ending",
            expect.stringMatching(/^(?:answered|INVALID_FORMAT|TOO_LARGE|TIMEOUT)$/),
          );
        delay.disable();
        stalls.push(delay.max / 1e6);
      }
      if (isFullRun)
        process.stderr.write(
          `questions: the longest that this thread stood still, in ms for each 1,000: ${stalls.map(Math.round).join(" ")}\n`,
        );
    },
  );
});
