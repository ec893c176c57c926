import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { attachContract } from "./attach-contract.ts";
import { type Contract, createContract } from "./create-contract.ts";

const info = { name: "t", version: "1.0.0" };
const search = defineTool("search", { description: "Finds" }, () => ({}));

function built(contract: Contract): McpServer {
  return contract.server(new McpServer(info)).add(search);
}

function attached(contract: Contract): McpServer {
  const server = new McpServer(info);
  server.registerTool("search", { description: "Finds" }, () => ({ content: [] }));
  return attachContract(server, contract);
}

async function list(server: McpServer): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(info);
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  await client.close();
}

describe.each([
  ["contract.server", built],
  ["attachContract", attached],
])("toolSettings under %s", (_, door) => {
  it("are said to be of no tool, once the list is known", async () => {
    const said: object[] = [];
    const logger = {
      info: () => undefined,
      warn: (fields: object, event: string) => void said.push({ event, ...fields }),
      error: () => undefined,
    };
    const toolSettings = { serch: { timeoutMs: 5 }, zebra: {}, search: {} };
    const contract = createContract({ toolSettings, dialect: "response-v2", logger });
    await list(door(contract));
    await list(door(contract));
    expect(said).toEqual([
      {
        event: "tool-settings-unused",
        tool: "serch",
        hint: 'toolSettings names a tool that is not listed. Did you mean "search"?',
      },
      { event: "tool-settings-unused", tool: "zebra", hint: "toolSettings names a tool that is not listed." },
    ]);
  });
});
