import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { answerQuestion } from "./answer-question.ts";
import { exampleQuestion } from "./example-question.ts";

const list = { rows: Array.from({ length: 50 }, (_, id) => ({ id })) };

describe("exampleQuestion", () => {
  it.each<[JsonValue, string | undefined]>([
    [
      {
        items: [
          { id: 1, state: "a" },
          { id: 2, state: "b" },
          { id: 3, state: "a" },
        ],
      },
      "count_by(items, &state)",
    ],
    [
      [
        { id: 1, title: "x" },
        { id: 2, title: "y" },
      ],
      "[:10].[id, title]",
    ],
    [{ "a b": { list: [{ "c-d": 1 }, { "c-d": 2 }] } }, '"a b".list[:10].["c-d"]'],
    [[1, 2, 3], "length(@)"],
    [{ total: 3 }, "total"],
    ["text", undefined],
    [[], undefined],
    [{}, undefined],
  ])("of %j is %s", (value, example) => {
    expect(exampleQuestion(value)).toBe(example);
  });

  it.each<[string, JsonValue, Parameters<typeof exampleQuestion>[1], string | undefined]>([
    ["the longest run", list, [{ pointer: "/rows", run: [3, 40] }], "rows[3:13].[id]"],
    ["a short run", list, [{ pointer: "/rows", run: [3, 4] }], "rows[3:5].[id]"],
    ["another list", { ...list, tags: ["a", "b"] }, [{ pointer: "/tags", run: [1, 1] }], "tags[1:2]"],
    ["a text of an item", list, [{ pointer: "/rows/1/id", after: 3 }], "rows[1].id"],
    ["a key of digits", { "7": { a: 1 } }, [{ pointer: "/7/a" }], '"7".a'],
    ["nothing that exists", { a: 1 }, [{ pointer: "/b" }], undefined],
  ])("asks for what is missing: %s", (_, value, missing, example) => {
    expect(exampleQuestion(value, missing)).toBe(example);
  });

  it("has an answer, whatever the keys are called", () => {
    const key = fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom("__proto__", "id", "a-b", "let", "true"),
    );
    const record = fc.dictionary(
      key,
      fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.constant(null)),
      { minKeys: 1, maxKeys: 4 },
    );
    const value = fc.oneof(
      fc.array(record, { minLength: 1, maxLength: 6 }),
      fc
        .tuple(key, fc.array(record, { minLength: 2, maxLength: 6 }))
        .map(([name, list]) => ({ [name]: list, total: list.length })),
    );
    fc.assert(
      fc.property(value, (data) => {
        const example = exampleQuestion(data);
        expect(example === undefined || answerQuestion(data, example, 0).value !== null).toBe(true);
      }),
      lawRuns(2_000),
    );
  });
});
