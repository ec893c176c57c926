import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../json/json-value.ts";
import { attachContract } from "../../doors/server/attach-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { deprecatedFields } from "./deprecated-fields.ts";

const old = <Schema extends z.ZodType>(schema: Schema): Schema => schema.meta({ deprecated: true });

const outputSchema = z.object({
  owner: old(z.string()).optional(),
  tasks: z.array(
    z.object({ id: z.string(), state: old(z.string().optional()), step: z.number().optional() }),
  ),
});

async function warningsOf(data: z.input<typeof outputSchema>, contract: ContractOptions = {}) {
  const tool = defineTool("list", { description: "Lists", outputSchema }, () => data);
  const { outcome } = await runTool(tool, {}, { contract: { validate: "always", ...contract } });
  return outcome.notes.warnings ?? [];
}

describe("a field that the output schema marks deprecated", () => {
  // shows 001.51
  it("is named in a warning where the data has it", async () => {
    const data = { owner: "ada", tasks: [{ id: "t1" }, { id: "t2", state: "open" }] };
    expect(await warningsOf(data)).toEqual([
      {
        code: "DEPRECATED_FIELD",
        severity: "info",
        message: 'These fields are deprecated: owner, "tasks[*].state"',
        context: { fields: ["owner", "tasks[*].state"] },
      },
    ]);
  });

  it("is not mentioned where the data does not have it", async () => {
    expect(await warningsOf({ tasks: [{ id: "t1", step: 2 }] })).toEqual([]);
    expect(await warningsOf({ tasks: [] })).toEqual([]);
  });

  it("is not mentioned where a filter takes it out", async () => {
    const { resolveConfig } = await import("../../engine/settings/resolve-config.ts");
    const text = JSON.stringify({ tools: { list: { exclude: ["owner"] } } });
    const { settings } = resolveConfig({ waybill: { file: "waybill.config.json", text }, environment: {} });
    const said = await warningsOf({ owner: "ada", tasks: [] }, { config: settings });
    expect(said).toEqual([]);
  });

  it("is left to profiles that show what is only good to know", async () => {
    expect(await warningsOf({ owner: "ada", tasks: [] }, { profile: "minimal" })).toEqual([]);
  });

  it("is named behind attachContract too, by the schema that the server lists", async () => {
    const mcp = new McpServer({ name: "old", version: "1.0.0" });
    const list = () => ({ content: [], structuredContent: { owner: "ada", tasks: [] } });
    mcp.registerTool("list", { description: "Lists", outputSchema }, list as never);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await attachContract(mcp, { name: "old", logLevel: "silent", dialect: "response-v2" }).connect(far);
    const client = new Client({ name: "c", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
    await client.connect(near);
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: "list" });
    expect((structuredContent as JsonObject)["meta"]).toMatchObject({
      warnings: ["The field owner is deprecated"],
    });
  });
});

describe("deprecatedFields", () => {
  const node: JsonObject = {
    type: "object",
    properties: { label: { type: "string", deprecated: true }, next: { $ref: "#/$defs/node" } },
  };

  it("is nothing at all for a schema that marks none", () => {
    expect(deprecatedFields(undefined)).toBeUndefined();
    expect(deprecatedFields({ properties: { deprecated: { type: "boolean" } } })).toBeUndefined();
    expect(deprecatedFields({ properties: { a: { deprecated: false } } })).toBeUndefined();
  });

  it("follows references, branches, maps and tuples, and ends where a schema goes on for ever", () => {
    const names = deprecatedFields({
      $defs: { node, gone: { type: "string", deprecated: true } },
      anyOf: [
        { properties: { root: { $ref: "#/$defs/node" } } },
        { properties: { by: { $ref: "#/$defs/gone" } } },
      ],
      properties: {
        map: { additionalProperties: { properties: { "a.b": { deprecated: true } } } },
        pair: { prefixItems: [{ properties: { x: { deprecated: true } } }] },
      },
    });
    expect(names?.({ root: { next: { label: "x" } }, by: "me" })).toEqual(["by", "root.next.label"]);
    expect(names?.({ map: { k: { "a.b": 1 } }, pair: [{ x: 1 }] })).toEqual(["map[*].a.b", "pair[*].x"]);
    expect(names?.([1, { root: null }])).toEqual([]);
  });
});
