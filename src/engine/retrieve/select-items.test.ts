import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../core/json/json-value.ts";
import { selectItems } from "./select-items.ts";
import { eachItem } from "./item-list.ts";

const commits: JsonValue = [
  // Says the other's hash more often and is shorter, so words alone would put it first.
  { sha: "ffff0001", parents: ["aaaa0002"], message: "Reverts aaaa0002, aaaa0002 was wrong" },
  { sha: "aaaa0002", parents: ["bbbb0003"], message: `A long story. ${"It goes on and on. ".repeat(30)}` },
  { sha: "bbbb0003", parents: [], message: "First", number: 65 },
  { sha: "cccc0004", parents: [], message: "See 65, 65 and 65", number: 7 },
];

function firstOf(query: string, value: JsonValue = commits): string | undefined {
  const { items } = selectItems(value, { query });
  return items.count === 0 ? undefined : items.at(0).pointer;
}

describe("a query", () => {
  test("finds the item that has it as a value before those that mention it", () => {
    expect(firstOf("aaaa0002")).toBe("/1");
    expect(firstOf("AAAA0002 ")).toBe("/1");
  });

  test("finds a number so too", () => {
    expect(firstOf("65")).toBe("/2");
  });

  test("finds a text that is an item itself", () => {
    expect(firstOf("copper", ["copper copper copper valve", "copper"])).toBe("/1");
  });

  test("keeps the order of the words among several that have it", () => {
    const value = [{ state: "open", note: "a" }, { note: "open open" }, { state: "open", note: "open" }];
    const { items } = selectItems(value, { query: "open" });
    expect([0, 1, 2].map((index) => items.at(index).pointer)).toEqual(["/2", "/0", "/1"]);
  });

  test("loses nothing that is only mentioned", () => {
    expect(selectItems(commits, { query: "aaaa0002" }).items.count).toBe(2);
  });
});

describe("a name with stars", () => {
  const value: JsonValue = {
    items: [{ id: 1, by: { node_id: "a" } }, { id: 2, node_id: "b" }, "text"],
    meta: { node_id: "c", "*": { x: 1 } },
    text: JSON.stringify({ rows: [{ node_id: "d" }], filler: "x".repeat(60) }),
  };
  const placesOf = (id: string): readonly (readonly [string, JsonValue])[] => {
    const { items } = selectItems(value, { ids: [id] });
    return [...eachItem(items)].map((item) => [item.pointer, item.value]);
  };

  test("names a field of every item of a list, and of every member of an object", () => {
    expect(placesOf("/items/*/id")).toEqual([
      ["/items/0/id", 1],
      ["/items/1/id", 2],
    ]);
    expect(placesOf("/*/node_id")).toEqual([["/meta/node_id", "c"]]);
    expect(placesOf("/meta/*/x")).toEqual([["/meta/*/x", 1]]);
  });

  test("names a field wherever it is, in the JSON of a text too", () => {
    expect(placesOf("/**/node_id")).toEqual([
      ["/items/0/by/node_id", "a"],
      ["/items/1/node_id", "b"],
      ["/meta/node_id", "c"],
      ["/text/rows/0/node_id", "d"],
    ]);
    expect(placesOf("/items/**/node_id").map(([place]) => place)).toEqual([
      "/items/0/by/node_id",
      "/items/1/node_id",
    ]);
  });

  test("has one ** at most, so that a value is walked once", () => {
    expect(() => placesOf("/**/a/**/b")).toThrow(/has \*\* more than once/);
    expect(() => placesOf("/**/nothing")).toThrow(/not found/i);
  });
});
