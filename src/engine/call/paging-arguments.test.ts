import { inspect } from "node:util";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { contractClient } from "../../doors/client/contract-client.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { type StandardSchema, acceptingSchema } from "../settings/standard-schema.ts";
import type { ToolContext } from "../settings/tool-context.ts";
import { type AnyTool, type ToolConfig, defineTool } from "../settings/tool-definition.ts";

const rows = Array.from({ length: 7 }, (_, id) => ({ id }));

function list(ctx: ToolContext<never, true>, more: object = {}) {
  return ctx.page({
    path: "rows",
    fetch: ({ after, limit }) => rows.filter(({ id }) => id > Number(after ?? -1)).slice(0, limit),
    key: ({ id }) => id,
    ...more,
  });
}

async function connect(...tools: readonly AnyTool[]): Promise<Client> {
  const mcp = new McpServer({ name: "pages", version: "1.0.0" });
  createContract({ name: "pages", logLevel: "silent", validate: "always" })
    .server(mcp)
    .add(...tools);
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([mcp.connect(far), client.connect(near)]);
  return client;
}

const strict = z.strictObject({ status: z.enum(["open", "done"]) });

describe("a tool with paging: true", () => {
  const seen: unknown[] = [];
  const paged = defineTool(
    "list",
    {
      description: "Rows",
      inputSchema: strict,
      outputSchema: z.object({ rows: z.array(z.object({ id: z.number() })) }),
      paging: true,
      cache: { ttlMs: 60_000 },
    },
    (args, ctx) => {
      seen.push(args);
      return list(ctx);
    },
  );

  it("lists cursor and limit, takes them off before its schema, and gives every page", async () => {
    const client = await connect(paged);
    const { tools } = await client.listTools();
    expect(tools[0]?.inputSchema).toMatchObject({
      properties: { status: {}, cursor: { type: "string" }, limit: { type: "integer" } },
      required: ["status"],
    });
    const pages: unknown[] = [];
    for await (const page of contractClient(client).pages("list", { status: "open", limit: 3 }))
      pages.push(page.data);
    expect(pages).toEqual([{ rows: rows.slice(0, 3) }, { rows: rows.slice(3, 6) }, { rows: rows.slice(6) }]);
    expect(seen).toEqual(Array.from({ length: 3 }, () => ({ status: "open" })));
    await client.close();
  });

  it.each([
    [{ status: "open", limit: "three" }, "limit", "three", "must be number, not string"],
    [{ status: "open", cursor: 7 }, "cursor", 7, "must be string, not number"],
  ])("refuses %j as its schema would", async (args, field, received, message) => {
    const { outcome } = await runTool(paged, args);
    const errors = [{ pointer: `/${field}`, field, constraint: "type", message, received }];
    expect(outcome).toMatchObject({
      ok: false,
      fault: {
        code: "INVALID_FORMAT",
        message: `Validation failed: ${field} ${message}`,
        remediation: `Correct ${field} and call again.`,
        details: { field, constraint: "type", received, errors },
      },
    });
  });

  it("names both at once, and shows no secret", async () => {
    const { outcome } = await runTool(paged, {
      status: "open",
      limit: `ghp_${"a1B2".repeat(9)}`,
      cursor: [],
    });
    expect(outcome).toMatchObject({
      fault: { details: { errors: [{ field: "cursor" }, { field: "limit" }] } },
    });
    expect(JSON.stringify(outcome)).not.toContain("ghp_");
  });

  it("takes null as nothing", async () => {
    const { outcome } = await runTool(paged, { status: "open", limit: null, cursor: null });
    expect(outcome).toMatchObject({ ok: true, data: { rows } });
  });

  it.each<[string, StandardSchema, RegExp]>([
    ["a cursor of its own", z.object({ cursor: z.string() }), /list: .*takes cursor itself/],
    [
      "a limit in a branch",
      acceptingSchema({ type: "object", anyOf: [{ required: ["limit"] }] }),
      /takes limit itself/,
    ],
    [
      "a closed branch",
      acceptingSchema({
        type: "object",
        oneOf: [{ $ref: "#/$defs/a" }],
        $defs: { a: { additionalProperties: false } },
      }),
      /list: .*a branch of its input takes no further keys/,
    ],
    [
      "an input that is no object",
      acceptingSchema({ anyOf: [{ type: "object" }] }),
      /its input is not an object/,
    ],
  ])("is refused at registration with %s", async (_, inputSchema, why) => {
    const tool = { ...paged, config: { ...paged.config, inputSchema } } as unknown as AnyTool;
    await expect(connect(tool)).rejects.toThrow(why);
  });
});

async function run(config: Partial<ToolConfig>, more?: object) {
  const logged: unknown[] = [];
  const note = (fields: object): void => void logged.push(fields);
  const logger = { debug: note, info: note, warn: note, error: note };
  const tool = defineTool("list", { description: "Rows", ...config }, (_, ctx) => list(ctx, more));
  const { outcome } = await runTool(tool, {}, { contract: { logger, logLevel: "warn" } });
  return { outcome, said: inspect(logged, { depth: 5 }) };
}

describe("ctx.page with options that are wrong", () => {
  it.each([
    [{ path: undefined }, 'list: ctx.page: "path" is missing. Write a string.'],
    [{ path: "" }, 'list: ctx.page: "path" is "". Write a string that is not empty.'],
    [{ key: "id" }, 'list: ctx.page: "key" is not a function: give one.'],
    [{ fetch: undefined }, 'list: ctx.page: "fetch" is not a function: give one.'],
    [{ maxlimit: 5 }, 'list: ctx.page: "maxlimit" is not a known key. Did you mean "maxLimit"?'],
  ])("is refused, and the log says what is wrong: %j", async (more, why) => {
    const { outcome, said } = await run({ paging: true }, more);
    expect(outcome).toMatchObject({ ok: false, fault: { code: "INTERNAL_ERROR" } });
    expect(said).toContain(why);
  });
});

describe("ctx.page in a tool that cannot receive a cursor", () => {
  it.each([
    ["without an input schema", {}],
    ["with a schema that drops it", { inputSchema: z.object({ status: z.string().optional() }) }],
    ["with a schema that refuses it", { inputSchema: z.strictObject({}) }],
  ])("refuses on the first page, and the log says how to mend it: %s", async (_, config) => {
    const { outcome, said } = await run(config);
    expect(outcome).toMatchObject({ ok: false, fault: { code: "INTERNAL_ERROR" } });
    expect(said).toContain("set paging: true");
  });

  it.each<[string, Partial<ToolConfig>, object?]>([
    ["by paging", { paging: true }],
    ["by its schema", { inputSchema: z.object({ cursor: z.string().optional() }) }],
    ["by a branch of it", { inputSchema: z.union([z.object({ cursor: z.string() }), z.object({})]) }],
    ["by an open schema", { inputSchema: z.looseObject({}) }],
    ["by _waybill", { waybillArgument: true }],
    ["by another name", {}, { cursor: undefined }],
  ])("gives a page where there is a way: %s", async (_, config, more) => {
    expect((await run(config, more)).outcome).toMatchObject({ ok: true, data: { rows } });
  });
});
