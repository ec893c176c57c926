import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import { encodeTables } from "../../json/table/encode-tables.ts";
import { elastic, rootPlace } from "./cut-place.ts";
import { type CutTools, fitValue } from "./cut-value.ts";
import { counter } from "./fit-bench.fixture.ts";
import { makeTextWeigher } from "./weigh-text.ts";

const tools: CutTools = {
  gauge: makeTextWeigher({
    budget: { tokens: 8_000, bytes: "off" },
    counter,
    byteLength: (text) => Buffer.byteLength(text),
  }),
  rank: undefined,
};
const people = Array.from({ length: 20 }, (_, id) => ({
  id,
  login: `user-${id}`,
  page: `https://example.test/people/user-${id}`,
  about: `Number ${id}. ${"A long story without an end. ".repeat(20)}`,
  tags: Array.from({ length: 12 }, (_unused, tag) => `tag-${id}-${tag}`),
}));

describe("a table without room for all of it", () => {
  const table = encodeTables(people);

  test("loses whole rows and stays a table", () => {
    const piece = fitValue(table, 1_200, rootPlace(), tools);
    const decoded = decodeTables(piece?.value ?? null);
    expect(decoded).toEqual(people.slice(0, (decoded as JsonValue[]).length));
    expect(piece?.omissions).toMatchObject([{ kind: "items", pointer: "" }]);
  });

  test("has no row where not even one fits", () => {
    const piece = fitValue(table, 150, rootPlace(), tools);
    expect(decodeTables(piece?.value ?? { $table: { columns: [], rows: [] } })).toEqual([]);
  });

  test("keeps every row where the list may lose none", () => {
    const list = rootPlace({ ...elastic, canDropItems: false });
    expect(fitValue(table, 1_200, list, tools)).toBeUndefined();
  });
});
