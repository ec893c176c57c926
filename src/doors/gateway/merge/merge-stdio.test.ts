import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import { openStdioMerge } from "./merge-stdio.ts";
import { type SmallServer, smallServer, temporaryFolder } from "./merge.fixture.ts";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

function open(servers: readonly SmallServer[], maxReplyBytes = 1_000_000) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const heard: JsonObject[] = [];
  let rest = "";
  stdout.on("data", (bytes: Buffer) => {
    const lines = (rest + bytes.toString()).split("\n");
    rest = lines.pop() ?? "";
    heard.push(...lines.map((line) => JSON.parse(line) as JsonObject));
  });
  const merge = openStdioMerge(
    {
      sources: servers.map(({ source }) => source),
      upstreams: new Map(servers.map(({ source, upstream }) => [source, upstream])),
      log: createLog({ level: "silent" }),
      folder: temporaryFolder(),
    },
    { stdin, stdout, maxReplyBytes },
  );
  onTestFinished(() => merge.close());
  const send = (message: object): void =>
    void stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answer = async (id: number): Promise<JsonObject> => {
    const find = (): JsonObject | undefined => heard.find((one) => one["id"] === id);
    await vi.waitFor(() => expect(find()).toBeDefined());
    return find() ?? {};
  };
  return { merge, stdin, heard, send, answer };
}

function toolsIn({ result }: JsonObject): readonly unknown[] {
  const tools = isJsonObject(result) ? result["tools"] : undefined;
  return Array.isArray(tools) ? tools.map((tool: JsonObject) => tool["name"]) : [];
}

const greeting = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

const servers = () => [
  smallServer("web", { tools: ["search"] }),
  smallServer("notes", { tools: ["search", "write"] }),
];

describe("several servers on stdin and stdout", () => {
  it("are one server to a client of the legacy era, which ends when its client has left", async () => {
    const { merge, stdin, send, answer } = open(servers());
    send(greeting);
    expect(await answer(1)).toMatchObject({ result: { serverInfo: { name: "waybill" } } });
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/list" });
    expect(toolsIn(await answer(2))).toEqual(["web_search", "notes_search", "write", "waybill_retrieve"]);
    send({ id: 3, method: "tools/call", params: { name: "notes_search", arguments: {} } });
    stdin.end();
    expect(await answer(3)).toMatchObject({ result: { content: [{ text: "notes search 0" }] } });
    expect(await merge.ended).toMatchObject({ by: "client" });
  });

  it("are one server to a client of the modern era", async () => {
    const { merge, stdin, send, answer } = open(servers());
    send({ id: 1, method: "server/discover", params: { _meta: meta } });
    expect(await answer(1)).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
    send({ id: 2, method: "tools/list", params: { _meta: meta } });
    expect(toolsIn(await answer(2))).toEqual(["web_search", "notes_search", "write", "waybill_retrieve"]);
    send({ id: 3, method: "tools/call", params: { name: "write", arguments: {}, _meta: meta } });
    expect(await answer(3)).toMatchObject({ result: { content: [{ text: "notes write 0" }] } });
    stdin.end();
    expect(await merge.ended).toMatchObject({ by: "client" });
  });

  it("answer what is no message, an id in use, and a result that no client takes", async () => {
    const { stdin, heard, send, answer } = open(servers(), 400);
    stdin.write("{no json}\n");
    await vi.waitFor(() => expect(heard).toMatchObject([{ id: null, error: { code: -32700 } }]));
    send({ id: 2, method: "subscriptions/listen", params: { _meta: meta, notifications: {} } });
    send({ id: 2, method: "tools/list", params: { _meta: meta } });
    await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ id: 2, error: { code: -32600 } }));
    const params = { name: "write", arguments: { lines: 30 }, _meta: { ...meta } };
    send({ id: 3, method: "tools/call", params });
    expect(await answer(3)).toMatchObject({ error: {} });
  });
});
