import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../../core/json/json-value.ts";
import { judgeTexts } from "../../schema/judge-value.ts";
import { type PlanOptions, planArguments } from "./plan-arguments.ts";

const inputSchema = {
  type: "object",
  properties: {
    id: { type: "string", pattern: "^P-[0-9]{3}$" },
    state: { enum: ["moving", "delivered"] },
    limit: { type: "integer", minimum: 1, maximum: 50 },
    note: { type: ["string", "null"], maxLength: 8 },
    box: { type: "object", properties: { width: { type: "number", minimum: 0 } }, required: ["width"] },
  },
  required: ["id", "box"],
  additionalProperties: false,
};

const validate: PlanOptions["validate"] = async (schema, value) =>
  judgeTexts(JSON.stringify(schema), JSON.stringify(value));

const plan = (options: Partial<PlanOptions> = {}) =>
  planArguments({
    name: "t",
    inputSchema,
    given: [],
    mayMake: true,
    seed: 1,
    maxCalls: 11,
    validate,
    ...options,
  });

async function errorsOf(schema: JsonValue, args: JsonObject): Promise<number> {
  return (await validate(schema, args)).errors.length;
}

describe("planArguments", () => {
  it("makes valid, boundary and invalid arguments, and each is what it says", async () => {
    const { calls } = await plan();
    const purposes = new Set(calls.map(({ purpose }) => purpose));
    expect([...purposes]).toEqual(["valid", "boundary", "invalid"]);
    expect(calls).toHaveLength(10);
    for (const { purpose, arguments: args, wrong } of calls) {
      const errors = await errorsOf(inputSchema, args);
      expect(errors > 0).toBe(purpose === "invalid");
      expect(wrong === undefined).toBe(purpose !== "invalid");
    }
  });

  it("has one fault in each invalid one, each of another kind where there are enough", async () => {
    const { calls } = await plan({ maxCalls: 40 });
    const faults = calls.filter(({ purpose }) => purpose === "invalid");
    const keywords = faults.map(({ wrong }) => wrong?.keyword);
    expect(new Set(keywords).size).toBe(keywords.length);
    for (const { wrong } of faults) expect(wrong?.path).toMatch(/^\/\w+/);
  });

  it("is the same for the same seed, and another for another", async () => {
    expect(await plan({ seed: 5 })).toEqual(await plan({ seed: 5 }));
    expect(await plan({ seed: 5 })).not.toEqual(await plan({ seed: 6 }));
  });

  it("begins with the user's arguments, as they are, and varies them", async () => {
    const given = [{ id: "P-777", box: { width: 3 } }];
    const { calls } = await plan({ given });
    expect(calls[0]).toEqual({ purpose: "given", arguments: given[0] });
    const varied = calls.filter(({ wrong }) => wrong !== undefined && !wrong.path.startsWith("/id"));
    for (const { arguments: args } of varied) expect(args["id"]).toBe("P-777");
  });

  it("makes nothing for a tool that may change something: only what was given is used", async () => {
    const given = [{ id: "P-777", box: { width: 3 } }];
    expect(await plan({ given, mayMake: false })).toEqual({
      calls: [{ purpose: "given", arguments: given[0] }],
    });
  });

  it("takes the schema's own examples where the user gives none, but none that the schema refuses", async () => {
    const examples = [{ id: "P-123", box: { width: 1 } }, { id: "wrong" }];
    const { calls } = await plan({ inputSchema: { ...inputSchema, examples } });
    expect(calls.filter(({ purpose }) => purpose === "given")).toEqual([
      { purpose: "given", arguments: examples[0] },
    ]);
  });

  it.each([
    ["refers to another document", { $ref: "https://example.com/a.json" }, /not part of it.*never fetched/],
    ["allows nothing", { type: "object", not: {} }, /no arguments could be made/],
    ["is no schema", { type: "objekt" }, /cannot be used/],
  ])("says why there is no plan for a schema that %s", async (_, schema, why) => {
    const { calls, problem } = await plan({ inputSchema: schema });
    expect(calls).toEqual([]);
    expect(problem).toMatch(why);
  });

  it("calls a tool without a schema once, without arguments", async () => {
    const { calls } = await plan({ inputSchema: undefined });
    expect(calls).toEqual([{ purpose: "valid", arguments: {} }]);
  });

  it("does not call wrong what a default of the schema fills in, left out or null", async () => {
    const withDefault = (limit: JsonObject): JsonObject => ({
      type: "object",
      properties: { limit: { type: "integer", ...limit } },
      required: ["limit"],
    });
    const faultsFor = async (limit: JsonObject): Promise<readonly JsonObject[]> => {
      const { calls } = await plan({ inputSchema: withDefault(limit), maxCalls: 40 });
      return calls.filter(({ purpose }) => purpose === "invalid").map((call) => call.arguments);
    };
    expect(await faultsFor({})).toEqual(expect.arrayContaining([{}, { limit: null }]));
    expect(await faultsFor({ default: 10 })).toEqual([{ limit: "not a number" }]);
  });

  it("does not call wrong what a server may read as the right type without a loss", async () => {
    const faultsFor = async (property: JsonObject): Promise<readonly unknown[]> => {
      const schema = { type: "object", properties: { a: property }, required: ["a"] };
      const { calls } = await plan({ inputSchema: schema, maxCalls: 40 });
      const faults = calls.filter(({ wrong }) => wrong?.keyword === "type");
      return faults.map((call) => call.arguments["a"]).filter((value) => value !== null);
    };
    expect(await faultsFor({ type: "string" })).toEqual([{ not: "a text" }]);
    expect(await faultsFor({ type: "array", items: { type: "string" } })).toEqual([{ not: "a list" }]);
    expect(await faultsFor({ type: "array", items: { type: "object" } })).toEqual(["not a list"]);
  });

  it("keeps to the number of calls", async () => {
    for (const maxCalls of [1, 2, 5]) {
      const { calls } = await plan({ maxCalls });
      expect(calls.length).toBeLessThanOrEqual(maxCalls);
      expect(calls[0]?.purpose).toBe("valid");
    }
  });
});
