import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { faults } from "../../core/contract/faults.ts";
import { createContract, withContract } from "./create-contract.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";

const tasks = Array.from({ length: 5 }, (_, index) => ({ id: `task-00${index}`, status: "pending" }));

const taskQuery = defineTool(
  "task_query",
  {
    description: "Tasks",
    inputSchema: z.object({
      status: z.enum(["pending", "done"]),
      limit: z.number().optional(),
      cursor: z.string().optional(),
    }),
    outputSchema: z.object({ tasks: z.array(z.object({ id: z.string(), status: z.string() })) }),
  },
  async ({ status }, ctx) =>
    ctx.page({
      path: "tasks",
      fetch: ({ after, limit }) =>
        tasks
          .filter((task) => task.status === status && (after === undefined || task.id > after))
          .slice(0, limit),
      key: (task: { readonly id: string; readonly status: string }) => task.id,
    }),
);

const specGet = defineTool(
  "spec_get",
  { description: "One spec", inputSchema: z.object({ spec_id: z.string() }) },
  async ({ spec_id }, ctx) => {
    ctx.warn("The index is being rebuilt");
    if (spec_id === "boom") throw new Error("secret path /etc/passwd");
    throw faults.notFound("spec", spec_id, { errorCode: "SPEC_NOT_FOUND" });
  },
);

async function connect(options: ContractOptions = {}) {
  const contract = createContract({ validate: "always", logLevel: "silent", ...options });
  const server = contract.server(new McpServer({ name: "t", version: "1.0.0" })).add(taskQuery, specGet);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown>, meta?: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) });
    return { result, envelope: result.structuredContent as Record<string, never> };
  };
  return { client, call };
}

describe("a server under the contract", () => {
  // shows 001.5
  it("answers with data and a cursor that leads to the next page", async () => {
    const { call } = await connect();
    const first = await call("task_query", { status: "pending", limit: 2 });
    expect(first.envelope).toMatchObject({
      success: true,
      data: { tasks: [{ id: "task-000" }, { id: "task-001" }] },
      meta: { pagination: { has_more: true, page_size: 2 } },
    });
    const { cursor } = (first.envelope["meta"] as unknown as { pagination: { cursor: string } }).pagination;
    const second = await call("task_query", { status: "pending", limit: 2, cursor });
    expect(second.envelope["data"]).toMatchObject({ tasks: [{ id: "task-002" }, { id: "task-003" }] });
    const foreign = await call("task_query", { status: "done", limit: 2, cursor });
    expect(foreign.envelope).toMatchObject({ success: false, data: { error_code: "INVALID_CURSOR" } });
  });

  // shows 000.19
  it("keeps code, details and warnings of a thrown fault", async () => {
    const { call } = await connect();
    const { result, envelope } = await call("spec_get", { spec_id: "login" });
    expect(result.isError).toBe(true);
    expect(envelope).toMatchObject({
      success: false,
      error: "Spec not found: login",
      data: { error_code: "SPEC_NOT_FOUND", error_type: "not_found", details: { resource_id: "login" } },
      meta: { warnings: ["The index is being rebuilt"] },
    });
    expect((result.content as { text: string }[])[0]?.text).toBe(JSON.stringify(envelope));
  });

  it("tells the model nothing of an unforeseen error", async () => {
    const { call } = await connect();
    const { result, envelope } = await call("spec_get", { spec_id: "boom" });
    expect(envelope).toMatchObject({ data: { error_code: "INTERNAL_ERROR" } });
    expect(JSON.stringify(result)).not.toContain("passwd");
  });

  it("names every wrong argument at once, with what may have been meant", async () => {
    const { call } = await connect();
    const { envelope } = await call("task_query", { status: "pendng", limit: "two" });
    expect(envelope).toMatchObject({
      success: false,
      data: {
        error_code: "VALIDATION_ERROR",
        details: {
          field: "status",
          constraint: "enum",
          received: "pendng",
          errors: [
            { pointer: "/status", did_you_mean: "pending" },
            { pointer: "/limit", constraint: "type" },
          ],
        },
      },
    });
    const missing = await call("spec_get", { specid: "x" });
    expect(missing.envelope).toMatchObject({
      error: "Validation failed: spec_id is required",
      data: {
        error_code: "MISSING_REQUIRED",
        details: { field: "spec_id", constraint: "required", received: null },
      },
    });
  });

  it("leaves an unknown tool to the protocol, with a suggestion", async () => {
    const { client } = await connect();
    await expect(client.callTool({ name: "task_qury", arguments: {} })).rejects.toThrow(
      /Did you mean "task_query"/,
    );
  });

  // shows 001.2
  it("echoes a client's request id and answers in the dialect it asks for, where allowed", async () => {
    const { call } = await connect({ allow: { dialects: ["scalpel"] } });
    const { envelope } = await call(
      "task_query",
      { status: "done" },
      { "waybill/request_id": "abc-1", "waybill/contract": { dialect: "scalpel" } },
    );
    expect(envelope).toMatchObject({ request_id: "abc-1", data: { tasks: [] } });
    const refused = await call("task_query", { status: "done" }, { "waybill/contract": { dialect: "drf" } });
    expect(refused.envelope).toMatchObject({
      success: true,
      meta: { warning_details: [{ code: "DIALECT_NOT_ALLOWED" }] },
    });
  });

  // shows 001.6
  it("refuses over the rate limit and says when to come back", async () => {
    const { call } = await connect({ rateLimit: { limit: 2, periodSeconds: 60 } });
    await call("task_query", { status: "done" });
    const near = await call("task_query", { status: "done" });
    expect(near.envelope["meta"]).toMatchObject({ rate_limit: { limit: 2, remaining: 0 } });
    const { envelope } = await call("task_query", { status: "done" });
    expect(envelope).toMatchObject({
      success: false,
      data: { error_code: "RATE_LIMIT_EXCEEDED", error_type: "rate_limit" },
      meta: { rate_limit: { remaining: 0 } },
    });
    expect(
      (envelope["data"] as unknown as { retry_after_seconds: number }).retry_after_seconds,
    ).toBeGreaterThan(0);
  });
});

