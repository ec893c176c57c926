import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { InMemoryTaskStore } from "mcp-sdk-1-32/experimental/tasks/stores/in-memory.js";
import { InMemoryTransport as Memory132 } from "mcp-sdk-1-32/inMemory.js";
import { Server as Server132 } from "mcp-sdk-1-32/server/index.js";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import { CallToolRequestSchema, CallToolResultSchema } from "mcp-sdk-1-32/types.js";
import { describe, expect, it } from "vitest";
import * as z from "zod/v4";
import { faults } from "../../src/core/contract/faults.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { envelopeOf } from "./attach-expectations.fixture.ts";

const info = { name: "cases", version: "1.0.0" };
const quiet: ContractOptions = { logLevel: "silent", dialect: "response-v2" };
const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });

async function connect(
  server: McpServer | Server,
  era: "legacy" | "modern",
  extensions: Record<string, Record<string, string>> = {},
): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(info, { capabilities: { extensions }, versionNegotiation: { mode } });
  if (era === "modern") serveStdio(() => server, { transport: far });
  else await server.connect(far);
  await client.connect(near);
  return client;
}

describe("attachContract with select", () => {
  it.each(["legacy", "modern"] as const)("answers a question that no handler sees, %s", async (era) => {
    const seen: unknown[] = [];
    const server = new McpServer(info);
    const outputSchema = z.object({ rows: z.array(z.number()) });
    server.registerTool(
      "rows",
      { inputSchema: z.strictObject({ most: z.number() }), outputSchema },
      async (args) => {
        seen.push(args);
        const structuredContent = { rows: [3, 1, 2] };
        return { ...text(JSON.stringify(structuredContent)), structuredContent };
      },
    );
    const client = await connect(attachContract(server, { ...quiet, select: true }), era);
    const { tools } = await client.listTools();
    expect(tools[0]?.inputSchema.properties).toHaveProperty("_waybill_select");
    const args = { most: 3, _waybill_select: "sort(rows)" };
    // The client holds the result against the schema that it was given.
    const result = await client.callTool({ name: "rows", arguments: args });
    expect(envelopeOf(result as never)).toMatchObject({ success: true, data: { selected: [1, 2, 3] } });
    expect(seen).toEqual([{ most: 3 }]);
    await client.close();
  });
});

describe("attachContract on a low-level server", () => {
  it.each(["legacy", "modern"] as const)(
    "keeps the code of a fault that the SDK sends as an error, %s",
    async (era) => {
      const server = new Server(info, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/list", () => ({
        tools: [{ name: "get", inputSchema: { type: "object" } }],
      }));
      server.setRequestHandler("tools/call", () => {
        throw faults.notFound("spec", "login", { errorCode: "SPEC_NOT_FOUND" });
      });
      const client = await connect(attachContract(server, quiet), era);
      await client.listTools();
      const result = await client.callTool({ name: "get" });
      expect(envelopeOf(result as never)).toMatchObject({ data: { error_code: "SPEC_NOT_FOUND" } });
    },
  );

  it("does so for v1", async () => {
    const server = new Server132(info, { capabilities: { tools: {} } });
    server.setRequestHandler(CallToolRequestSchema, () => {
      throw faults.notFound("spec", "login", { errorCode: "SPEC_NOT_FOUND" });
    });
    const [near, far] = Memory132.createLinkedPair();
    const client = new Client132(info);
    await attachContract(server, quiet).connect(far);
    await client.connect(near);
    const result = await client.callTool({ name: "get" });
    expect(envelopeOf(result as never)).toMatchObject({ data: { error_code: "SPEC_NOT_FOUND" } });
  });
});

describe("attachContract and what already is under a contract", () => {
  it("leaves tools of contract.server() as they are", async () => {
    const contract = createContract(quiet);
    const server = contract.server(new McpServer(info));
    const outputSchema = z.object({ a: z.number() });
    server.registerTool("own", { description: "Own", outputSchema }, () => ({ a: 1 }));
    const client = await connect(attachContract(server, contract), "legacy");
    const { tools } = await client.listTools();
    expect(tools[0]?.outputSchema?.["required"]).toEqual(["success", "data", "error", "meta"]);
    const result = await client.callTool({ name: "own" });
    expect(envelopeOf(result as never)["data"]).toEqual({ a: 1 });
  });

  it("counts a call once where both doors put the same contract on a server object", async () => {
    const contract = createContract({ ...quiet, rateLimit: { limit: 10, periodSeconds: 60 } });
    const server = new McpServer(info);
    server.registerTool("before", {}, () => text("before"));
    contract.server(server).registerTool("own", { description: "Own" }, () => ({ a: 1 }));
    const client = await connect(attachContract(server, contract), "legacy");
    const left = [];
    for (const name of ["own", "before"]) {
      const { _meta: meta } = await client.callTool({ name });
      left.push(meta?.["waybill/notes"]);
    }
    expect(left).toMatchObject([{ rate_limit: { remaining: 9 } }, { rate_limit: { remaining: 8 } }]);
  });

  it("refuses another contract, also on the object inside", () => {
    const server = attachContract(new McpServer(info), quiet);
    const other = createContract(quiet);
    for (const again of [() => attachContract(server.server, other), () => other.server(server)])
      expect(again).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  });

  it("attached twice wraps once", async () => {
    const server = new McpServer(info);
    const outputSchema = z.object({ a: z.number() });
    server.registerTool("own", { outputSchema }, () => ({ ...text('{"a":1}'), structuredContent: { a: 1 } }));
    const client = await connect(attachContract(attachContract(server, quiet), quiet), "legacy");
    await client.listTools();
    expect(envelopeOf((await client.callTool({ name: "own" })) as never)["data"]).toEqual({ a: 1 });
  });
});

