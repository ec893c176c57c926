import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createContract } from "./create-contract.ts";

describe("contract.server", () => {
  it("wraps results once, however often it is called for a server object", async () => {
    const contract = createContract({ logLevel: "silent" });
    const server = new McpServer({ name: "t", version: "1.0.0" });
    contract.server(server);
    contract.server(server).registerTool("get", { description: "Get" }, () => ({ a: 1 }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "c", version: "1.0.0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: "get" });
    expect(structuredContent).toMatchObject({ success: true, data: { a: 1 } });
  });

  it("refuses a server object that is under another contract", () => {
    const server = createContract({ logLevel: "silent" }).server(
      new McpServer({ name: "t", version: "1.0.0" }),
    );
    expect(() => createContract({ logLevel: "silent" }).server(server)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }),
    );
  });
});
