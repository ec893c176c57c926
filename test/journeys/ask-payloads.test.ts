import { describe, expect, it } from "vitest";
import { orderQuestions } from "../../bench/harness/ask/order-questions.ts";
import { makeOrders } from "../../bench/harness/ask/order-records.ts";
import { payloadSets } from "../../bench/harness/ask/payload-sets.ts";
import { questionSet } from "../../bench/harness/ask/ask-question.ts";
import { putQuestions } from "../../bench/harness/ask/put-questions.ts";
import type { JsonValue } from "../../src/json/json-value.ts";
import { createContract } from "../../src/server/create-contract.ts";
import { loadCounter } from "../../src/tokens/token-counter.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { payloads } from "./payloads.fixture.ts";

const orders = (count: number) =>
  questionSet(`${count} orders`, makeOrders(count) as unknown as JsonValue, orderQuestions);
// Some questions name an order behind the 90,000th, so fewer would leave them without an answer.
const sets = [...payloadSets(payloads), ...(isFullRun ? [orders(100_000)] : [])];

describe.runIf(sets.length > 0)("questions to a payload, computed apart in plain JavaScript", () => {
  it.each(sets)(
    "are right before the cut and after it, in one call each: $name",
    async (set) => {
      const place = { store: "memory", make: createContract };
      const { results } = await putQuestions(set, place, await loadCounter());
      const asked = results.flatMap(({ select, before, after }) => [
        { select, when: "before", isRight: before.isRight, calls: before.calls },
        { select, when: "after", isRight: after.isRight, calls: after.calls },
      ]);
      expect(asked.filter(({ isRight, calls }) => !isRight || calls !== 1)).toEqual([]);
      expect(asked).toHaveLength(set.questions.length * 2);
    },
    isFullRun ? 300_000 : 30_000,
  );
});
