import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { encodeTables } from "../json/table/encode-tables.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { advertiseOutput } from "./envelope-schema.ts";

const item: JsonObject = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
const list: JsonObject = { type: "array", items: item };
const items = Array.from({ length: 20 }, (_, id) => ({ id, title: `title ${id}` }));

function advertised(schema: JsonObject, tables = true): JsonObject {
  return advertiseOutput(schema, { dialects: ["response-v2"], tables }) ?? {};
}

function accepts(schema: JsonObject, data: JsonValue): boolean {
  const options = { strict: false, validateSchema: false, logger: false } as const;
  const envelope = { success: true, data, error: null, meta: {} };
  return [new Ajv2020(options), new Ajv(options)].every((ajv) => ajv.compile(schema)(envelope));
}

describe("advertiseOutput for data with tables", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["in a property", { type: "object", properties: { items: list }, required: ["items"] }, { items }],
    ["at the root", list, items],
    [
      "behind a ref",
      { type: "object", properties: { items: { $ref: "#/$defs/L" } }, $defs: { L: list } },
      { items },
    ],
    [
      "behind a ref that is a path",
      { type: "object", properties: { first: list, second: { $ref: "#/properties/first" } } },
      { first: items, second: items },
    ],
    [
      "in parts of a schema",
      {
        type: "object",
        properties: { items: { allOf: [{ type: "array" }, { anyOf: [list, { type: "null" }] }] } },
      },
      { items },
    ],
    [
      "where null is allowed too",
      { type: "object", properties: { items: { type: ["array", "null"], items: item } } },
      { items },
    ],
    ["in a map", { type: "object", additionalProperties: list }, { a: items, b: items }],
    [
      "in lists of lists",
      { type: "object", properties: { pages: { type: "array", items: list } } },
      { pages: [items, items] },
    ],
  ])("accepts lists %s, plain and as tables", (_, schema, data) => {
    const encoded = encodeTables(data);
    expect(encoded).not.toBe(data);
    const wrapped = (value: JsonValue): JsonValue => (Array.isArray(value) ? { result: value } : value);
    expect(accepts(advertised(schema), wrapped(data))).toBe(true);
    expect(accepts(advertised(schema), wrapped(encoded))).toBe(true);
    expect(accepts(advertised(schema, false), wrapped(encoded))).toBe(false);
  });

  it("still rejects what is neither", () => {
    const schema = advertised({ type: "object", properties: { items: list }, required: ["items"] });
    expect(accepts(schema, { items: [{ id: "one" }] })).toBe(false);
    expect(accepts(schema, { items: "none" })).toBe(false);
    expect(accepts(schema, { items: { rows: [] } })).toBe(false);
  });

  it("says nothing of tables where no list holds objects", () => {
    const schema = {
      type: "object",
      properties: { tags: { type: "array", items: { type: "string" } }, owner: item },
    };
    expect(JSON.stringify(advertised(schema))).not.toContain("$table");
  });

  it("compiles for lists in lists, as deep as schemas are read", () => {
    let deep: JsonObject = { type: "object", properties: { id: { type: "integer" } } };
    for (let level = 0; level < 48; level++)
      deep = { type: "object", properties: { items: { type: "array", items: deep } } };
    expect(accepts(advertised(deep), { items: encodeTables(items) })).toBe(true);
  });
});
