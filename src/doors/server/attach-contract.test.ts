import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { contractClient } from "../client/contract-client.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { attachContract } from "./attach-contract.ts";
import { createContract } from "./create-contract.ts";

const info = { name: "legacy", version: "1.0.0" };
const hits = { content: [{ type: "text" as const, text: "3 hits" }] };

function legacyServer(): McpServer {
  const server = new McpServer(info);
  server.registerTool("search", { description: "Finds" }, () => hits);
  server.registerTool("query", { description: "Asks" }, () => ({
    content: [{ type: "text" as const, text: "no such table: users" }],
    isError: true,
  }));
  return server;
}

async function connect(server: McpServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(info, { versionNegotiation: { mode: "legacy" } });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

async function call(server: McpServer, name: string): Promise<JsonObject> {
  const client = await connect(server);
  const result = (await client.callTool({ name, arguments: {} })) as unknown as JsonObject;
  await client.close();
  return result;
}

describe("attachContract", () => {
  it("leaves a small result of an existing server as it was, with options and with a contract", async () => {
    for (const contract of [{ logLevel: "silent" as const }, createContract({ logLevel: "silent" })])
      expect(await call(attachContract(legacyServer(), contract), "search")).toEqual(hits);
  });

  it("puts the envelope around every result where somebody asks for it", async () => {
    const asked = attachContract(legacyServer(), { logLevel: "silent", dialect: "response-v2" });
    expect(await call(asked, "search")).toMatchObject({
      structuredContent: { success: true, data: { result: "3 hits" } },
    });
  });
});

describe("a tool of one's own that returns { success: false, error }", () => {
  it("has failed, also where its schema is about data that a failure has not", async () => {
    const server = createContract({ logLevel: "silent" }).server(new McpServer(info));
    const outputSchema = z.object({ rows: z.array(z.number()) });
    const failed = (): never => ({ success: false, error: "no such table: users" }) as never;
    server.registerTool("own", { description: "Asks", outputSchema }, failed);
    expect(await call(server as unknown as McpServer, "own")).toMatchObject({
      isError: true,
      structuredContent: { success: false, error: "no such table: users", data: { error_code: "NOT_FOUND" } },
    });
  });
});

describe("contractClient of a server without a contract", () => {
  it("names its failures as the gateway does", async () => {
    const client = await connect(legacyServer());
    const tried = await contractClient(client).tryCall("query", {});
    expect(tried).toMatchObject({
      ok: false,
      error: { code: "NOT_FOUND", message: "no such table: users" },
    });
    await client.close();
  });
});
