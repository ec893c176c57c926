import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { StructureFacts, blocksHold } from "./facts-held.ts";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const held = (structure: JsonObject, ...texts: readonly string[]): boolean =>
  blocksHold(texts.map(text), new StructureFacts(structure));

describe("a text holds a value of a structure", () => {
  test.each<readonly [JsonObject, string]>([
    [{ allowed: false }, "Allowed: no"],
    [{ allowed: false }, "It is not allowed."],
    [{ deleted: true }, "deleted = true"],
    [{ isActive: true }, "active: yes"],
    [{ max_retries: 3 }, "Max retries: 3"],
    [{ retries: -1 }, "retries: -1"],
    [{ matches: [] }, "No matches"],
    [{ assignee: null }, "assignee: none"],
    [{ port: 8080 }, "listens at 8080"],
    [{ "db-7": { state: "up" } }, "db-7 is up"],
    [
      { rows: [{ id: 1, name: "alder", tall: true }] },
      "| id | name | tall |\n|--|--|--|\n| 1 | alder | true |",
    ],
    [{ rows: [{ id: 1, name: "alder" }] }, "id\tname\n1\talder"],
    [{ rows: [{ id: 1, on: false }] }, '[\n  {\n    "id": 1,\n    "on": false\n  }\n]'],
    [{ name: "数据" }, "这些数据行"],
  ])("%j, said as %j", (structure, words) => {
    expect(held(structure, words)).toBe(true);
  });

  test.each<readonly [JsonValue, readonly string[]]>([
    [7, ["7"]],
    [false, ["false"]],
    [null, ["null"]],
    [[1, 2], ["[1,2]"]],
    [[1, 2], ["[\n  1,\n  2\n]"]],
    [
      [1, 2],
      ["1", "2"],
    ],
    [
      [{ on: true }, { on: false }],
      ['{"on": true}', '{"on": false}'],
    ],
    [{ "db-7": 1 }, ['{\n "db-7":\n 1}']],
  ])("%j as the JSON of what servers wrap in a field, sent as %j", (result, texts) => {
    expect(held({ result }, ...texts)).toBe(true);
  });

  test("such as a flag that says what the result says itself: that the call succeeded", () => {
    for (const echo of [{ ok: true }, { success: true, error: null }]) {
      expect(held(echo, "Row inserted")).toBe(true);
      expect(blocksHold([text("Row refused")], new StructureFacts(echo, true))).toBe(false);
      expect(held({ rows: [echo] }, "Row inserted")).toBe(false);
    }
    expect(held({ ok: false }, "Row inserted")).toBe(false);
  });
});

describe("a text does not hold a value of a structure", () => {
  test.each<readonly [JsonObject, string]>([
    [{ allowed: false }, "Checked."],
    [{ allowed: false }, "Checked what is allowed.\nThere is no other rule."],
    [{ deleted: true }, "Note 7"],
    [{ took: 1 }, "took 12 ms"],
    [{ took: 1 }, "took 0.1 s, or -1"],
    [{ took: 1 }, "1 row"],
    [{ matches: [] }, "Checked."],
    [{ matches: {} }, "Checked."],
    [{ assignee: null }, "Task 41"],
    [{ "db-7": { state: "up" } }, "db-71 is up"],
    [{ users: { ann: { role: "admin" }, bob: { role: "admin" } } }, "ann is admin"],
    [{ by: { alder: 12 } }, "12 were counted"],
    [{ name: "al" }, "alder"],
    [{ name: "alder" }, "alder-2"],
    [{ port: 8080 }, "18080"],
    [{ first: true, second: true }, "true"],
  ])("%j, by %j", (structure, words) => {
    expect(held(structure, words)).toBe(false);
  });
});

describe("a structure holds a text", () => {
  const holds = (structure: JsonObject, words: string): boolean =>
    new StructureFacts(structure).holds([text(words)]);

  test("whose words are words of its own, in its values or its keys", () => {
    expect(holds({ note: "Alder,\nbirch" }, "birch, alder")).toBe(true);
    expect(holds({ createdAt: "2026", is_done: true, "content-type": "x" }, "Created 2026, done: true")).toBe(
      true,
    );
    expect(holds({ count: 3 }, "Count: 3")).toBe(true);
  });

  test.each<readonly [JsonObject, string]>([
    [{ note: "alder" }, "no"],
    [{ name: "alder-2" }, "alder"],
    [{ count: 12 }, "1 count"],
    [{ unit: "none" }, "not"],
  ])("but not %j the text %j, which is part of a longer word", (structure, words) => {
    expect(holds(structure, words)).toBe(false);
  });
});
