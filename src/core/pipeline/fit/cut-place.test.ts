import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import { decodeTables } from "../../json/table/decode-tables.ts";
import { encodeTables } from "../../json/table/encode-tables.ts";
import { elastic, rootPlace } from "./cut-place.ts";
import { type CutTools, fitValue } from "./cut-value.ts";
import { KnownText } from "./known-text.ts";
import { counter } from "./fit-bench.fixture.ts";
import { makeTextWeigher } from "./weigh-parcel.ts";

const tools: CutTools = {
  gauge: makeTextWeigher({
    budget: { tokens: 8_000, bytes: "off" },
    counter,
    byteLength: (text) => Buffer.byteLength(text),
  }),
  rank: undefined,
  known: new KnownText(),
};
const people = Array.from({ length: 20 }, (_, id) => ({
  id,
  login: `user-${id}`,
  page: `https://example.test/people/user-${id}`,
  about: `Number ${id}. ${"A long story without an end. ".repeat(20)}`,
  tags: Array.from({ length: 12 }, (_unused, tag) => `tag-${id}-${tag}`),
}));

describe("a table without room for all of it", () => {
  const table = encodeTables(people, "dense");

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

describe("a table whose header is most of it", () => {
  const about = (id: number): string =>
    `${id} ${"has seen the harbour and the bridge in winter. ".repeat(12)}`;
  const owners = Array.from({ length: 12 }, (_, id) => ({ id: `o-${id}`, about: about(id), plan: "free" }));
  const parcels = Array.from({ length: 60 }, (_, id) => ({
    id,
    state: id % 2 === 0 ? "sent" : "kept",
    from: owners[Math.floor(id / 5)] ?? null,
    to: owners[Math.floor(id / 5)] ?? null,
  }));
  const table = encodeTables(parcels, "dense");

  test("is written anew for the rows that are kept, with the objects of those alone", () => {
    expect(table).toMatchObject({ $table: { objects: [{ columns: ["from", "to"], by: "id" }] } });
    const piece = fitValue(table, 800, rootPlace(), tools);
    const decoded = decodeTables(piece?.value ?? null) as JsonValue[];
    expect(decoded.length).toBeGreaterThan(10);
    expect(decoded).toEqual(parcels.slice(0, decoded.length));
    expect(counter.count(JSON.stringify(piece?.value))).toBeLessThanOrEqual(800);
    expect(piece?.omissions).toMatchObject([{ kind: "items", pointer: "", runs: [[decoded.length, 59]] }]);
  });

  test("has no row where not even one has room, and keeps what is beside it", () => {
    const long = [0, 1, 2].map((id) => ({
      id,
      text: about(id).repeat(9),
      owner: owners[id] ?? null,
      more: owners,
    }));
    const piece = fitValue({ parcels: encodeTables(long, "dense"), state: "sent" }, 320, rootPlace(), tools);
    expect(decodeTables(piece?.value ?? null)).toEqual({ parcels: [], state: "sent" });
    expect(piece?.omissions).toMatchObject([{ kind: "items", pointer: "/parcels", runs: [[0, 2]] }]);
    expect(fitValue(encodeTables(long, "dense"), 320, rootPlace(), tools)).toBeUndefined();
  });

  test("leaves room to what is beside it", () => {
    const both = { parcels: table, notes: owners.map(({ about: note }) => note) };
    const piece = fitValue(both, 1_000, rootPlace(), tools);
    const { parcels: kept, notes } = decodeTables(piece?.value ?? null) as Record<string, JsonValue[]>;
    expect(kept?.length).toBeGreaterThan(0);
    expect(notes?.length).toBeGreaterThan(0);
  });
});
