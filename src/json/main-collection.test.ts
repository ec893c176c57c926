import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { collectionsOf, mainCollection } from "./main-collection.ts";
import { getByPointer } from "./pointer.ts";

const many = Array.from({ length: 40 }, (_, index) => index);

describe("mainCollection", () => {
  test.each<[string, JsonValue, string | undefined, string | undefined]>([
    ["the longest list", { a: [1], b: [1, 2, 3], c: [1, 2] }, "/b", "b"],
    ["the first among equals", { a: { b: [1, 2] }, c: [1, 2] }, "/a/b", "b"],
    ["a list under other keys", { data: { page: { "a/b": [1] } } }, "/data/page/a~1b", "a/b"],
    ["a value that is a list", [1, 2], "", "items"],
    ["an empty list", { a: [] }, "/a", "a"],
    [
      "the records and not what they hold",
      { issues: [{ labels: [1, 2, 3] }, { labels: [] }] },
      "/issues",
      "issues",
    ],
    ["a lone record and not its labels", { issues: [{ labels: [1, 2, 3] }] }, "/issues", "issues"],
    ["a long list behind a list of one", { results: [{ hits: many }] }, "/results/0/hits", "hits"],
    ["no list", { a: { b: 1 } }, undefined, undefined],
    ["a scalar", 7, undefined, undefined],
  ])("is %s", (_, value, pointer, name) => {
    const main = mainCollection(value);
    expect(main?.pointer).toBe(pointer);
    expect(main?.name).toBe(name);
  });

  test("does not go down for ever", () => {
    let value: JsonValue = [1, 2];
    for (let depth = 0; depth < 50_000; depth++) value = { a: value };
    expect(mainCollection(value)).toBeUndefined();
  });

  test("names where the items stand, for any value", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
        const value = given as JsonValue;
        for (const { pointer, items } of collectionsOf(value))
          expect(getByPointer(value, pointer)).toBe(items);
      }),
      { numRuns: 1_000 },
    ));
});