describe("what a request may choose under attachContract", () => {
  const scalpel = { dialect: "scalpel" };
  const build = (): McpServer => {
    const server = new McpServer(info);
    server.registerTool("get", {}, () => text('{"a":1}'));
    return attachContract(server, { ...quiet, allow: { dialects: ["scalpel"] } });
  };

  it.each(["legacy", "modern"] as const)("is the dialect, by its _meta, %s", async (era) => {
    const client = await connect(build(), era);
    await client.listTools();
    const result = await client.callTool({ name: "get", _meta: { "waybill/contract": scalpel } });
    expect(result.structuredContent).toEqual({ data: { a: 1 } });
  });

  it.each(["legacy", "modern"] as const)("is the dialect, by the client's capability, %s", async (era) => {
    const client = await connect(build(), era, { "waybill/response-contract": scalpel });
    await client.listTools();
    const result = await client.callTool({ name: "get" });
    expect(result.structuredContent).toEqual({ data: { a: 1 } });
  });
});

describe("attachContract", () => {
  it("gives a tool with a widget its own data", async () => {
    const server = new McpServer(info);
    const outputSchema = z.object({ a: z.number() });
    const config = { outputSchema, _meta: { ui: { resourceUri: "ui://widget" } } };
    server.registerTool("widget", config, () => ({ ...text('{"a":1}'), structuredContent: { a: 1 } }));
    const client = await connect(attachContract(server, quiet), "legacy");
    await client.listTools();
    expect((await client.callTool({ name: "widget" })).structuredContent).toEqual({ a: 1 });
  });

  it("goes on after a cancelled call", async () => {
    const server = new McpServer(info);
    server.registerTool("wait", {}, async ({ mcpReq }) => {
      await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
      return text("late");
    });
    server.registerTool("now", {}, () => text("now"));
    const client = await connect(attachContract(server, quiet), "legacy");
    const waiting = client.callTool({ name: "wait" }, { signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toThrow(/abort|timeout/i);
    expect(envelopeOf((await client.callTool({ name: "now" })) as never)).toMatchObject({ success: true });
  });

  it("envelopes the result of a legacy task, and leaves its states alone", async () => {
    const server = new McpServer132(info, {
      capabilities: { tasks: { requests: { tools: { call: {} } } } },
      taskStore: new InMemoryTaskStore(),
    });
    server.experimental.tasks.registerToolTask(
      "later",
      { description: "Later", inputSchema: {}, execution: { taskSupport: "required" } },
      {
        createTask: async (_args, { taskStore }) => {
          const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
          void taskStore.storeTaskResult(task.taskId, "completed", text('{"a":1}'));
          return { task };
        },
        getTask: (_args, { taskId, taskStore }) => taskStore.getTask(taskId),
        getTaskResult: async (_args, { taskId, taskStore }) =>
          CallToolResultSchema.parse(await taskStore.getTaskResult(taskId)),
      },
    );
    const [near, far] = Memory132.createLinkedPair();
    const client = new Client132(info, { capabilities: { tasks: {} } });
    await attachContract(server, quiet).connect(far);
    await client.connect(near);
    await client.listTools();
    const seen: string[] = [];
    let result: unknown;
    for await (const message of client.experimental.tasks.callToolStream(
      { name: "later", arguments: {} },
      CallToolResultSchema,
      { task: { ttl: 60_000 } },
    )) {
      seen.push(message.type);
      if (message.type === "result") result = message.result;
    }
    expect(seen[0]).toBe("taskCreated");
    expect(envelopeOf(result as never)["data"]).toEqual({ a: 1 });
    expect(result).toHaveProperty(["_meta", "io.modelcontextprotocol/related-task", "taskId"]);
  });
});
