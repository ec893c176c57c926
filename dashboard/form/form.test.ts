import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { Draft, Field } from "./field.ts";
import { readSchema } from "./read-schema.ts";
import { readArguments, toArguments } from "./to-arguments.ts";
import { namesWithoutField, toDraft } from "./to-draft.ts";

const schema: JsonObject = {
  type: "object",
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    path: { type: "string", minLength: 1 },
    note: { anyOf: [{ type: "string" }, { type: "null" }], description: "Free text" },
    order: { enum: ["up", "down", 3] },
    level: { oneOf: [{ const: "low" }, { const: "high" }] },
    deep: { type: ["boolean", "null"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 2, uniqueItems: true },
    filter: {
      type: "object",
      properties: { field: { type: "string" }, above: { type: "number", exclusiveMinimum: 0 } },
      required: ["field"],
    },
    any: {},
    tree: { $ref: "#/$defs/Node" },
  },
  required: ["path"],
  $defs: {
    Node: { type: "object", properties: { name: { type: "string" }, child: { $ref: "#/$defs/Node" } } },
  },
};

const fieldsIn = (given: JsonObject): readonly Field[] => {
  const fields = readSchema(given);
  if (fields === undefined) throw new Error("no form");
  return fields;
};
const fields = fieldsIn(schema);
const problems = (draft: Draft, of = fields): string[] =>
  toArguments(of, draft).problems.map(({ path, says }) => `${path}: ${says}`);

describe("readSchema", () => {
  it("makes a field of each argument, with what is required first", () => {
    expect(fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "path text",
      "limit number",
      "note text",
      "order choice",
      "level choice",
      "deep choice",
      "tags list",
      "filter group",
      "any json",
      "tree group",
    ]);
  });

  it("says limits in words", () => {
    expect(fields.find(({ name }) => name === "limit")?.rules).toEqual(["whole number", "1 to 100"]);
    expect(
      fieldsIn({ properties: { at: { type: "string", format: "date", maxLength: 10, pattern: "^2" } } })[0]
        ?.rules,
    ).toEqual(["date", "matches ^2", "at most 10 characters"]);
  });

  it("writes a schema that contains itself as JSON below a few levels", () => {
    let field: Field | undefined = fields.find(({ name }) => name === "tree");
    const kinds: string[] = [];
    for (
      ;
      field !== undefined;
      field = field.kind === "group" ? field.fields.find(({ name }) => name === "child") : undefined
    )
      kinds.push(field.kind);
    expect(kinds).toEqual(["group", "group", "group", "group", "json"]);
  });

  it("makes no form of what only JSON can say, and an empty one for a tool without arguments", () => {
    expect(readSchema({ anyOf: [{ type: "object" }, { type: "array" }] })).toBeUndefined();
    expect(readSchema({ type: "object", additionalProperties: { type: "string" } })).toBeUndefined();
    expect(readSchema({ type: "object" })).toEqual([]);
    expect(
      fieldsIn({ properties: { broken: { $ref: "#/nowhere" }, round: { $ref: "#/properties/round" } } }),
    ).toMatchObject([{ kind: "json" }, { kind: "json" }]);
  });
});

describe("toArguments", () => {
  it("gives what was filled in and leaves out the rest", () => {
    expect(
      toArguments(fields, {
        path: "/tmp",
        limit: "7",
        note: { isEmptyText: true },
        order: "2",
        deep: "1",
        tags: ["a"],
        filter: { field: "size", above: "0.5" },
        any: '{"a": [1]}',
      }),
    ).toEqual({
      arguments: {
        path: "/tmp",
        limit: 7,
        note: "",
        order: 3,
        deep: false,
        tags: ["a"],
        filter: { field: "size", above: 0.5 },
        any: { a: [1] },
      },
      problems: [],
    });
  });

  it("asks for what is missing, also inside a group that was begun", () => {
    expect(problems({})).toEqual(["path: This is required."]);
    expect(problems({ path: "x", filter: { above: "1" } })).toEqual(["filter/field: This is required."]);
    expect(problems({ path: "x", filter: { above: "" } })).toEqual([]);
  });

  it.each([
    [{ path: "x", limit: "1.5" }, "limit: Give a whole number."],
    [{ path: "x", limit: "abc" }, "limit: Give a number, as 12 or 0.5."],
    [{ path: "x", limit: "0" }, "limit: Give at least 1."],
    [{ path: "x", limit: "101" }, "limit: Give at most 100."],
    [{ path: { isEmptyText: true } }, "path: Give at least 1 character."],
    [{ path: "x", tags: ["a", "a"] }, "tags: Give each item only once."],
    [{ path: "x", tags: ["a", "b", "c"] }, "tags: Give at most 2 items."],
    [{ path: "x", tags: ["a", ""] }, "tags/1: This is required."],
    [{ path: "x", filter: { field: "a", above: "0" } }, "filter/above: Give more than 0."],
    [{ path: "x", order: "9" }, "order: Choose one."],
  ] satisfies [Draft, string][])("says what is wrong with %j", (draft, says) => {
    expect(problems(draft)).toEqual([says]);
  });

  it("refuses a number that JSON would round", () => {
    const [field] = fieldsIn({ properties: { id: { type: "integer" } } });
    expect(problems({ id: "12345678901234567890" }, field ? [field] : [])).toEqual([
      "id: This number has more digits than can be sent exactly.",
    ]);
  });

  it("counts 0.3 as a multiple of 0.1", () => {
    const price = fieldsIn({ properties: { price: { type: "number", multipleOf: 0.1 } } });
    expect(problems({ price: "0.3" }, price)).toEqual([]);
    expect(problems({ price: "0.35" }, price)).toEqual(["price: Give a multiple of 0.1."]);
  });

  it("keeps what it cannot read as it was typed", () => {
    const { arguments: values } = toArguments(fields, { path: "x", limit: "abc", any: "{" });
    expect(values).toEqual({ path: "x", limit: "abc", any: "{" });
    expect(toDraft(fields, values)).toMatchObject({ limit: "abc" });
  });

  it("keeps an argument called __proto__", () => {
    const odd = fieldsIn(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonObject);
    const draft = JSON.parse('{"__proto__":"x"}') as Draft;
    expect(JSON.stringify(toArguments(odd, draft).arguments)).toBe('{"__proto__":"x"}');
  });
});

describe("readArguments", () => {
  it("takes an object of JSON, and nothing as no arguments", () => {
    expect(readArguments('{"a":1}')).toEqual({ arguments: { a: 1 }, problems: [] });
    expect(readArguments("  ")).toEqual({ arguments: {}, problems: [] });
  });

  it("says what is wrong with anything else", () => {
    expect(readArguments("[1]").problems).toEqual([
      { path: "", says: 'Arguments are an object, as {"name": "value"}.' },
    ]);
    expect(readArguments('{"a":').problems[0]?.says).toMatch(/^This is no JSON: /);
  });
});

describe("toDraft", () => {
  it("fills a form so that the same arguments come out again", () => {
    const values: JsonObject = {
      path: "/tmp",
      note: "",
      order: "down",
      level: "high",
      deep: true,
      limit: 3,
      tags: [],
      filter: { field: "a" },
      any: [null],
      tree: { name: "root", child: { name: "leaf" } },
    };
    const { tags: _, ...expected } = values;
    expect(toArguments(fields, toDraft(fields, values))).toEqual({ arguments: expected, problems: [] });
  });

  it("names what the form has no field for", () => {
    expect(namesWithoutField(fields, { path: "x", other: 1 })).toEqual(["other"]);
  });
});