describe("withContract", () => {
  it("takes a contract or its options", () => {
    const server = withContract(new McpServer({ name: "t", version: "1.0.0" }), { dialect: "scalpel" });
    expect(typeof server.add).toBe("function");
    expect(() => withContract({} as never)).toThrow(/McpServer of the MCP SDK v2/);
  });
});

describe("replace", () => {
  const named = (name: string, version: number) =>
    defineTool(name, { description: "One of several" }, () => ({ version }));

  async function open() {
    const contract = createContract({ logLevel: "silent" });
    const server = contract
      .server(new McpServer({ name: "t", version: "1.0.0" }))
      .add(named("one", 1), named("two", 1));
    server.registerTool("by_hand", { description: "Stays" }, () => ({ version: 1 }));
    server.addServerTool();
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "c", version: "1" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    const versionOf = async (name: string) => {
      const { structuredContent } = await client.callTool({ name, arguments: {} });
      return (structuredContent as { data: { version: number } }).data.version;
    };
    return { server, client, names, versionOf };
  }

  it("takes away what was added, and nothing that was registered otherwise", async () => {
    const { server, client, names, versionOf } = await open();
    server.replace(named("two", 2), named("three", 2));
    expect((await names()).toSorted()).toEqual(["by_hand", "server", "three", "two", "waybill_retrieve"]);
    expect([await versionOf("two"), await versionOf("three"), await versionOf("by_hand")]).toEqual([2, 2, 1]);
    await expect(client.callTool({ name: "one", arguments: {} })).rejects.toThrow("Tool one not found");
    await client.close();
  });

  it("leaves a tool that is given again as it is, and may be followed by add", async () => {
    const { server, client, names } = await open();
    const [same, more] = [named("one", 3), named("more", 3)];
    server.replace(same);
    let told = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => void told++);
    server.replace(same);
    await names();
    expect(told).toBe(0);
    server.add(more).replace(more);
    expect(await names()).toEqual(expect.arrayContaining(["more", "by_hand"]));
    expect(await names()).not.toContain("one");
    await client.close();
  });

  it("refuses what is no tool before it takes anything away", async () => {
    const { server, client, names } = await open();
    expect(() => server.replace(named("new", 1), {} as never)).toThrow("replace: tools[1] is an object");
    expect(await names()).toEqual(expect.arrayContaining(["one", "two"]));
    await client.close();
  });
});
