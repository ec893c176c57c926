import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import { compileFilter, filterData } from "./compile-filter.ts";

describe("compileFilter", () => {
  it("gives a function that serves many results, failures and tiers", () => {
    const keep = compileFilter({ includeOnly: ["a", "b"], excludeWhenTier: { free: ["b"] } });
    const data = { a: 1, b: 2, c: 3 };
    for (let round = 0; round < 2; round++) {
      expect(keep(data)).toEqual({ a: 1, b: 2 });
      expect(keep(data, { tier: "free" })).toEqual({ a: 1 });
      expect(keep(data, { failed: true, tier: "free" })).toEqual({ a: 1, c: 3 });
      expect(keep(data, { failed: true })).toBe(data);
    }
  });

  it("refuses a bad path before any data comes", () => {
    expect(() => compileFilter({ excludeWhenTier: { free: ["a..b"] } })).toThrow(
      'Bad path "a..b" in excludeWhenTier.free, position 2: a name is missing here.',
    );
    expect(() => compileFilter({ includeOnError: ["a["] })).toThrow(/in includeOnError, position 1/);
  });

  it("does not follow a list that changes later", () => {
    const exclude = ["a"];
    const keep = compileFilter({ exclude });
    exclude.push("b");
    expect(keep({ a: 1, b: 2 })).toEqual({ b: 2 });
  });
});

const freeze = <T extends JsonValue>(value: T): T => {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
  return Object.freeze(value);
};

