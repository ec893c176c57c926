import { describe, expect, it } from "vitest";
import { orderQuestions } from "../../bench/harness/ask/order-questions.ts";
import { makeOrders } from "../../bench/harness/ask/order-records.ts";
import { payloadSets } from "../../bench/harness/ask/payload-sets.ts";
import { questionSet } from "../../bench/harness/ask/ask-question.ts";
import { putQuestions } from "../../bench/harness/ask/put-questions.ts";
import type { JsonValue } from "../../src/core/json/json-value.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { payloads } from "./payloads.fixture.ts";

const ORDERS = isFullRun ? 3_000 : 200;
const orders = questionSet("orders", makeOrders(ORDERS) as unknown as JsonValue, orderQuestions);
const sets = [...payloadSets(payloads), orders];

describe("questions whose answers plain JavaScript computes apart", () => {
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
    isFullRun ? 180_000 : 30_000,
  );
});
