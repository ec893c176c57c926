import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../core/json/json-value.ts";
import { runTool } from "../../doors/testing/index.ts";
import type { StandardSchema } from "../settings/standard-schema.ts";
import { defineTool } from "../settings/tool-definition.ts";

type Contract = NonNullable<Parameters<typeof runTool>[2]>["contract"];

/** What the handler got, what was warned of, and the fault of a refusal. */
async function called(
  inputSchema: StandardSchema,
  args: JsonObject,
  contract: Contract = {},
  config: object = {},
) {
  let seen: unknown;
  const tool = defineTool("t", { description: "t", inputSchema, ...config }, (given) => {
    seen = given;
    return { ok: true };
  });
  const { outcome } = await runTool(tool, args, { contract: { logLevel: "silent", ...contract } });
  const repaired = (outcome.notes.warnings ?? []).filter(({ code }) => code === "ARGUMENT_REPAIRED");
  return { seen, warnings: repaired, refusal: outcome.ok ? undefined : outcome.fault };
}

describe("arguments as models send them", () => {
  it.each([
    ["a list as text", z.object({ ids: z.array(z.string()) }), { ids: '["a","5"]' }, { ids: ["a", "5"] }],
    ["an object as text", z.object({ at: z.object({ x: z.int() }) }), { at: '{"x":1}' }, { at: { x: 1 } }],
    ["a number as text", z.object({ n: z.number() }), { n: "-1.5" }, { n: -1.5 }],
    ["a whole number as text", z.object({ n: z.int().min(1) }), { n: " 5 " }, { n: 5 }],
    ["a switch as text", z.object({ b: z.boolean() }), { b: "True" }, { b: true }],
    ["null for an absent field", z.object({ s: z.string().optional() }), { s: null }, {}],
    ["null where there is a default", z.object({ n: z.int().default(3) }), { n: null }, { n: 3 }],
    ["numbers in a list", z.object({ n: z.array(z.int()) }), { n: ["1", 2, "3"] }, { n: [1, 2, 3] }],
    [
      "a text in a text",
      z.object({ a: z.array(z.object({ n: z.int() })) }),
      { a: '[{"n":"1"}]' },
      { a: [{ n: 1 }] },
    ],
    ["a field of a map", z.object({ m: z.record(z.string(), z.int()) }), { m: { k: "1" } }, { m: { k: 1 } }],
    [
      "a form that another field chooses",
      z.object({
        v: z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("text"), value: z.string() }),
          z.object({ kind: z.literal("count"), value: z.int() }),
        ]),
      }),
      { v: { kind: "count", value: "5" } },
      { v: { kind: "count", value: 5 } },
    ],
    [
      "a union of forms",
      z.object({ v: z.union([z.object({ n: z.int() }), z.array(z.int())]) }),
      { v: { n: "5" } },
      { v: { n: 5 } },
    ],
  ])("are repaired: %s", async (_, schema, sent, meant) => {
    const { seen, warnings, refusal } = await called(schema, sent);
    expect(refusal).toBeUndefined();
    expect(seen).toEqual(meant);
    expect(warnings).toMatchObject([{ severity: "info" }]);
  });

  it("are named with what was done, a few of many, and never by value", async () => {
    const schema = z.object({ ids: z.array(z.int()), note: z.string().optional() });
    const one = await called(schema, { ids: "[7]", note: null });
    expect(one.warnings).toEqual([
      {
        code: "ARGUMENT_REPAIRED",
        severity: "info",
        message:
          "Arguments did not fit the tool's schema and were repaired. ids: a text was read as array; note: null was taken as not given",
        context: { fields: ["ids", "note"] },
      },
    ]);
    const many = await called(schema, { ids: Array.from({ length: 9 }, (_item, index) => `${index}`) });
    expect(many.warnings[0]?.message).toMatch(/ids\.4: a text was read as number; 4 more$/);
  });

  it.each([
    ["a text that is too long", z.object({ s: z.string().max(3) }), { s: "12345" }],
    ["a text or a number", z.object({ s: z.union([z.string().max(3), z.number()]) }), { s: "12345" }],
    ["one of some words", z.object({ s: z.enum(["1", "2"]) }), { s: "3" }],
    ["a text that is made of anything", z.object({ s: z.coerce.string().max(2) }), { s: "[1]  " }],
    ["a number for a text", z.object({ s: z.string() }), { s: 5 }],
    ["a single value for a list", z.object({ ids: z.array(z.string()) }), { ids: "a" }],
    ["null for a required field", z.object({ s: z.string() }), { s: null }],
    ["null in a list", z.object({ s: z.array(z.string()) }), { s: [null] }],
    ["a number that would lose digits", z.object({ n: z.number() }), { n: "12345678901234567890" }],
    ["a text that is no number", z.object({ n: z.number() }), { n: "five" }],
    ["broken JSON", z.object({ ids: z.array(z.string()) }), { ids: '["a"' }],
    ["a repair that the schema refuses", z.object({ n: z.int().max(3) }), { n: "5" }],
  ])("are refused as before: %s", async (_, schema, sent) => {
    const { seen, warnings, refusal } = await called(schema, sent);
    const off = await called(schema, sent, { repairArguments: false });
    expect(seen).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(refusal).toMatchObject({ message: off.refusal?.message, details: off.refusal?.details });
  });

  it("are refused where one of them cannot be repaired, in the words for what was sent", async () => {
    const { refusal } = await called(z.object({ n: z.int(), id: z.string() }), { n: "5" });
    expect(refusal?.details?.["errors"]).toMatchObject([{ field: "n", received: "5" }, { field: "id" }]);
  });

  it("stay as they are where the schema itself reads text", async () => {
    const { seen, warnings } = await called(z.object({ n: z.coerce.number() }), { n: "5" });
    expect([seen, warnings]).toEqual([{ n: 5 }, []]);
  });

  it("are refused with repairArguments: false of the contract or the tool", async () => {
    const schema = z.object({ n: z.int() });
    expect((await called(schema, { n: "5" }, { repairArguments: false })).refusal?.code).toBe(
      "INVALID_FORMAT",
    );
    expect((await called(schema, { n: "5" }, {}, { repairArguments: false })).refusal?.code).toBe(
      "INVALID_FORMAT",
    );
    const own = await called(schema, { n: "5" }, { repairArguments: false }, { repairArguments: true });
    expect(own.seen).toEqual({ n: 5 });
  });

  it("are told again with an answer from the cache", async () => {
    const config = { inputSchema: z.object({ n: z.int() }), cache: { ttlMs: 60_000 } };
    const tool = defineTool("t", { description: "t", ...config }, ({ n }) => ({ n }));
    const { createContract } = await import("../../doors/server/create-contract.ts");
    const contract = createContract({ logLevel: "silent" });
    for (const _ of [1, 2]) {
      const { outcome } = await runTool(tool, { n: "5" }, { contract });
      expect(outcome.notes.warnings).toMatchObject([{ code: "ARGUMENT_REPAIRED" }]);
    }
  });

  it("are repaired by what a schema without JSON Schema says of its type", async () => {
    const numberAt = (field: string): StandardSchema => ({
      "~standard": {
        version: 1,
        vendor: "own",
        validate: async (value) => {
          const { [field]: given } = value as Record<string, unknown>;
          if (typeof given === "number") return { value };
          const issue = { message: "No", path: [{ key: field }], expected: "number" };
          return { issues: [issue] };
        },
      },
    });
    expect((await called(numberAt("n"), { n: "5" })).seen).toEqual({ n: 5 });
    expect((await called(numberAt("n"), { n: "x" })).refusal?.code).toBe("VALIDATION_ERROR");
  });

  it("leave Object.prototype alone, and lose no key of a text", async () => {
    const schema = z.object({ m: z.looseObject({}) });
    const { seen } = await called(schema, { m: '{"__proto__":{"polluted":1},"a":1}' });
    expect(Object.keys((seen as { m: object }).m)).toContain("a");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("take the limit of a page as text", async () => {
    const tool = defineTool("t", { description: "t", paging: true }, (_, ctx) =>
      ctx.page({ path: "rows", fetch: ({ limit }) => [1, 2, 3].slice(0, limit), key: (row: number) => row }),
    );
    const contract = { logLevel: "silent", cursorKeys: "k".repeat(32) } as const;
    const { outcome } = await runTool(tool, { limit: "2" }, { contract });
    expect(outcome.notes).toMatchObject({
      pagination: { page_size: 2 },
      warnings: [{ code: "ARGUMENT_REPAIRED", context: { fields: ["limit"] } }],
    });
    const off = await runTool(tool, { limit: "2" }, { contract: { ...contract, repairArguments: false } });
    expect(off.outcome.ok).toBe(false);
  });
});