describe("filterData, includeOnly", () => {
  const data = freeze({
    functions: [{ name: "f", body: { lines: 3, loops: { deep: true } } }],
    classes: [],
    complexity: { total: 7, functions: { f: 7 } },
    imports: ["os"],
  });

  // shows 002.17
  it("keeps a kept path with all its children, at every depth", () => {
    // The original applied the list again inside nested objects, so that `functions` lost everything in it.
    const kept = filterData(data, { includeOnly: ["functions", "complexity"] });
    expect(kept).toEqual({ functions: data.functions, complexity: data.complexity });
  });

  it("returns kept subtrees by reference", () => {
    const kept = filterData(data, { includeOnly: ["functions"] }) as typeof data;
    expect(kept.functions).toBe(data.functions);
  });

  it("reads a bare name as a key at the top of data only", () => {
    expect(filterData(data, { includeOnly: ["f"] })).toEqual({});
  });

  it("keeps the ancestors of a path", () => {
    expect(filterData(data, { includeOnly: ["complexity.functions.f"] })).toEqual({
      complexity: { functions: { f: 7 } },
    });
  });

  it("keeps the order of the keys, whatever the order of the paths", () => {
    const kept = filterData(data, { includeOnly: ["imports", "complexity", "functions"] });
    expect(Object.keys(kept as object)).toEqual(["functions", "complexity", "imports"]);
  });

  it("enters arrays with and without [*]", () => {
    const tasks = { tasks: [{ id: 1, log: "a" }, { id: 2 }, { log: "b" }], took: 3 };
    const kept = { tasks: [{ id: 1 }, { id: 2 }, {}] };
    expect(filterData(tasks, { includeOnly: ["tasks[*].id"] })).toEqual(kept);
    expect(filterData(tasks, { includeOnly: ["tasks.id"] })).toEqual(kept);
  });

  it("applies paths to the items when data itself is an array", () => {
    const rows = [
      { name: "a", x: 1 },
      { name: "b", x: 2 },
    ];
    expect(filterData(rows, { includeOnly: ["name"] })).toEqual([{ name: "a" }, { name: "b" }]);
    expect(filterData(rows, { includeOnly: ["[*].name"] })).toEqual([{ name: "a" }, { name: "b" }]);
  });

  it("enters arrays of arrays", () => {
    const grid = { rows: [[{ id: 1, x: 1 }], [{ id: 2, x: 2 }]] };
    const kept = { rows: [[{ id: 1 }], [{ id: 2 }]] };
    expect(filterData(grid, { includeOnly: ["rows.id"] })).toEqual(kept);
    expect(filterData(grid, { includeOnly: ["rows[*].id"] })).toEqual(kept);
    expect(filterData(grid, { includeOnly: ["rows[*][*].id"] })).toEqual(kept);
  });

  it("empties the other items for an index and keeps the length", () => {
    const grid = { rows: [[{ id: 1 }], [{ id: 2 }]], tasks: [{ id: 1 }, { id: 2 }] };
    expect(filterData(grid, { includeOnly: ["tasks[1]", "rows[1][0].id"] })).toEqual({
      rows: [[{}], [{ id: 2 }]],
      tasks: [{}, { id: 2 }],
    });
  });

  it("joins an index with [*]", () => {
    const rows = [
      { id: 1, x: 1 },
      { id: 2, x: 2 },
    ];
    expect(filterData({ rows }, { includeOnly: ["rows[*].id", "rows[1].x"] })).toEqual({
      rows: [{ id: 1 }, { id: 2, x: 2 }],
    });
  });

  it("does not take a later array for the one an index names", () => {
    const grid = { rows: [{ cells: [{ id: 1 }, { id: 2 }] }, { cells: [{ id: 3 }] }] };
    expect(filterData(grid, { includeOnly: ["rows.cells[1]"] })).toEqual({
      rows: [{ cells: [{}, { id: 2 }] }, { cells: [{}] }],
    });
    expect(filterData({ rows: [[{ id: 1 }]] }, { includeOnly: ["rows[1].id", "rows.x"] })).toEqual({
      rows: [[{}]],
    });
  });

  it("matches every key with a star", () => {
    const byName = { a: { x: { b: 1, c: 2 }, y: { c: 3 } }, d: 4 };
    expect(filterData(byName, { includeOnly: ["a.*.b"] })).toEqual({ a: { x: { b: 1 }, y: {} } });
  });

  it("joins a star with a name", () => {
    const byName = { a: { p: 1, q: 2, r: 3 }, b: { p: 4, q: 5, r: 6 } };
    expect(filterData(byName, { includeOnly: ["*.p", "a.q"] })).toEqual({ a: { p: 1, q: 2 }, b: { p: 4 } });
  });

  it("keeps objects, arrays and null on the way to a path, but no other value", () => {
    const people = { owner: null, team: { lead: {}, size: 3 }, tags: [], note: "x" };
    expect(filterData(people, { includeOnly: ["owner.id", "team.lead.id", "tags.id", "note.id"] })).toEqual({
      owner: null,
      team: { lead: {} },
      tags: [],
    });
  });

  it("keeps bare items on the way, since an array keeps its length", () => {
    expect(filterData({ mixed: ["a", null, { id: 1, x: 2 }] }, { includeOnly: ["mixed.id"] })).toEqual({
      mixed: ["a", null, { id: 1 }],
    });
  });

  it("takes an empty list for no list", () => {
    expect(filterData(data, { includeOnly: [] })).toBe(data);
  });

  it("reads quoted keys", () => {
    const odd = { "a.b": { "c[0]": 1, d: 2 }, a: { b: 3 } };
    expect(filterData(odd, { includeOnly: [`["a.b"]['c[0]']`] })).toEqual({ "a.b": { "c[0]": 1 } });
  });
});

