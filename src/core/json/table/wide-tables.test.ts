import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../json-value.ts";
import { decodeTables } from "./decode-tables.ts";
import { encodeTables } from "./encode-tables.ts";

const rows = (count: number, make: (row: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, row) => make(row));

function tableOf(value: JsonValue): JsonObject {
  const encoded = encodeTables(value, "dense");
  const text = JSON.stringify(encoded);
  expect(JSON.stringify(decodeTables(JSON.parse(text) as JsonValue))).toBe(JSON.stringify(value));
  return ((encoded as JsonObject)["$table"] ?? {}) as JsonObject;
}

function person(login: string): JsonObject {
  const page = `https://example.test/${login}`;
  const about = `Has written ${login.length * 7919} lines, and read a few more`;
  return { login, page, repos: `${page}/repos`, about, type: "User", admin: false };
}

const people = ["ann", "ben", "carla", "dieter"];

describe("objects that repeat inside of records", () => {
  it("are written once, and named in the rows", () => {
    const list = rows(12, (id) => ({ id, author: person(people[(id % 2) * 2] ?? "") }));
    expect(tableOf(list)).toEqual({
      objects: [
        {
          columns: ["author"],
          by: "login",
          list: {
            $table: {
              derived: { page: "https://example.test/{login}", repos: "https://example.test/{login}/repos" },
              positions: [1, 2],
              columns: ["login", "about", "type", "admin"],
              rows: [
                ["ann", "Has written 23757 lines, and read a few more", "User", false],
                ["carla", "Has written 39595 lines, and read a few more", "User", false],
              ],
            },
          },
        },
      ],
      columns: ["id", "author"],
      rows: rows(12, () => ({})).map((_, id) => [id, people[(id % 2) * 2]]),
    });
  });

  it("are shared by columns, also by those whose cells are lists", () => {
    const list = rows(12, (id) => ({
      id,
      author: person(people[id % 4] ?? ""),
      head: { sha: `sha-${id * 7919}`, user: person(people[id % 4] ?? "") },
      reviewers: people.slice(0, id % 3).map(person),
      closedBy: id % 2 === 0 ? null : person("ann"),
    }));
    const { objects, derived, columns } = tableOf(list);
    expect(objects).toMatchObject([
      { columns: ["author", "head.user", "reviewers", "closedBy"], by: "login" },
    ]);
    expect(derived).toMatchObject({ author: "{head.user}" });
    expect(columns).toEqual(["id", "head.sha", "head.user", "reviewers", "closedBy"]);
  });

  it("may be the same in all rows, and be in two columns, although it is said once", () => {
    const list = rows(5, (id) => ({ id, from: person("ann"), to: person("ann") }));
    expect(tableOf(list)).toMatchObject({
      same: { from: "ann", to: "ann" },
      objects: [{ list: [person("ann")] }],
    });
  });

  it("are named by another key where two of them have one name", () => {
    const repo = (id: number): JsonObject => ({ ...person("x".repeat(id + 1)), login: "ann", id });
    const list = rows(12, (id) => ({ id, repo: repo(id % 3) }));
    expect(tableOf(list)).toMatchObject({ objects: [{ columns: ["repo"], by: "id" }] });
  });

  it("stay in their places where a text or a number could be taken for a name", () => {
    const list = rows(12, (id) => ({ id, author: id === 5 ? "ann" : person(people[id % 2] ?? "") }));
    expect(tableOf(list)).not.toHaveProperty("objects");
  });

  it("stay in their places where nothing repeats", () => {
    const list = rows(12, (id) => ({ id, author: person(`user-${id}`) }));
    expect(tableOf(list)).not.toHaveProperty("objects");
  });

  it("may be called like the setters and methods of every object", () => {
    const names = ["__proto__", "constructor", "toString"];
    const list = rows(12, (id) => ({ id, author: person(names[id % 3] ?? "") }));
    expect(tableOf(list)).toMatchObject({ objects: [{ by: "login" }] });
  });
});

describe("wide records", () => {
  it("become tables though they have more keys than most", () => {
    const wide = (row: number): JsonObject =>
      Object.fromEntries(Array.from({ length: 600 }, (_, key) => [`key ${key}`, key * row]));
    expect(tableOf(rows(3, wide))["columns"]).toHaveLength(600);
  });

  it("state a whole object once that is the same in all rows", () => {
    const repo = { name: "terse", owner: person("ann"), topics: ["a", "b"], license: null };
    const list = rows(4, (id) => ({ id, base: { sha: `sha-${id}`, repo } }));
    expect(tableOf(list)).toMatchObject({ same: { "base.repo": repo }, columns: ["id", "base.sha"] });
  });

  it("keep objects whole that are used as maps, and flatten the others", () => {
    const list = rows(20, (id) => ({
      id,
      owner: { login: `login-${id * 31}`, team: `team-${id * 17}` },
      notes: { [`first-${id}`]: 1, [`second-${id}`]: 2 },
    }));
    expect(tableOf(list)["columns"]).toEqual(["id", "owner.login", "owner.team", "notes"]);
  });

  it("keep an object whole whose keys come in another order in some rows", () => {
    const list = rows(9, (id) => ({
      identifier: id,
      title: `title ${id}`,
      size: id % 2 === 0 ? { width: id, height: 1 } : { height: 2, width: id },
    }));
    expect(tableOf(list)["columns"]).toEqual(["identifier", "title", "size"]);
  });

  it("are taken apart as far as a table may be wide", () => {
    const inner = (row: number, part: number): JsonObject =>
      Object.fromEntries(Array.from({ length: 500 }, (_, key) => [`k${key}`, `${row}-${part}-${key}`]));
    const list = rows(3, (row) =>
      Object.fromEntries(Array.from({ length: 9 }, (_, part) => [`part${part}`, inner(row, part)])),
    );
    const doubled = list.map((row, id) => ({
      identifier: id,
      ...row,
      kind: "the same for every record there is",
    }));
    expect(tableOf(doubled)["columns"]).toEqual([
      "identifier",
      ...Array.from({ length: 9 }, (_, part) => `part${part}`),
    ]);
  });
});
