import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import { loadCounter } from "../../tokens/token-counter.ts";
import { NamingScope, nameOmissions } from "./name-omissions.ts";
import type { Omission, OmittedItems } from "./omission.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

type Runs = OmittedItems["runs"];

function listOf(items: readonly JsonValue[], runs: Runs, name = "findings"): OmittedItems {
  return { kind: "items", pointer: `/${name}`, name, items, runs };
}

function numbered(count: number, key = "id"): JsonValue[] {
  return Array.from({ length: count }, (_, index) => ({ [key]: `f-${index}` }));
}

/** The whole that contains the lists, which a cut knows too. */
function wholeOf(omissions: readonly Omission[]): JsonValue {
  return Object.fromEntries(
    omissions.flatMap((one) => (one.kind === "items" ? [[one.name, one.items]] : [])),
  );
}

const counter = await loadCounter("o200k_base");
const gaugeOf = (tokens: number) =>
  makeTextWeigher({
    budget: { tokens, bytes: "off" },
    byteLength: (text) => Buffer.byteLength(text),
    counter,
  });

const name = (...omissions: readonly Omission[]) =>
  nameOmissions(omissions, new NamingScope({ whole: wholeOf(omissions) }));

describe("nameOmissions", () => {
  // shows 001.10
  test("names up to two hundred items by their own ids", () => {
    expect(name(listOf(numbered(5), [[3, 4]]))).toEqual(["f-3", "f-4"]);
    expect(name(listOf(numbered(200), [[0, 199]]))).toHaveLength(200);
  });

  test("names more than two hundred by their places, both ends included", () => {
    expect(name(listOf(numbered(201), [[0, 200]]))).toEqual(["/findings/0..200"]);
    expect(name(listOf(numbered(5_000), [[3, 4_999]]))).toEqual(["/findings/3..4999"]);
  });

  // shows 001.10
  test("names items by their ids as long as these take a twentieth of the budget", () => {
    const omission = listOf(numbered(30), [[10, 29]]);
    const ids = Array.from({ length: 20 }, (_, index) => `f-${index + 10}`);
    const budget = counter.count(JSON.stringify(ids)) * 20;
    const nameWithin = (tokens: number) =>
      nameOmissions([omission], new NamingScope({ whole: wholeOf([omission]), gauge: gaugeOf(tokens) }));
    expect(nameWithin(budget)).toEqual(ids);
    expect(nameWithin(budget - 20)).toEqual(["/findings/10..29"]);
  });

  // shows 001.29
  test("counts the items of all lists together", () => {
    const lists = [listOf(numbered(101), [[0, 100]]), listOf(numbered(101, "key"), [[0, 100]], "others")];
    expect(name(...lists)).toEqual(["/findings/0..100", "/others/0..100"]);
  });

  test("names each list in its own way: by ids where it has them, else by place", () => {
    const lists = [listOf(numbered(2), [[0, 1]]), listOf([1, 2, 3], [[1, 2]], "others")];
    expect(name(...lists)).toEqual(["f-0", "f-1", "/others/1..2"]);
  });

  test("writes one item without a range, and several runs apart", () => {
    const items = Array.from({ length: 9 }, (_, index) => index);
    expect(
      name(
        listOf(items, [
          [1, 1],
          [4, 6],
          [8, 8],
        ]),
      ),
    ).toEqual(["/findings/1", "/findings/4..6", "/findings/8"]);
  });

  test.each([
    ["`id`", "findings", { id: "a" }, "a"],
    ["`id`, a number", "findings", { id: 17 }, "17"],
    ["the singular of its list", "findings", { finding_id: "b" }, "b"],
    ["the singular of a list in -ies", "entries", { entry_id: "c" }, "c"],
    ["`key`", "findings", { key: "d" }, "d"],
  ])("knows an item by %s", (_, list, item, id) => {
    expect(name(listOf([item], [[0, 0]], list))).toEqual([id]);
  });

  test("goes by the tool's idPath first", () => {
    const items = [
      { id: "x", meta: { ref: "r-1" } },
      { id: "y", meta: { ref: "r-2" } },
    ];
    expect(
      nameOmissions(
        [listOf(items, [[0, 1]])],
        new NamingScope({ whole: { findings: items }, idPath: "meta.ref" }),
      ),
    ).toEqual(["r-1", "r-2"]);
  });

  test.each([
    ["one item has none", [{ id: "a" }, { title: "b" }]],
    ["an id is neither text nor a whole number", [{ id: "a" }, { id: 1.5 }]],
    ["an id has lost digits", [{ id: "a" }, { id: 2 ** 60 }]],
    ["an id is empty", [{ id: "a" }, { id: "" }]],
    ["an id begins like a pointer", [{ id: "a" }, { id: "/findings/0" }]],
    ["an id begins like the name of a block", [{ id: "a" }, { id: "#content/0" }]],
    ["two of them are the same", [{ id: "a" }, { id: "a" }]],
    ["a number and a text read the same", [{ id: 1 }, { id: "1" }]],
  ])("names items by place where %s", (_, items) => {
    expect(name(listOf(items, [[0, 1]]))).toEqual(["/findings/0..1"]);
  });

  test("names an item by place where a kept one has the same id", () => {
    expect(name(listOf([{ id: "a" }, { id: "b" }, { id: "a" }], [[2, 2]]))).toEqual(["/findings/2"]);
  });

  test("names an item by place where an item of another list, or inside one, has the same id", () => {
    const omission = listOf([{ id: "a" }], [[0, 0]]);
    for (const whole of [
      { findings: omission.items, others: [{ id: "a" }, { id: "b" }] },
      { findings: omission.items, more: { notes: [{ parts: [{ id: "a" }] }] } },
    ])
      expect(nameOmissions([omission], new NamingScope({ whole }))).toEqual(["/findings/0"]);
  });

  test("names what is below a very long key by the place above it", () => {
    const pointer = `/groups/${"k".repeat(5_000)}/tags`;
    expect(name({ kind: "items", pointer, name: "tags", items: [1, 2], runs: [[1, 1]] })).toEqual([
      "/groups/*",
    ]);
    expect(name(listOf([{ id: "x".repeat(5_000) }], [[0, 0]]))).toEqual(["/findings/0"]);
  });

  test("names items by place where another list drops the same id", () => {
    const lists = [listOf([{ id: "a" }], [[0, 0]]), listOf([{ id: "a" }], [[0, 0]], "others")];
    expect(name(...lists)).toEqual(["/findings/0", "/others/0"]);
  });

  test("names the rest of a text by its code points, the end left out", () => {
    expect(name({ kind: "text", pointer: "/body", runs: [[120, 900]], total: 900 })).toEqual([
      "/body#char=120-900",
    ]);
  });

  test("takes a list of many runs together once there are more than fifty names", () => {
    const items = Array.from({ length: 200 }, (_, index) => index);
    const runs: Runs = Array.from({ length: 51 }, (_, index) => [index * 2, index * 2]);
    expect(name(listOf(items, runs.slice(0, 50)))).toHaveLength(50);
    expect(name(listOf(items, runs))).toEqual(["/findings/*"]);
    expect(name(listOf(items, runs), listOf(items, [[5, 199]], "others"))).toEqual([
      "/findings/*",
      "/others/5..199",
    ]);
  });

  test("takes everything below a first key together where many lists lost something", () => {
    const deep = Array.from({ length: 60 }, (_, index): Omission => {
      const pointer = `/groups/${index}/tags`;
      return { kind: "items", pointer, name: "tags", items: [1, 2, 3], runs: [[1, 2]] };
    });
    expect(name(...deep)).toEqual(["/groups/*"]);
    expect(name(...deep, { kind: "part", id: "#content/0" })).toEqual(["/groups/*", "#content/0"]);
    expect(name(...deep, { kind: "text", pointer: "/log", runs: [[10, 900]], total: 900 })).toEqual([
      "/groups/*",
      "/log#char=10-900",
    ]);
  });

  test("names up to eight blocks one by one, more of them together", () => {
    const blocks = Array.from({ length: 9 }, (_, index): Omission => ({
      kind: "part",
      id: `#content/${index}`,
    }));
    expect(name(...blocks.slice(1))).toHaveLength(8);
    expect(name(...blocks)).toEqual(["#content/*"]);
    expect(name(listOf(numbered(5_000), [[3, 4_999]]), ...blocks)).toEqual([
      "/findings/3..4999",
      "#content/*",
    ]);
  });

  test("says `/*` where even the first keys are too many", () => {
    const texts = Array.from({ length: 60 }, (_, index): Omission => {
      return { kind: "text", pointer: `/text_${index}`, runs: [[1, 2]], total: 2 };
    });
    expect(name(...texts)).toEqual(["/*"]);
    expect(name(...texts, { kind: "part", id: "#content/0" })).toEqual(["/*", "#content/*"]);
  });

  test("names a part of a table by the list that it was", () => {
    const parts = ["/$table", "/a/$table", "/a/$table/rows"].map((id) => ({ kind: "part", id }) as const);
    expect(nameOmissions(parts)).toEqual(["/*", "/a"]);
  });
});