describe("filterData, exclude", () => {
  it("removes a path and leaves an emptied object", () => {
    expect(filterData({ a: { b: 1 }, c: 2 }, { exclude: ["a.b"] })).toEqual({ a: {}, c: 2 });
  });

  it("returns unchanged siblings by reference", () => {
    const data = freeze({ a: { b: 1 }, list: [{ x: { y: 1 } }, { secret: 1, x: { y: 2 } }] });
    const kept = filterData(data, { exclude: ["list.secret"] }) as typeof data;
    expect(kept.a).toBe(data.a);
    expect(kept.list[0]).toBe(data.list[0]);
    expect(kept.list[1]).toEqual({ x: { y: 2 } });
  });

  it("returns the same reference when nothing matches", () => {
    const data = { a: [{ b: 1 }] };
    expect(filterData(data, { exclude: ["x", "a.c", "a[7].b"], excludeFields: ["y"], dropNulls: true })).toBe(
      data,
    );
  });

  it.each([
    [["a"], ["a"], {}],
    [["a"], ["a.b"], { a: { c: 2 } }],
    [["a.b"], ["a"], {}],
    [["a.b"], ["*.b"], { a: {} }],
  ])("beats inclusion: includeOnly %j, exclude %j", (includeOnly, exclude, kept) => {
    expect(filterData({ a: { b: 1, c: 2 } }, { includeOnly, exclude })).toEqual(kept);
  });

  it("removes a field of one item", () => {
    expect(filterData({ rows: [{ x: 1 }, { x: 2 }] }, { exclude: ["rows[0].x"] })).toEqual({
      rows: [{}, { x: 2 }],
    });
  });

  it.each(["rows[0]", "rows[*]", "[*]"])("refuses %s, which would move array items", (path) => {
    expect(() => filterData({}, { exclude: [path] })).toThrow(/exclude the whole array/);
    expect(() => filterData({}, { excludeWhenTier: { pro: [path] } })).toThrow(/in excludeWhenTier\.pro/);
  });

  it("adds the exclusions of the tier", () => {
    const filter = { exclude: ["a"], excludeWhenTier: { community: ["b.x"], pro: ["c"] } };
    const data = { a: 1, b: { x: 2 }, c: 3 };
    expect(filterData(data, filter, { tier: "community" })).toEqual({ b: {}, c: 3 });
    expect(filterData(data, filter, { tier: "pro" })).toEqual({ b: { x: 2 } });
    expect(filterData(data, filter, { tier: "constructor" })).toEqual({ b: { x: 2 }, c: 3 });
    expect(filterData(data, filter)).toEqual({ b: { x: 2 }, c: 3 });
  });

  it("drops excludeFields at every depth and takes them as names, not paths", () => {
    const data = { v: 1, a: { v: 2, list: [{ v: 3, w: 4 }, [{ v: 5 }]] }, "a.w": 6 };
    expect(filterData(data, { excludeFields: ["v", "a.w"] })).toEqual({ a: { list: [{ w: 4 }, [{}]] } });
  });

  it("drops excludeFields inside included paths", () => {
    expect(filterData({ a: { v: 1, w: 2 } }, { includeOnly: ["a"], excludeFields: ["v"] })).toEqual({
      a: { w: 2 },
    });
  });
});

describe("filterData, drops", () => {
  const data = freeze({
    list: [],
    map: {},
    none: null,
    deep: { none: null, list: [] },
    items: [null, [], {}],
  });

  it("drops nothing by default", () => {
    expect(filterData(data, {})).toBe(data);
  });

  it("drops each kind on its own", () => {
    expect(Object.keys(filterData(data, { dropEmptyArrays: true }) as object)).not.toContain("list");
    expect(Object.keys(filterData(data, { dropEmptyObjects: true }) as object)).not.toContain("map");
    expect(Object.keys(filterData(data, { dropNulls: true }) as object)).not.toContain("none");
  });

  it("drops an object that its own drops emptied, and no array item", () => {
    const all = { dropEmptyArrays: true, dropEmptyObjects: true, dropNulls: true };
    expect(filterData(data, all)).toEqual({ items: [null, [], {}] });
  });

  it("drops an object that exclusion emptied", () => {
    expect(filterData({ a: { b: 1 }, c: 2 }, { exclude: ["a.b"], dropEmptyObjects: true })).toEqual({ c: 2 });
  });

  it("keeps false, zero and the empty string", () => {
    const falsy = { a: false, b: 0, c: "" };
    expect(filterData(falsy, { dropNulls: true, dropEmptyArrays: true, dropEmptyObjects: true })).toBe(falsy);
  });

  it("keeps the root itself", () => {
    expect(filterData({}, { dropEmptyObjects: true })).toEqual({});
    expect(filterData([], { dropEmptyArrays: true })).toEqual([]);
    expect(filterData(null, { dropNulls: true })).toBe(null);
  });
});

