import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json-value.ts";
import { decodeTables, isTable } from "./decode-tables.ts";
import { encodeTables } from "./encode-tables.ts";
import { type TableForm, tableForms } from "./choose-columns.ts";

const rows = (count: number, make: (row: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, row) => make(row));

function wide(width: number, row: number): JsonObject {
  return Object.fromEntries(Array.from({ length: width }, (_, key) => [`key ${key}`, key * row]));
}

function backAndForth(value: JsonValue, form: TableForm = "dense"): JsonValue {
  const encoded = encodeTables(value, form);
  expect(JSON.stringify(decodeTables(JSON.parse(JSON.stringify(encoded)) as JsonValue))).toBe(
    JSON.stringify(value),
  );
  return encoded;
}

describe("a plain table", () => {
  const person = (login: string): JsonObject => ({
    login,
    kind: "User",
    page: `https://example.test/${login}`,
    about: `Has written ${login.length * 7919} lines, and read a few more`,
    team: `team ${login.length * 31}, of the harbour office`,
  });
  const list = rows(12, (id) => ({
    url: `https://example.test/issues/${id + 10}`,
    number: id + 10,
    state: "open",
    author: person(id % 2 === 0 ? "ann" : "carla"),
    ...(id === 3 ? {} : { closed: null }),
  }));

  it("has columns, rows and the mark of a missing key, and nothing else: each cell stands in its place", () => {
    const { $table } = backAndForth(list, "plain") as { $table: JsonObject };
    expect(Object.keys($table)).toEqual(["absent", "columns", "rows"]);
    expect($table).toMatchObject({
      absent: "-",
      columns: [
        "url",
        "number",
        "state",
        "author.login",
        "author.kind",
        "author.page",
        "author.about",
        "author.team",
        "closed",
      ],
    });
    expect(($table["rows"] as JsonValue[])[3]).toEqual([
      "https://example.test/issues/13",
      13,
      "open",
      "carla",
      "User",
      "https://example.test/carla",
      "Has written 39595 lines, and read a few more",
      "team 155, of the harbour office",
      "-",
    ]);
  });

  it("is what is written where no form is asked for", () => {
    expect(encodeTables(list)).toEqual(encodeTables(list, "plain"));
    const { $table } = backAndForth(list, "dense") as { $table: JsonObject };
    expect(Object.keys($table)).toEqual([
      "same",
      "derived",
      "positions",
      "absent",
      "objects",
      "columns",
      "rows",
    ]);
  });

  it("is written inside of cells too", () => {
    const nested = rows(4, (id) => ({ id, title: `title ${id}`, people: rows(4, () => person("ann")) }));
    const text = JSON.stringify(backAndForth(nested, "plain"));
    expect(text).not.toMatch(/"(?:same|derived|positions|objects)":/);
    expect(text.match(/"\$table"/g)?.length).toBeGreaterThan(1);
  });
});

