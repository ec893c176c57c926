import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json/json-value.ts";
import { mcpMeta } from "../../core/protocol/names.ts";
import { here, open, outputSchema, reply, said, serving } from "./message-session.fixture.ts";

const inputSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "findArguments",
  type: "object",
  properties: { max_results: { title: "Max Results", type: "integer", description: "The max results." } },
  required: [],
};
const tools: readonly JsonObject[] = [
  { name: "find", description: "Finds.   \n", inputSchema, outputSchema },
  { name: "show", description: "Shows.\n", inputSchema, _meta: { ui: { resourceUri: "ui://show" } } },
];
const slim = { type: "object", properties: { max_results: { type: "integer" } } };

async function listFor(client: string | undefined, options: object, isModern = false) {
  const { session } = open(serving(said("3"), tools), {
    dialect: "auto",
    fit: { clientLimits: true },
    ...options,
  });
  const clientInfo = { name: client ?? "", version: "1" };
  const greeting = { jsonrpc: "2.0", id: 1, method: "initialize", params: { clientInfo, capabilities: {} } };
  if (client !== undefined && !isModern) void session.request(greeting, here);
  const _meta = { [mcpMeta.protocolVersion]: "2026-07-28", [mcpMeta.clientInfo]: clientInfo };
  const list = { jsonrpc: "2.0", id: 7, method: "tools/list", ...(isModern ? { params: { _meta } } : {}) };
  expect(session.request(list, here)).toBe("forward");
  const { result } = (await session.response(reply(list, { tools, cacheScope: "public" }))) as {
    result: { tools: readonly JsonObject[]; cacheScope: string };
  };
  const [find, show] = result.tools;
  return { find, show, cacheScope: result.cacheScope };
}

describe("a list", () => {
  it("is as the server sent it where lean is off", async () => {
    const { find } = await listFor("gemini-cli-mcp-client", {});
    expect(find).toMatchObject({ description: "Finds.   \n", inputSchema });
    expect(find).toHaveProperty("outputSchema");
  });

  it("says in fewer words what the tools take where lean is on, with output schemas for a client that may show them", async () => {
    for (const client of [undefined, "my-agent", "codex-mcp-client"]) {
      const { find, cacheScope } = await listFor(client, { lean: true });
      expect(find).toMatchObject({ name: "find", description: "Finds.", inputSchema: slim });
      expect(find).toHaveProperty("outputSchema");
      expect(cacheScope).toBe("public");
    }
  });

  it.each(["claude-code", "gemini-cli-mcp-client", "opencode"])(
    "leaves output schemas out for %s, which shows its model none",
    async (client) => {
      const { find } = await listFor(client, { lean: true });
      expect(find).toMatchObject({ inputSchema: slim });
      expect(find).not.toHaveProperty("outputSchema");
    },
  );

  it("is kept by no cache between different clients where it depends on them", async () => {
    const { find, cacheScope } = await listFor("opencode", { lean: true }, true);
    expect(find).not.toHaveProperty("outputSchema");
    expect(cacheScope).toBe("private");
  });

  it("stays whole for a program, and for a tool with a widget or with lean off", async () => {
    expect((await listFor("opencode", { lean: true, reader: "program" })).find).toMatchObject({
      inputSchema,
    });
    const { find, show } = await listFor("opencode", { lean: true, toolSettings: { find: { lean: false } } });
    expect(find).toMatchObject({ inputSchema });
    expect(show).toMatchObject({ inputSchema });
  });
});
