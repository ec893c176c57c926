import { describe, expect, it } from "vitest";
import { homeWith } from "./home.fixture.ts";

type Named = Readonly<Record<string, object>>;

/** A server over stdio whose tools only read, take nothing, and always give the same result. */
function serverOf(results: Named, more: Named = {}): string {
  const about = { description: "Reads", inputSchema: { type: "object", properties: {} } };
  const annotations = { readOnlyHint: true };
  const tools = Object.keys(results).map((name) => ({ name, ...about, annotations, ...more[name] }));
  return `import { createInterface } from "node:readline";
const results = ${JSON.stringify(results)};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const known = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "lab", version: "1" } },
    "tools/list": { tools: ${JSON.stringify(tools)} },
    "tools/call": results[params?.name] ?? { isError: true, content: [{ type: "text", text: "No such tool" }] },
  };
  const answer = known[method] === undefined ? { error: { code: -32601, message: "unknown" } } : { result: known[method] };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
});`;
}

/** One tool has a thin text beside its structure, the other a link. */
const thin = serverOf({
  count: { content: [{ type: "text", text: "1 overdue" }], structuredContent: { items: ["task-41"] } },
  find: { content: [{ type: "resource_link", uri: "file:///a.txt", name: "a.txt" }] },
});

const server = { command: process.execPath, args: ["thin.mjs"] };
const config = JSON.stringify({ mcpServers: { thin: server } });

/** Texts that say more than their structures do, with a schema, against one, and without any. */
const content = [{ type: "text", text: "parcel overdue" }];
const outputSchema = {
  type: "object",
  properties: { id: { type: "number" } },
  required: ["id"],
  additionalProperties: false,
};
const typed = serverOf(
  {
    more: { content, structuredContent: { id: 7 } },
    broken: { content, structuredContent: { ids: [7] } },
    failing: { content, structuredContent: { code: 7 }, isError: true },
    untyped: { content, structuredContent: { id: 7 } },
  },
  { more: { outputSchema }, broken: { outputSchema }, failing: { outputSchema } },
);

describe("waybill clients --check", () => {
  it("says of each failing what the gateway makes of the very result", async () => {
    const { run } = homeWith({
      "typed.mjs": typed,
      ".gemini/settings.json": JSON.stringify({
        mcpServers: { typed: { command: process.execPath, args: ["typed.mjs"] } },
      }),
      ".cursor/mcp.json": JSON.stringify({
        mcpServers: { typed: { command: process.execPath, args: ["typed.mjs"] } },
      }),
      ".codex/config.toml": `[mcp_servers.typed]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["typed.mjs"]\n`,
    });
    const { stdout } = await run("clients --check --json");
    const { servers } = JSON.parse(stdout).data as {
      servers: { reader: string; failings: { tool: string; kind: string; gateway: string }[] }[];
    };
    const said = servers.flatMap(({ reader, failings }) =>
      failings.map(({ tool, kind, gateway }) => `${reader} ${tool} ${kind}: ${gateway}`),
    );
    const envelope = "sends an envelope as structure, with the texts beside its data";
    const texts = "sends the texts with all facts, and no structure";
    const json = "sends what the texts lack of the structure as one more text, in JSON";
    const stub = "sends the texts with all facts, and an envelope that the tool's schema allows as structure";
    const field = "says in the structure too what the texts and blocks say";
    expect(said).toEqual([
      // The tool's schema allows no property beside its own.
      "unknown more text: leaves it as it is",
      `unknown more structure: ${json}`,
      `unknown broken hidden: ${stub}`,
      `unknown failing text: ${field}`,
      `unknown failing structure: ${json}`,
      `unknown untyped text: ${field}`,
      `unknown untyped structure: ${json}`,
      `codex more text: ${envelope}`,
      `codex broken text: ${envelope}`,
      `codex failing text: ${texts}`,
      `codex untyped text: ${texts}`,
      `gemini-cli more structure: ${json}`,
      `gemini-cli broken hidden: ${stub}`,
      `gemini-cli failing hidden: ${texts}`,
      `gemini-cli untyped structure: ${json}`,
    ]);
  });

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
      "    the gateway sends what the texts lack of the structure as one more text, in JSON",
    ];
    const parts = stdout.split("\n\n");
    const [unknown = "", gemini = "", opencode = "", end = ""] = parts;
    expect(unknown).toMatch(/^Cursor, of which nothing is known {2}thin\n/);
    expect(unknown).toContain('it may show its model the structure alone, without "1" of the texts');
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
