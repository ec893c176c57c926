import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { Logger } from "../../engine/observe/log-event.ts";
import { resolveConfig } from "../../engine/settings/resolve-config.ts";
import { type Settings, defaultSettings } from "../../engine/settings/settings.ts";
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

function listening(): { readonly said: object[]; readonly logger: Logger } {
  const said: object[] = [];
  const logger = {
    info: () => undefined,
    warn: (fields: object, event: string) => void said.push({ event, ...fields }),
    error: () => undefined,
  };
  return { said, logger };
}

describe.each([
  ["contract.server", built],
  ["attachContract", attached],
])("toolSettings under %s", (_, door) => {
  it("are said to be of no tool, once the list is known", async () => {
    const { said, logger } = listening();
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

  it("of a file are said to be of no tool too, with their place", async () => {
    const { said, logger } = listening();
    const text = '{ "tools": {\n"serch": { "dialect": "drf" },\n"search": { "profile": "debug" } } }';
    const { settings } = resolveConfig({ waybill: { file: "/r/waybill.config.json", text } });
    const contract = createContract({ config: settings, logger });
    await list(door(contract));
    await list(door(contract));
    expect(said).toEqual([
      {
        event: "tool-settings-unused",
        tool: "serch",
        hint: 'tools in /r/waybill.config.json:2 names a tool that is not listed. Did you mean "search"?',
      },
    ]);
  });

  it("of a gateway's file for all its servers are not: they may be another server's", async () => {
    const { said, logger } = listening();
    const upstreams = { a: { url: "https://a.test/mcp", tools: { serch: { dialect: "drf" } } } };
    const both = { ...upstreams, b: { url: "https://b.test/mcp" } };
    const toolOf = (servers: object): Settings | undefined => {
      const text = JSON.stringify({ tools: { listing: { dialect: "drf" } }, upstreams: servers });
      return resolveConfig({ waybill: { file: "w.json", text } }).gateway?.settings["a"];
    };
    for (const servers of [both, upstreams]) {
      await list(door(createContract({ config: toolOf(servers) ?? defaultSettings, logger })));
    }
    expect(said).toMatchObject([{ tool: "serch" }, { tool: "listing" }, { tool: "serch" }]);
  });
});
