import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { homeWith } from "../../src/cli/wrap/home.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const memory = `${process.cwd()}/node_modules/@modelcontextprotocol/server-memory/dist/index.js`;

/** Connects as an MCP client does that finds this entry in its config. The source takes the place of the built command line. */
async function connect({ command, args, env = {} }: Entry, home: string): Promise<Client> {
  const [, ...rest] = args;
  const { PATH = "" } = process.env;
  const transport = new StdioClientTransport({
    command,
    args: ["--import", "tsx", `${process.cwd()}/src/cli/main.ts`, ...rest],
    env: { PATH, HOME: home, XDG_STATE_HOME: `${home}/state`, ...env },
    stderr: "ignore",
  });
  const client = new Client({ name: "journey", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

async function wrappedEntry(
  name: string,
  entry: object,
): Promise<{ readonly entry: Entry; readonly home: string }> {
  const home = homeWith({ "mcp.json": JSON.stringify({ mcpServers: { [name]: entry } }, undefined, 2) });
  expect(await home.run("wrap mcp.json --yes")).toMatchObject({ exitCode: 0 });
  const { mcpServers } = JSON.parse(readFileSync(home.at("mcp.json"), "utf8"));
  return { entry: mcpServers[name], home: home.path };
}

describe.runIf(isFullRun)("a client with a wrapped config", () => {
  it("has the tools of its server, which work as before", async () => {
    const { entry, home } = await wrappedEntry("memory", { command: process.execPath, args: [memory] });
    const wrapped = await connect({ ...entry, env: { MEMORY_FILE_PATH: `${home}/memory.json` } }, home);
    const { tools } = await wrapped.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["create_entities", "read_graph"]));
    const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
    await wrapped.callTool({ name: "create_entities", arguments: { entities } });
    const { structuredContent } = await wrapped.callTool({ name: "read_graph", arguments: {} });
    expect(structuredContent).toMatchObject({ entities: [{ name: "Ada" }] });
  });

  it("has the tools of all its servers in one entry, where they were merged", async () => {
    const start = (folder: string): object => ({
      command: process.execPath,
      args: [memory],
      env: { MEMORY_FILE_PATH: folder },
    });
    const home = homeWith({});
    const servers = { work: start(home.at("work.json")), own: start(home.at("own.json")) };
    home.write("mcp.json", JSON.stringify({ mcpServers: servers }, undefined, 2));
    expect(await home.run("wrap mcp.json --merge --yes")).toMatchObject({ exitCode: 0 });
    const { mcpServers } = JSON.parse(home.read("mcp.json")) as { mcpServers: Record<string, Entry> };
    expect(Object.keys(mcpServers)).toEqual(["waybill"]);
    const { waybill } = mcpServers;
    if (waybill === undefined) throw new Error("there is no entry");
    const client = await connect(waybill, home.path);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["work_read_graph", "own_read_graph", "waybill_retrieve"]));
    expect(names).toHaveLength(2 * 9 + 1);
    const entities = [{ name: "Ada", entityType: "person", observations: [] }];
    await client.callTool({ name: "work_create_entities", arguments: { entities } });
    const graphOf = async (name: string): Promise<unknown> =>
      (await client.callTool({ name: `${name}_read_graph`, arguments: {} })).structuredContent;
    expect(await graphOf("work")).toMatchObject({ entities: [{ name: "Ada" }] });
    expect(await graphOf("own")).toMatchObject({ entities: [] });
  });

  it("reaches a server at a url with the headers that the config had", async () => {
    const seen = new Set<unknown>();
    const server = createServer((request, response) => {
      seen.add(request.headers["x-key"]);
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const { id, method } = JSON.parse(body || "{}") as { id?: number; method?: string };
        if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
        const greeting = {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "s", version: "1" },
        };
        const result =
          method === "initialize" ? greeting : { tools: [{ name: "add", inputSchema: { type: "object" } }] };
        response.writeHead(200, { "content-type": "application/json" });
        return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { entry, home } = await wrappedEntry("api", {
      type: "http",
      url,
      headers: { "X-Key": "k-123456" },
    });
    const client = await connect(entry, home);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("add");
    expect(seen).toEqual(new Set(["k-123456"]));
    expect(entry.args.join(" ")).not.toContain("k-123456");
  });
});
