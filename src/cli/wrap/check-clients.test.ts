import { describe, expect, it } from "vitest";
import { homeWith } from "./home.fixture.ts";

/** Lists two read-only tools; one has a thin text beside its structure, the other a link. */
const thin = `import { createInterface } from "node:readline";
const readOnly = { readOnlyHint: true };
const inputSchema = { type: "object", properties: {} };
const tools = [
  { name: "count", description: "Counts", inputSchema, annotations: readOnly },
  { name: "find", description: "Finds", inputSchema, annotations: readOnly },
];
const results = {
  count: { content: [{ type: "text", text: "1 overdue" }], structuredContent: { items: ["task-41"] } },
  find: { content: [{ type: "resource_link", uri: "file:///a.txt", name: "a.txt" }] },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const known = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "thin", version: "1" } },
    "tools/list": { tools },
    "tools/call": results[params?.name] ?? { isError: true, content: [{ type: "text", text: "No such tool" }] },
  };
  const answer = known[method] === undefined ? { error: { code: -32601, message: "unknown" } } : { result: known[method] };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});`;

const server = { command: process.execPath, args: ["thin.mjs"] };
const config = JSON.stringify({ mcpServers: { thin: server } });

describe("waybill clients --check", () => {
  it("says what each client's model would lose, by which call, and what the gateway would do", async () => {
    const { run } = homeWith({
      "thin.mjs": thin,
      ".gemini/settings.json": config,
      ".cursor/mcp.json": config,
      ".config/opencode/opencode.json": JSON.stringify({
        mcp: { thin: { type: "local", command: [server.command, ...server.args] } },
      }),
    });
    const { exitCode, stdout } = await run("clients --check");
    expect(exitCode).toBe(1);
    const structure = [
      "  count {}",
      '    lost: it shows its model the blocks alone, without "task-41" of the structure',
      "    the gateway sends the structure's JSON as one more text",
    ];
    const parts = stdout.split("\n\n");
    const [unknown = "", gemini = "", opencode = "", end = ""] = parts;
    expect(unknown).toMatch(/^Cursor, of which nothing is known {2}thin\n/);
    expect(unknown).toContain('it may show its model the structure alone, without "overdue" of the texts');
    expect(unknown).toContain('it may show its model the blocks alone, without "task-41" of the structure');
    const counts = /^ {2}2 tools, 2 called, \d+ results$/;
    expect(gemini.split("\n")).toEqual(["Gemini CLI  thin", expect.stringMatching(counts), ...structure]);
    expect(opencode.split("\n")).toEqual([
      "opencode  thin",
      expect.stringMatching(counts),
      ...structure,
      "  find {}",
      "    lost: it does not show its model resource_link",
      "    the gateway sends links and resources as text, and names every other block",
    ]);
    expect(end).toBe("3 servers, 5 failings between server and model\n");
  });

  it("names a server that does not answer, and goes on", async () => {
    const { run } = homeWith({
      "mcp.json": JSON.stringify({ mcpServers: { gone: { command: "/nonexistent/server" } } }),
    });
    const { exitCode, stdout } = await run("clients mcp.json --check --json");
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).data.servers).toEqual([
      {
        client: "MCP client",
        reader: "unknown",
        path: expect.stringMatching(/mcp\.json$/),
        name: "gone",
        reason: expect.any(String),
        failings: [],
      },
    ]);
  });

  it("says where it looked if there is no config, and refuses a file without --check", async () => {
    const { run } = homeWith({});
    expect((await run("clients --check")).stdout).toMatch(/^No config of a known client was found/);
    const { exitCode, stderr } = await run("clients mcp.json");
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/go with --check/);
  });
});
