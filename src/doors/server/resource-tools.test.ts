import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { runTool } from "../testing/index.ts";
import { resourceTools } from "./resource-tools.ts";

const alice = { id: 1, name: "Alice", email: "alice@example.com" };
const body = z.object({ name: z.string(), email: z.email() });

function customers() {
  const rows = new Map([["1", alice]]);
  const tools = resourceTools(
    "customers",
    {
      list: () => [...rows.values()],
      retrieve: (pk) => rows.get(pk),
      create: ({ name, email }) => ({ id: 2, name, email }),
      update: (pk, given) => rows.has(pk) && { ...alice, ...given },
      destroy: (pk) => rows.delete(pk),
    },
    { body },
  );
  return async (name: string, args: JsonObject = {}) => {
    const tool = tools.find((each) => each.name === `customers_${name}`) as AnyTool;
    const contract = { dialect: "drf" as const, logLevel: "silent" as const };
    const { result } = await runTool(tool, args, { contract });
    const [first] = result["content"] as { text: string }[];
    return { text: first?.text, isError: result["isError"] };
  };
}

describe("resourceTools", () => {
  it("gives the tools and the answers of source 003", async () => {
    const call = customers();
    expect(await call("list")).toEqual({ text: JSON.stringify([alice]), isError: undefined });
    expect(await call("retrieve", { kwargs: { pk: "1" } })).toMatchObject({ text: JSON.stringify(alice) });
    expect(await call("retrieve", { kwargs: { pk: "999999" } })).toEqual({
      text: "Error executing tool: ViewSet returned error: {'detail': 'Not found.'}",
      isError: true,
    });
  });

  it("adds, changes and removes", async () => {
    const call = customers();
    const bob = { name: "Bob", email: "bob@example.com" };
    expect((await call("create", { body: bob })).text).toBe(JSON.stringify({ id: 2, ...bob }));
    expect((await call("update", { kwargs: { pk: 1 }, body: bob })).text).toBe(
      JSON.stringify({ ...alice, ...bob }),
    );
    expect(await call("destroy", { kwargs: { pk: "1" } })).toMatchObject({ isError: undefined });
    expect(await call("destroy", { kwargs: { pk: "1" } })).toMatchObject({ isError: true });
    expect(await call("update", { kwargs: { pk: "1" }, body: bob })).toMatchObject({ isError: true });
  });

  it.each([
    ["retrieve", {}, "kwargs is required"],
    ["retrieve", { kwargs: {} }, "kwargs.pk is required"],
    ["retrieve", { kwargs: { pk: true } }, "kwargs.pk must be a string"],
    ["create", { body: { name: "Bob", email: "bob" } }, "body.email"],
    ["update", { body: { name: "Bob", email: "bob@example.com" } }, "kwargs is required"],
  ])("%s refuses %j", async (name, args, words) => {
    const { text, isError } = await customers()(name, args);
    expect(isError).toBe(true);
    expect(text).toContain(words);
  });

  it("takes an object that a model wrote as text", async () => {
    expect(await customers()("retrieve", { kwargs: '{"pk":"1"}' })).toMatchObject({ isError: undefined });
  });

  it("lists what a call needs, and only the operations that are given", () => {
    const tools = resourceTools("orders", { retrieve: () => ({}) });
    expect(tools.map(({ name }) => name)).toEqual(["orders_retrieve"]);
    const [input] = tools.map(({ config }) => config.inputSchema?.["~standard"].jsonSchema);
    expect(input?.input({ target: "draft-2020-12" })).toMatchObject({
      type: "object",
      properties: { kwargs: { properties: { pk: { type: "string" } }, required: ["pk"] } },
      required: ["kwargs"],
    });
  });

  it("refuses an unknown operation", () => {
    expect(() => resourceTools("orders", { lst: () => [] } as object)).toThrow(
      'resourceTools: "lst" is no operation of a resource. Choose one of list, retrieve, create, update, destroy.',
    );
  });
});
