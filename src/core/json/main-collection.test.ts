import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "./json-value.ts";
import { collectionsOf, mainCollection, ownId, singularOf } from "./main-collection.ts";
import { getByPointer } from "./pointer.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

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

  test("names where the items are, for any value", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (given) => {
        const value = given as JsonValue;
        for (const { pointer, items } of collectionsOf(value))
          expect(getByPointer(value, pointer)).toBe(items);
      }),
      lawRuns(1_000),
    ));
});

describe("ownId", () => {
  test.each<[JsonValue, string, string | undefined, string | undefined]>([
    [{ id: "f-1", key: "k" }, "findings", undefined, "f-1"],
    [{ finding_id: "f-2", key: "k" }, "findings", undefined, "f-2"],
    [{ key: "k" }, "findings", undefined, "k"],
    [{ id: 17 }, "findings", undefined, "17"],
    [{ id: 2 ** 60 }, "findings", undefined, undefined],
    [{ id: "", key: "k" }, "findings", undefined, "k"],
    [{ id: { deep: 1 } }, "findings", undefined, undefined],
    [{ id: "a", meta: { ref: "b" } }, "findings", "meta.ref", "b"],
    [{ id: "a", meta: { ref: "b" } }, "findings", "/meta/ref", "b"],
    [{ id: "a" }, "findings", "meta.ref", "a"],
    ["text", "findings", undefined, undefined],
    [[{ id: "a" }], "findings", undefined, undefined],
    [null, "findings", undefined, undefined],
  ])("of %j in %s (path %s) is %s", (item, name, idPath, id) => {
    expect(ownId(item, name, idPath)).toBe(id);
  });
});

describe("singularOf", () => {
  test.each([
    ["findings", "finding"],
    ["entries", "entry"],
    ["statuses", "status"],
    ["status", "status"],
    ["addresses", "address"],
    ["branches", "branch"],
    ["boxes", "box"],
    ["issues", "issue"],
    ["databases", "database"],
    ["data", "data"],
    ["", ""],
  ])("%s: %s", (plural, singular) => {
    expect(singularOf(plural)).toBe(singular);
  });
});
