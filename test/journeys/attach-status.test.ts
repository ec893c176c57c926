// HTTP takes its status from what a server sends while it is handed the message. Attaching a contract changes none.

import { createMcpHandler, McpServer, Server } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";

const info = { name: "status", version: "1.0.0" };
const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": info,
};

function withTool(): McpServer {
  const server = new McpServer(info);
  server.registerTool("get", { description: "Get" }, () => ({ content: [{ type: "text", text: "ok" }] }));
  return server;
}

const servers = [
  { server: "a server with tools", build: withTool },
  { server: "a server without tools", build: () => new Server(info, { capabilities: {} }) },
] as const;

const requests: readonly { readonly asked: string; readonly method: string; readonly params: JsonObject }[] =
  [
    { asked: "a call", method: "tools/call", params: { name: "get", arguments: {} } },
    { asked: "a call of an unknown tool", method: "tools/call", params: { name: "nope", arguments: {} } },
    { asked: "a call without a name", method: "tools/call", params: {} },
    { asked: "a list", method: "tools/list", params: {} },
    { asked: "an unknown method", method: "nope/nope", params: {} },
    { asked: "resources that are not there", method: "resources/list", params: {} },
  ];

const eras = [
  { era: "modern", meta: modern },
  { era: "an unknown version", meta: { ...modern, "io.modelcontextprotocol/protocolVersion": "2031-01-01" } },
  { era: "legacy", meta: undefined },
] as const;

async function ask(
  build: () => McpServer | Server,
  { method, params }: (typeof requests)[number],
  meta: JsonObject | undefined,
): Promise<{ readonly status: number; readonly code: unknown }> {
  const { fetch } = createMcpHandler(build);
  const sent = meta === undefined ? params : { ...params, _meta: meta };
  const version = meta?.["io.modelcontextprotocol/protocolVersion"] as string | undefined;
  const name = params["name"] as string | undefined;
  const response = await fetch(
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(version === undefined ? {} : { "mcp-protocol-version": version, "mcp-method": method }),
        ...(version === undefined || name === undefined ? {} : { "mcp-name": name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: sent }),
    }),
  );
  const text = await response.text();
  const [, code] = /"error":\{"code":(-?\d+)/.exec(text) ?? [];
  return { status: response.status, code };
}

describe.each(servers)("$server", ({ build }) => {
  describe.each(eras)("asked in $era", ({ meta }) => {
    it.each(requests)(
      "answers $asked with the status and code that it has without a contract",
      async (request) => {
        const bare = await ask(build, request, meta);
        const contract = createContract({
          logLevel: "silent",
          dialect: "response-v2",
          budget: { tokens: "off" },
        });
        const attached = () => attachContract(build(), contract);
        expect([await ask(attached, request, meta), await ask(attached, request, meta)]).toEqual([
          bare,
          bare,
        ]);
      },
    );
  });
});

it("among them are statuses that are no 200", async () => {
  const [, bare] = servers;
  const [called] = requests;
  expect(called && (await ask(bare.build, called, modern))).toEqual({ status: 404, code: "-32601" });
});