describe("encodeTables", () => {
  it("writes like objects as columns and rows, inner objects flattened", () => {
    const list = rows(3, (id) => ({ id, user: { login: `login-${id}`, points: id * 2 } }));
    expect(backAndForth(list)).toEqual({
      $table: {
        columns: ["id", "user.login", "user.points"],
        rows: [
          [0, "login-0", 0],
          [1, "login-1", 2],
          [2, "login-2", 4],
        ],
      },
    });
  });

  it("states once what is the same in all rows, and what follows from another column", () => {
    const list = rows(4, (id) => ({
      url: `https://example.test/issues/${id + 10}/labels{/name}`,
      number: id + 10,
      author: { type: "User", site_admin: false },
    }));
    expect(backAndForth(list)).toEqual({
      $table: {
        same: { author: { type: "User", site_admin: false } },
        derived: { url: "https://example.test/issues/{number}/labels{/name}" },
        positions: [2, 0],
        columns: ["number"],
        rows: [[10], [11], [12], [13]],
      },
    });
  });

  it("tells a missing key from null", () => {
    const sparse = rows(6, (id) => ({ id, title: `title ${id}`, ...(id % 2 === 0 ? { note: "x" } : {}) }));
    expect(backAndForth(sparse)).toMatchObject({ $table: { absent: null } });
    const withNulls = sparse.map((row) => ({ ...row, closed: null, title: row["id"] === 3 ? null : "-" }));
    expect(backAndForth(withNulls)).toMatchObject({ $table: { absent: "--" } });
  });

  it("finds a name again that is written as in a link", () => {
    const names = ["good first issue", "bug", "area/ui", "100 %", "größer"];
    const list = rows(5, (id) => ({
      url: `https://example.test/labels/${encodeURIComponent(names[id] ?? "")}`,
      name: names[id] ?? "",
    }));
    expect(backAndForth(list)).toEqual({
      $table: {
        derived: { url: "https://example.test/labels/%{name}" },
        positions: [0],
        columns: ["name"],
        rows: names.map((name) => [name]),
      },
    });
  });

  it("keeps links apart that only nearly follow, and names with half a character", () => {
    const names = ["50%", "\ud800", "a b"];
    const list = rows(3, (id) => ({
      link: `https://example.test/of/50%/${names[id] ?? ""}`,
      name: names[id] ?? "",
    }));
    expect(backAndForth(list)).toMatchObject({
      $table: { derived: { link: "https://example.test/of/50%/{name}" } },
    });
    const half = rows(3, (id) => ({
      name: ["a b", "\ud800", "c"][id] ?? "",
      link: `https://example.test/${["a%20b", "half", "c"][id] ?? ""}`,
      kind: "the same for every one of them",
    }));
    expect(backAndForth(half)).toMatchObject({ $table: { columns: ["name", "link"] } });
  });

  it("leaves a derived column out, or null, where its source is", () => {
    const list = rows(6, (id) => ({
      login: id === 1 ? null : `user-${id}`,
      url: id === 1 ? null : `https://example.test/user-${id}`,
      ...(id === 2 ? {} : { team: `t-${id}`, teamUrl: `https://example.test/teams/t-${id}` }),
    }));
    expect(backAndForth(list)).toMatchObject({
      $table: {
        derived: { url: "https://example.test/{login}", teamUrl: "https://example.test/teams/{team}" },
        columns: ["login", "team"],
      },
    });
  });

  it("makes tables of lists inside of cells", () => {
    const labels = (row: number) => rows(4, (id) => ({ name: `label ${row}.${id}`, color: `c${id}` }));
    const inner = { $table: { columns: ["name", "color"] } };
    const list = rows(3, (id) => ({ id, title: `title ${id}`, labels: labels(id) }));
    expect(backAndForth(list)).toMatchObject({
      $table: { columns: ["id", "title", "labels"], rows: [0, 1, 2].map((id) => [id, `title ${id}`, inner]) },
    });
  });

  it("writes a column as the list of its keys when one of them has a dot", () => {
    const list = rows(5, (id) => ({ "a.b": `value ${id}`, a: { b: `other ${id}` }, "": { "": id } }));
    expect(backAndForth(list)).toMatchObject({ $table: { columns: [["a.b"], "a.b", "."] } });
  });

  it("takes rows that have a value where others have an object", () => {
    const list = rows(6, (id) => ({ id, owner: id === 0 ? null : { login: `user ${id}`, kind: `k${id}` } }));
    expect(backAndForth(list)).toMatchObject({
      $table: { columns: ["id", "owner", "owner.login", "owner.kind"] },
    });
  });

  it.each<[string, JsonValue]>([
    ["one object", [{ a: 1 }]],
    ["few short objects", [{ a: 1 }, { a: 2 }]],
    ["lists of other things", { a: [1, 2, 3], b: ["x"], c: [[1], [2]], d: [] }],
    ["objects among other items", [...rows(9, (id) => ({ identifier: id })), null]],
    ["keys in another order", rows(8, (id) => (id < 4 ? { alpha: id, beta: 1 } : { beta: 1, alpha: id }))],
    ["maps without a common key", rows(40, (id) => ({ [`key ${id}`]: id }))],
    ["more keys than a table may have columns", rows(3, (row) => wide(4_097, row))],
    ["a scalar", "text"],
  ])("gives the same value back for %s", (_, value) => {
    for (const form of tableForms) expect(encodeTables(value, form)).toBe(value);
  });

  it("keeps data that looks like a table", () => {
    const table = encodeTables(rows(9, (id) => ({ identifier: id, title: "same" })));
    expect(isTable(table)).toBe(true);
    expect(backAndForth({ kept: table })).toEqual({ kept: { $table: { literal: table } } });
    expect(backAndForth({ $table: 5 })).toEqual({ $table: 5 });
  });

  it("keeps keys that engines treat in their own way", () => {
    const text = `[${rows(6, () => ({}))
      .map((_, id) => `{"10":${id},"2":"v${id}","__proto__":{"x":${id}},"constructor":"c","toString":null}`)
      .join(",")}]`;
    const value = JSON.parse(text) as JsonValue;
    expect(isTable(backAndForth(value))).toBe(true);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("keeps half characters", () => {
    expect(isTable(backAndForth(rows(9, (id) => ({ "\ud800": `\udfff${id}`, text: "\ud83d" }))))).toBe(true);
  });

  it("works at a depth of 1,000", () => {
    let deep: JsonValue = rows(5, (id) => ({ identifier: id, title: "same" }));
    for (let level = 0; level < 498; level++) deep = [{ inner: deep }, { inner: level }];
    expect(backAndForth(deep)).not.toBe(deep);
    let nested: JsonValue = 1;
    for (let level = 0; level < 998; level++) nested = { a: nested };
    expect(backAndForth({ nested })).toEqual({ nested });
  });

  it("leaves what lies deeper as it is, on both ways", () => {
    let deep: JsonValue = { $table: { columns: ["a"], rows: [[1]] } };
    for (let level = 0; level < 1_500; level++) deep = [deep];
    expect(encodeTables(deep)).toBe(deep);
    expect(decodeTables(deep)).toBe(deep);
  });
});

describe("decodeTables", () => {
  const table = (more: JsonObject): JsonObject => ({ $table: { columns: ["a"], rows: [[1]], ...more } });

  it("gives the same value back when there is no table in it", () => {
    const value = { a: [{ b: 1 }, { b: 2 }], $table: [] };
    expect(decodeTables(value)).toBe(value);
  });

  it.each<[string, JsonObject]>([
    ["a row of another length", table({ rows: [[1, 2]] })],
    ["rows that are no lists", table({ rows: [{ a: 1 }] })],
    ["an unknown key", table({ color: "red" })],
    ["a position twice", table({ same: { b: 1, c: 2 }, positions: [1, 1] })],
    ["a position outside", table({ same: { b: 1 }, positions: [2] })],
    ["positions that go backwards", table({ same: { b: 1, c: 2 }, positions: [[2, 1]] })],
    ["positions of three numbers", table({ same: { b: 1, c: 2 }, positions: [[0, 1, 2]] })],
    ["half a character in a link", table({ rows: [["\ud800"]], derived: { b: "x%{a}" }, positions: [1] })],
    ["no position", table({ same: { b: 1 } })],
    ["a text of no column", table({ derived: { b: "x" }, positions: [1] })],
    ["a text of two columns", table({ derived: { b: "{a}{a}" }, positions: [1] })],
    ["objects without a name", table({ objects: [{ columns: ["a"], by: "id", list: [{ name: 1 }] }] })],
    ["a name of no object", table({ objects: [{ columns: ["a"], by: "id", list: [{ id: 2 }] }] })],
    ["objects that are no list", table({ objects: [{ columns: ["a"], by: "id", list: { id: 1 } }] })],
    ["objects in no column", table({ objects: [{ by: "id", list: [{ id: 1 }] }] })],
    ["objects with an unknown key", table({ objects: [{ columns: [], by: "id", list: [], of: 1 }] })],
    ["one column twice", table({ columns: ["a", "a"], rows: [[1, 2]] })],
    ["a value and an object at one place", table({ columns: ["a", "a.b"], rows: [[1, 2]] })],
    ["too many columns", table({ columns: Array.from({ length: 4_097 }, (_, at) => `c${at}`), rows: [] })],
  ])("leaves a damaged table as it is: %s", (_, value) => {
    expect(decodeTables(value)).toBe(value);
  });

  it("gives the object for each name, alone and in lists", () => {
    const one = { id: 1, tags: ["x"] };
    const objects = [{ columns: ["a"], by: "id", list: [one] }];
    const cells = [[1], [null], [[1, 1]], [[]], [{}]];
    expect(decodeTables(table({ objects, rows: cells }))).toEqual([
      { a: one },
      { a: null },
      { a: [one, one] },
      { a: [] },
      { a: {} },
    ]);
  });

  it("does not unfold names into more than an engine can hold", () => {
    const objects = [{ columns: ["a"], by: "id", list: [{ id: 1, text: "x".repeat(60_000) }] }];
    const bomb = table({ objects, rows: [[Array.from({ length: 10_000 }, () => 1)]] });
    expect(decodeTables(bomb)).toBe(bomb);
  });

  it("reads headers that are too deep to be written without an error", () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const damaged = table({ same: { b: deep }, positions: [1] });
    expect(decodeTables(damaged)).toBe(damaged);
  });

  it("does not unfold a short text into more than an engine can hold", () => {
    const bomb = table({
      same: { b: "x".repeat(60_000) },
      positions: [1],
      rows: Array.from({ length: 10_000 }, () => [1]),
    });
    expect(decodeTables(bomb)).toBe(bomb);
  });
});