describe("filterData, failed", () => {
  const failed = { failed: true };

  it("does not apply includeOnly", () => {
    const extras = { retry_after_seconds: 3 };
    expect(filterData(extras, { includeOnly: ["functions"] }, failed)).toBe(extras);
  });

  it("excludes extras", () => {
    const extras = { path: "x", trace: { v: 1 } };
    expect(filterData(extras, { exclude: ["path"], excludeFields: ["v"] }, failed)).toEqual({ trace: {} });
  });

  it("keeps includeOnError paths even if they, a parent or a field in them is excluded", () => {
    const extras = { path: "x", trace: { id: 1, v: 2, in: { v: 3 } }, log: "y" };
    const filter = {
      exclude: ["path", "trace", "log"],
      excludeFields: ["v"],
      includeOnError: ["path", "trace.in"],
    };
    expect(filterData(extras, filter, failed)).toEqual({ path: "x", trace: { in: { v: 3 } } });
    expect(filterData(extras, filter)).toEqual({});
  });

  it("gives includeOnError no meaning on a success", () => {
    const data = { trace: 1 };
    expect(filterData(data, { includeOnError: ["trace"] })).toBe(data);
  });

  it("keeps includeOnError paths for every tier", () => {
    const filter = { excludeWhenTier: { community: ["hint", "plan"] }, includeOnError: ["hint"] };
    expect(filterData({ hint: 1, plan: 2 }, filter, { failed: true, tier: "community" })).toEqual({
      hint: 1,
    });
  });

  it("never loses what the error says, nor a part of it", () => {
    const error = {
      error: "No such spec",
      error_code: "NOT_FOUND",
      error_type: "not_found",
      remediation: "List the specs.",
      details: { id: null, tried: [] },
    };
    const filter = {
      includeOnly: ["x"],
      exclude: ["error", "error_code", "details", "details.id", "*", "*.*"],
      excludeFields: ["error", "error_type", "remediation", "tried"],
      dropNulls: true,
      dropEmptyArrays: true,
    };
    expect(filterData({ ...error, path: "x" }, filter, failed)).toEqual(error);
  });

  it("drops nothing empty", () => {
    const extras = { none: null, list: [], map: {} };
    const all = { dropEmptyArrays: true, dropEmptyObjects: true, dropNulls: true };
    expect(filterData(extras, all, failed)).toBe(extras);
  });
});

describe("filterData, hard values", () => {
  it("keeps __proto__ keys and takes them in paths", () => {
    const data = JSON.parse('{"__proto__":{"a":1,"b":2},"c":3}') as JsonValue;
    expect(JSON.stringify(filterData(data, { exclude: ["c"] }))).toBe('{"__proto__":{"a":1,"b":2}}');
    expect(JSON.stringify(filterData(data, { includeOnly: ["__proto__.a"] }))).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(filterData(data, { excludeFields: ["__proto__"] }))).toBe('{"c":3}');
  });

  it.each([1, "text", true, null])("returns the bare value %j", (value) => {
    expect(filterData(value, { includeOnly: ["a"], exclude: ["b"] })).toBe(value);
  });

  it("walks 1,000 levels of objects and of arrays", () => {
    const text = '{"drop":1,"a":['.repeat(500) + "]}".repeat(500);
    const kept = filterData(JSON.parse(text) as JsonValue, { excludeFields: ["drop"] });
    expect(JSON.stringify(kept)).toBe('{"a":['.repeat(500) + "]}".repeat(500));
    const arrays = JSON.parse("[".repeat(999) + '{"id":1,"x":2}' + "]".repeat(999)) as JsonValue;
    expect(JSON.stringify(filterData(arrays, { includeOnly: ["id"] }))).toContain('[{"id":1}]');
  });

  it("leaves properties that are undefined as JSON does, out of what is copied", () => {
    const data = { a: 1, b: undefined, c: 2 } as unknown as JsonValue;
    expect(filterData(data, { exclude: ["x"] })).toBe(data);
    expect(Object.keys(filterData(data, { exclude: ["c"] }) as object)).toEqual(["a"]);
  });

  it("refuses anything but a list", () => {
    const filter = { includeOnly: "functions" } as unknown as { includeOnly: string[] };
    expect(() => filterData({}, filter)).toThrow("The filter option includeOnly takes a list of strings.");
  });
});
