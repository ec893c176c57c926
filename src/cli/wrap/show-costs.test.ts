import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { gatewayArgs } from "../../../test/journeys/published-servers.fixture.ts";
import { askServer, openServer } from "../../doors/gateway/wrap/measure-server.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { homeWith } from "./home.fixture.ts";

const server = "node_modules/@modelcontextprotocol/server-memory/dist/index.js";
/** Answers everything with a refusal. */
const refusing = `process.stdin.on("data", (data) => {
  for (const line of String(data).trim().split("\\n")) {
    const { id } = JSON.parse(line);
    console.log("hello, I am no message");
    console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32600, message: "not today" } }));
  }
});`;

function configOf(servers: Readonly<Record<string, object>>): string {
  return JSON.stringify({ mcpServers: servers });
}

const memory = { command: process.execPath, args: [`${process.cwd()}/${server}`] };

describe("waybill wrap --measure", () => {
  it("starts a published server that is wrapped, and says what its tools cost", async () => {
    const { run } = homeWith({ "mcp.json": configOf({ memory }) });
    await run("wrap mcp.json --yes");
    const { exitCode, stdout } = await run("wrap mcp.json --measure --json");
    const { servers, total_tokens } = JSON.parse(stdout).data;
    expect(exitCode).toBe(0);
    expect(servers).toMatchObject([{ name: "memory", tools: 9, instruction_tokens: 0 }]);
    expect(servers[0].tool_tokens).toBe(total_tokens);
    expect(total_tokens).toBeGreaterThan(500);
  });

  it("adds up each client for itself, without the gateway and with it", async () => {
    const { run, at } = homeWith({
      ".cursor/mcp.json": configOf({ memory }),
      ".codeium/windsurf/mcp_config.json": configOf({ memory, gone: { command: "/nonexistent/server" } }),
    });
    const { stdout } = await run("wrap --measure --json");
    const { servers, clients } = JSON.parse(stdout).data;
    const [{ tool_tokens: own, gateway_tokens: added }] = servers;
    expect(clients).toEqual(
      [
        ["Cursor", ".cursor/mcp.json"],
        ["Windsurf", ".codeium/windsurf/mcp_config.json"],
      ].map(([client, path = ""]) => ({
        client,
        path: at(path),
        servers: 1,
        tokens: own,
        tokens_with_gateway: own + added,
      })),
    );
    expect(added).toBeGreaterThan(100);
  });

  it.runIf(isFullRun)("counts with the gateway what the gateway's own list costs", async () => {
    const { run } = homeWith({ ".cursor/mcp.json": configOf({ memory }) });
    const behind = [...gatewayArgs(["--store", "memory"], [memory.command, ...memory.args])];
    const reach = { command: process.execPath, args: behind, env: {}, cwd: undefined };
    const { link, close } = openServer(reach, { env: process.env, cwd: process.cwd() });
    onTestFinished(close);
    const { tools } = await askServer(link, { version: "1.0.0", timeoutMs: 30_000 });
    const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const tokens = (await loadCounter()).count(JSON.stringify(seen));
    const { stdout } = await run("wrap --measure");
    expect(stdout).toMatch(/^Cursor: \d+ tokens in every conversation, before the first call; /m);
    expect(stdout).toContain(`; ${tokens} with the gateway in front of it\n`);
  });

  it.runIf(isFullRun)("says the same of a server whether it is wrapped or not", async () => {
    const { run } = homeWith({ "mcp.json": configOf({ memory }) });
    const before = JSON.parse((await run("wrap mcp.json --measure --json")).stdout).data;
    await run("wrap mcp.json --yes");
    expect(JSON.parse((await run("wrap mcp.json --measure --json")).stdout).data).toEqual(before);
  });

  it("asks a server at its url, with its headers", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers["x-key"] as string | undefined);
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const { id, method } = JSON.parse(body || "{}") as { id?: number; method?: string };
        if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end();
        const initialized = {
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "s", version: "1" },
        };
        const result =
          method === "initialize"
            ? initialized
            : { tools: [{ name: "add", inputSchema: { type: "object" } }] };
        response.writeHead(200, { "content-type": "application/json" });
        return response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { run } = homeWith({ "mcp.json": configOf({ api: { url, headers: { "X-Key": "${KEY}" } } }) });
    const { exitCode, stdout } = await run("wrap mcp.json --measure --json", { env: { KEY: "k1" } });
    expect({ exitCode, seen: new Set(seen) }).toEqual({ exitCode: 0, seen: new Set(["k1"]) });
    expect(JSON.parse(stdout).data.servers).toMatchObject([
      { name: "api", tools: 1, largest_tool: { name: "add" } },
    ]);
  });

  it("says of each server that fails how it failed, and ends with exit code 3", async () => {
    const { run } = homeWith({
      "mcp.json": configOf({
        absent: { command: "/nonexistent/server" },
        refusing: { command: process.execPath, args: ["-e", refusing] },
        nobody: { url: "http://127.0.0.1:9/mcp" },
        odd: { url: "ftp://a.example/mcp" },
        asking: { command: "npx", args: ["${input:token}"] },
      }),
    });
    const { exitCode, stdout } = await run("wrap mcp.json --measure");
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/absent .* its command was not found/);
    expect(stdout).toMatch(/refusing .* it refused initialize: not today/);
    expect(stdout).toMatch(/nobody .* it refused initialize/);
    expect(stdout).toMatch(/odd .* its url is not one of http or https/);
    expect(stdout).toMatch(/asking .* only its client knows \$\{input:token\}/);
  });
});
