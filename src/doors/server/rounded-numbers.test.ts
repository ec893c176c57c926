import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { contractClient } from "../client/contract-client.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { attachContract } from "./attach-contract.ts";
import { createContract } from "./create-contract.ts";

/** As a program reads them: the digits are gone before anybody here sees them. */
const orders = JSON.parse(
  '{"orders":[{"id":9007199254740993,"total":12},{"id":9007199254740995}],"mass":1e300}',
) as {
  readonly orders: readonly JsonObject[];
};
const rounded = {
  code: "NUMBERS_ROUNDED",
  severity: "warning",
  message:
    "Whole numbers beyond 2^53 may have been rounded by JavaScript: /orders/0/id, /orders/1/id. Send them as text to keep every digit",
  context: { pointers: ["/orders/0/id", "/orders/1/id"], count: 2 },
};
const text = [{ type: "text" as const, text: "two orders" }];

async function connect(mcp: McpServer) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(near);
  return client;
}

describe("whole numbers beyond 2^53 that JavaScript has read", () => {
  test("are told of where a handler returns them, as data or as a ready-made result", async () => {
    const mcp = new McpServer({ name: "shop", version: "1.0.0" });
    const server = createContract({ logLevel: "silent", validate: "always" }).server(mcp);
    server.registerTool("data", {}, () => orders);
    server.registerTool("ready", {}, () => ({ content: text, structuredContent: { ...orders } }) as never);
    server.registerTool("safe", {}, () => ({ id: Number.MAX_SAFE_INTEGER, mass: 1e300 }));
    const client = await connect(mcp);
    for (const name of ["data", "ready"])
      expect(await client.callTool({ name })).toMatchObject({
        structuredContent: { data: orders, meta: { warning_details: [rounded] } },
      });
    expect(JSON.stringify(await client.callTool({ name: "safe" }))).not.toContain("NUMBERS_ROUNDED");
  });

  test("are told of where a server with a contract attached answers with them", async () => {
    const mcp = new McpServer({ name: "shop", version: "1.0.0" });
    mcp.registerTool("ready", {}, () => ({ content: text, structuredContent: { ...orders } }));
    attachContract(mcp, { logLevel: "silent", validate: "always", profile: "standard", dialect: "auto" });
    const client = await connect(mcp);
    const answer = await client.callTool({ name: "ready" });
    expect(answer.structuredContent).toEqual(orders);
    expect(JSON.stringify(answer)).toContain("NUMBERS_ROUNDED");
    expect(JSON.stringify(answer)).toContain("/orders/1/id");
  });

  test("are told of where a client reads them, once", async () => {
    const meta = { version: "response-v2" };
    const answers: Record<string, JsonObject> = {
      plain: { content: text, structuredContent: { ...orders } },
      told: {
        content: [],
        structuredContent: {
          success: true,
          data: { ...orders },
          error: null,
          meta: { ...meta, warning_details: [rounded] },
        },
      },
    };
    const tools = contractClient(({ name }) => Promise.resolve(answers[name] ?? {}));
    for (const name of ["plain", "told"])
      expect(await tools.call(name, {})).toMatchObject({ data: orders, warnings: [rounded] });
  });
});
