import { describe, expect, it } from "vitest";
import { ContractError } from "../contract/contract-error.ts";
import { advertiseInput, hasWaybillArgument, stripWaybill } from "./input-schema.ts";

const input = {
  type: "object",
  properties: { id: { type: "string" } },
  required: ["id"],
  additionalProperties: false,
};

describe("advertiseInput", () => {
  it("adds an optional _waybill and changes nothing else", () => {
    expect(advertiseInput(input, { waybillArgument: true })).toEqual({
      ...input,
      properties: {
        id: { type: "string" },
        _waybill: {
          type: "object",
          description: "Optional: keep only these fields, fit this many tokens, continue at this cursor.",
          properties: {
            fields: { type: "array", items: { type: "string" } },
            budget_tokens: { type: "integer" },
            cursor: { type: "string" },
          },
        },
      },
    });
  });

  it("adds it to a schema without properties", () => {
    expect(advertiseInput({ type: "object" }, { waybillArgument: true })).toHaveProperty(
      "properties._waybill",
    );
  });

  it("returns the same schema when no option asks for it, or when it takes no object", () => {
    const list = { type: "array" };
    expect(advertiseInput(input, { waybillArgument: false })).toBe(input);
    expect(advertiseInput(list, { waybillArgument: true })).toBe(list);
  });

  it.each([
    { type: "object", properties: { _waybill: {} } },
    { type: "object", required: ["_waybill"] },
    { type: "object", allOf: [{ properties: { _waybill: { type: "string" } } }] },
  ])("refuses a tool that already takes one: %j", (schema) => {
    expect(hasWaybillArgument(schema)).toBe(true);
    expect(() => advertiseInput(schema, { waybillArgument: true })).toThrow(ContractError);
    expect(advertiseInput(schema, { waybillArgument: false })).toBe(schema);
  });

  it("finds no _waybill in arguments without one", () => {
    expect(hasWaybillArgument(input)).toBe(false);
  });
});

describe("stripWaybill", () => {
  it("returns arguments without it as they are", () => {
    const args = { id: 1 };
    expect(stripWaybill(args).args).toBe(args);
    expect(stripWaybill(args).waybill).toBeUndefined();
    expect(stripWaybill(undefined)).toEqual({ args: undefined, waybill: undefined });
    expect(stripWaybill("text")).toEqual({ args: "text", waybill: undefined });
  });

  it("takes it off and reads it", () => {
    const said = { fields: ["id", "tasks[*].id"], budget_tokens: 2000, cursor: "c1" };
    expect(stripWaybill({ id: 1, _waybill: said })).toEqual({
      args: { id: 1 },
      waybill: { fields: ["id", "tasks[*].id"], budgetTokens: 2000, cursor: "c1", ignored: [] },
    });
  });

  it("keeps other arguments, __proto__ too", () => {
    const args = JSON.parse('{"__proto__": {"a": 1}, "_waybill": {}}') as object;
    expect(JSON.stringify(stripWaybill(args).args)).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    ['{"budget_tokens": "1500"}', { budgetTokens: 1500 }],
    [{ budget_tokens: 1500.7 }, { budgetTokens: 1500 }],
    [{ fields: "id, title" }, { fields: ["id", "title"] }],
    [{ fields: [" id ", 3, ""] }, { fields: ["id"] }],
    [{ fields: null, budget_tokens: null, cursor: null }, {}],
    [null, {}],
  ])("understands %j", (said, waybill) => {
    expect(stripWaybill({ _waybill: said }).waybill).toEqual({ ...waybill, ignored: [] });
  });

  it.each([
    [
      { fields: 3, cursor: "c" },
      { cursor: "c", ignored: ["fields"] },
    ],
    [{ fields: [] }, { ignored: ["fields"] }],
    [{ budget_tokens: 0 }, { ignored: ["budget_tokens"] }],
    [{ budget_tokens: "many" }, { ignored: ["budget_tokens"] }],
    [{ budget_tokens: Number.POSITIVE_INFINITY, cursor: "" }, { ignored: ["budget_tokens", "cursor"] }],
    [{ limit: 3 }, { ignored: ["limit"] }],
    ["all of it", { ignored: ["_waybill"] }],
    ["[1]", { ignored: ["_waybill"] }],
    [7, { ignored: ["_waybill"] }],
  ])("never fails a call over %j, and names what it ignored", (said, waybill) => {
    expect(stripWaybill({ _waybill: said })).toEqual({ args: {}, waybill });
  });
});
