import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { readCounter } from "../tokens/read-counter.ts";
import { canTakeSelect, stripSelect, withSelect } from "./input-schema.ts";

const conditional = JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}') as JsonObject;
const own = { query: { type: "string" } };

describe("the argument _waybill_select", () => {
  it("is one optional string among the tool's own arguments", () => {
    const input = { type: "object", properties: own, required: ["query"], additionalProperties: false };
    expect(withSelect(input)).toEqual({
      ...input,
      properties: { ...own, _waybill_select: { type: "string", description: "JMESPath" } },
    });
  });

  it.each<[string, number, JsonObject]>([
    ["with arguments", 16, { type: "object", properties: own }],
    ["whose list of arguments is empty", 16, { type: "object", properties: {} }],
    // The list itself is part of the cost.
    ["without a list of arguments", 18, { type: "object" }],
    ["that is closed", 18, { type: "object", additionalProperties: false }],
  ])("is described in a definition %s, for at most %d tokens", (_, most, input) => {
    expect(withSelect(input)).toMatchObject({
      properties: { _waybill_select: { type: "string", description: "JMESPath" } },
    });
    for (const encoding of ["o200k_base", "cl100k_base"] as const) {
      const counter = readCounter(encoding);
      const weigh = (inputSchema: JsonObject): number =>
        counter.count(JSON.stringify({ name: "search", description: "Finds", inputSchema }));
      expect(canTakeSelect(input)).toBe(true);
      expect(weigh(withSelect(input)) - weigh(input)).toBeLessThanOrEqual(most);
    }
  });

  it.each<[string, JsonObject]>([
    ["properties that are closed", { properties: own, additionalProperties: false }],
    ["properties that are closed after all else", { properties: own, unevaluatedProperties: false }],
    [
      "branches that only require",
      { properties: own, anyOf: [{ required: ["query"] }, { required: ["id"] }] },
    ],
    ["a condition that only requires", conditional],
    ["nested branches", { allOf: [{ anyOf: [{ properties: own }, true] }] }],
  ])("has a place beside %s", (_, input) => {
    expect(canTakeSelect({ type: "object", ...input })).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["has it already", { properties: { _waybill_select: { type: "string" } } }],
    ["requires it", { required: ["_waybill_select"] }],
    ["has it in a branch", { oneOf: [{ properties: { _waybill_select: {} } }] }],
    ["is no object", { type: "array" }],
    ["has no type", { type: undefined as never }],
    ["has a closed branch", { allOf: [{ properties: own, additionalProperties: false }] }],
    [
      "has a branch with a rule for all other keys",
      { oneOf: [{ additionalProperties: { type: "number" } }] },
    ],
    ["is elsewhere", { $ref: "#/$defs/a", $defs: { a: {} } }],
    ["has a branch elsewhere", { anyOf: [{ $ref: "#/$defs/a" }] }],
    ["counts its arguments", { maxProperties: 2 }],
    ["judges their names", { propertyNames: { maxLength: 5 } }],
    ["judges them by their names", { patternProperties: { "^_": { type: "number" } } }],
    ["excludes something", { not: { required: ["a"] } }],
    ["has a branch that nothing meets", { allOf: [false] }],
    ["is nested beyond reason", deep(20)],
  ])("is not added to an input that %s", (_, input) => {
    expect(canTakeSelect({ type: "object", ...input })).toBe(false);
  });
});

function deep(levels: number): JsonObject {
  return levels === 0 ? {} : { allOf: [deep(levels - 1)] };
}

describe("a call", () => {
  it("without it keeps its arguments as they are", () => {
    const args = { query: "x" };
    expect(stripSelect(args)).toEqual({ args, asked: undefined, isTaken: false });
    expect(stripSelect(args).args).toBe(args);
    expect(stripSelect(undefined).args).toBeUndefined();
  });

  it("with it is left without it", () => {
    expect(stripSelect({ query: "x", _waybill_select: "length(@)" })).toEqual({
      args: { query: "x" },
      asked: "length(@)",
      isTaken: true,
    });
    const args = JSON.parse('{"__proto__": {"a": 1}, "_waybill_select": "a"}') as object;
    expect(JSON.stringify(stripSelect(args).args)).toBe('{"__proto__":{"a":1}}');
  });

  it.each([null, "", "  "])("asks nothing with %j", (said) => {
    expect(stripSelect({ _waybill_select: said })).toEqual({ args: {}, asked: undefined, isTaken: true });
  });
});
