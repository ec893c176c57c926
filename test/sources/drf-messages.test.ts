import { InMemoryTransport, McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { validateMessage } from "../../src/index.ts";
import { createContract, defineTool } from "../../src/server/index.ts";

const list = defineTool("customers_list", { description: "All customers" }, () => []);
const contract = createContract({ dialect: "drf", logLevel: "silent" });
const buildServer = () => contract.server(new McpServer({ name: "customers", version: "0.1.0" })).add(list);

/** What a server in the drf dialect answers to a message, as it goes over the wire. */
async function answerTo(message: object): Promise<unknown> {
  const server = buildServer();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const answer = new Promise((resolve) => {
    Object.assign(near, { onmessage: resolve });
  });
  await server.connect(far);
  await near.start();
  onTestFinished(() => server.close());
  await near.send(message as never);
  return answer;
}

describe("the messages of source 003", () => {
  it("initialize answers with version, tools and the server's name", async () => {
    const request = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "reader", version: "1.0.0" },
      },
    };
    const answer = await answerTo(request);
    expect(answer).toMatchObject({
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "customers", version: "0.1.0" },
      },
    });
    expect(validateMessage(answer, { request }).valid).toBe(true);
  });

  it("a body that is no JSON gets -32700 with a null id over HTTP", async () => {
    const response = await createMcpHandler(buildServer).fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: '{"jsonrpc": "2.0", "method":',
      }),
    );
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
    expect(validateMessage(answer).valid).toBe(true);
  });
});
