import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { fitsSchema } from "./fits-schema.ts";

const items = {
  type: "object",
  properties: {
    items: { type: "array", items: { $ref: "#/$defs/item" } },
    kind: { enum: ["a", "b"] },
    of: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
  required: ["items"],
  $defs: {
    item: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  },
};

describe("a structure", () => {
  test.each<[string, JsonValue]>([
    ["has what is required", { items: [] }],
    ["has more than is described", { items: [{ id: 1, more: true }], other: 1 }],
    ["has one of the choices", { items: [], kind: "a", of: null }],
  ])("keeps to its schema: %s", (_says, value) => {
    expect(fitsSchema(value, items)).toBe(true);
  });

  test.each<[string, JsonValue]>([
    ["lacks what is required", { parcels: [] }],
    ["has another type", { items: "none" }],
    ["has a member of another type", { items: [{ id: "1" }] }],
    ["has a fraction for an integer", { items: [{ id: 1.5 }] }],
    ["has none of the choices", { items: [], kind: "c" }],
    ["has none of several types", { items: [], of: 3 }],
  ])("breaks its schema: %s", (_says, value) => {
    expect(fitsSchema(value, items)).toBe(false);
  });

  test("is taken to keep to what is not read here, and to schemas that have no end", () => {
    expect(fitsSchema({ a: "x" }, { properties: { a: { pattern: "^y$" } } })).toBe(true);
    const endless = { $ref: "#/$defs/self", $defs: { self: { $ref: "#/$defs/self" } } };
    expect(fitsSchema({}, endless)).toBe(true);
    expect(fitsSchema({}, { $ref: "other.json" })).toBe(true);
  });
});
