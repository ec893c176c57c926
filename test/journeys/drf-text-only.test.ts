// Source 003: every content item is text. Images and other blocks become texts that say what they are.
import { InMemoryTransport, McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { validateMessage } from "../../src/core/protocol/validate-message.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { validateResponse } from "../../src/core/pipeline/dialect/validate-response.ts";
import { ToolFault } from "../../src/core/contract/tool-fault.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import { openAttached, openServer } from "./cut-results.fixture.ts";

const bytes = Buffer.from("a very small picture");
const image = { type: "image", data: bytes.toString("base64"), mimeType: "image/png" };
const audio = { type: "audio", data: bytes.toString("base64"), mimeType: "audio/wav" };
const blob = { type: "resource", resource: { uri: "file:///a.bin", blob: bytes.toString("base64") } };
const note = { type: "resource", resource: { uri: "file:///a.md", text: "# A" } };
const link = { type: "resource_link", uri: "https://example.com/a", name: "a" };

const drf: ContractOptions = { dialect: "drf" };

function textsOf({ content }: JsonObject): readonly string[] {
  const items = content as readonly JsonObject[];
  expect(items.map(({ type }) => type)).toEqual(items.map(() => "text"));
  return items.map(({ text }) => text as string);
}

const chart = (...blocks: readonly object[]) =>
  defineTool("chart", { description: "Draws" }, () => ({
    content: [...blocks],
    structuredContent: { rows: 3 },
  }));

describe("notes of a failure in the drf dialect", () => {
  // shows 003.22
  it("begin with the prefix like every text of a failure, and are read back", async () => {
    const warnings = ["The index is 2 hours old"];
    const tool = defineTool("find", { description: "Finds" }, (): JsonObject => {
      throw new ToolFault("No such row", { warnings });
    });
    const { result, outcome } = await runTool(tool, {}, { contract: drf });
    expect(textsOf(result)).toEqual([
      "Error executing tool: No such row",
      `Error executing tool: ${JSON.stringify({ meta: { warnings } })}`,
    ]);
    expect(outcome).toMatchObject({ ok: false, fault: { message: "No such row" } });
    expect(outcome.notes.warnings).toEqual([{ message: warnings[0] }]);
    const content = [
      { type: "text", text: "Error executing tool: a" },
      { type: "text", text: '{"meta":{}}' },
    ];
    expect(validateResponse({ content, isError: true }, { dialect: "drf" }).violations).toMatchObject([
      { rule: "drf/error-prefix", path: "/content/1/text" },
    ]);
  });
});

describe("blocks in the drf dialect", () => {
  // shows 003.16
  it.each([
    ["an image", image],
    ["a sound", audio],
    ["a file", blob],
  ])("%s becomes a text with a link, under which its bytes are kept", async (_name, block) => {
    const { call, client } = await openServer(drf, [chart(block)]);
    const result = await call("chart");
    const [said = "", data] = textsOf(result);
    const { type, uri, size } = JSON.parse(said) as { type: string; uri: string; size: number };
    expect({ type, size }).toEqual({ type: "resource_link", size: bytes.length });
    expect(data).toBe('{"rows":3}');
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ blob: bytes.toString("base64") }]);
    expect(validateResponse(result, { dialect: "drf" }).violations).toEqual([]);
  });

  it("a link and a text file are said as they are", async () => {
    const { call } = await openServer(drf, [chart(link, note)]);
    const [first = "", second = "", data] = textsOf(await call("chart"));
    expect([JSON.parse(first), JSON.parse(second), data]).toEqual([link, note, '{"rows":3}']);
  });

  it("say what they were where nothing can be kept", async () => {
    const { call } = await openServer({ ...drf, store: false }, [chart(image, blob)]);
    const [first = "", second = ""] = textsOf(await call("chart"));
    const left_out = "Only text is sent in this dialect, and the bytes were not kept";
    expect(JSON.parse(first)).toEqual({ type: "image", mimeType: "image/png", size: bytes.length, left_out });
    expect(JSON.parse(second)).toEqual({
      type: "resource",
      resource: { uri: "file:///a.bin", size: bytes.length },
      left_out,
    });
  });

  it("leave the data where a client finds it", async () => {
    const { client } = await openServer(drf, [chart({ type: "text", text: "A chart" }, image, note)]);
    const { data, blocks } = await contractClient(client).call("chart");
    expect(data).toEqual({ rows: 3 });
    expect(blocks).toMatchObject([{ type: "text", text: "A chart" }, { type: "resource_link" }, note]);
  });

  it("carry the prefix on a failure, attached or not", async () => {
    const fail = () =>
      ({ isError: true, content: [{ type: "text", text: "No chart" }, image] }) as JsonObject;
    const { call } = await openAttached(drf, { fail });
    const result = await call("fail");
    const texts = textsOf(result).filter((text) => !text.startsWith('{"meta":'));
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(/^Error executing tool: /);
    expect(validateResponse(result, { dialect: "drf" }).violations).toEqual([]);
  });
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const list = defineTool("customers_list", { description: "All customers" }, () => []);

/** What a server answers to a message, as it goes over the wire. */
async function answerTo(server: McpServer, message: object): Promise<unknown> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const answer = new Promise((resolve) => void Object.assign(near, { onmessage: resolve }));
  await server.connect(far);
  await near.start();
  closing.push(() => server.close());
  await near.send(message as never);
  return answer;
}

const own = (options: ContractOptions): McpServer =>
  createContract({ logLevel: "silent", dialect: "response-v2", ...options })
    .server(new McpServer({ name: "customers", version: "0.1.0" }))
    .add(list);

function attached(options: ContractOptions): McpServer {
  const mcp = new McpServer({ name: "customers", version: "0.1.0" });
  mcp.registerTool("customers_list", { description: "All customers" }, () => ({ content: [] }));
  return attachContract(mcp, { name: "customers", logLevel: "silent", dialect: "response-v2", ...options });
}

describe("a method that a server does not know", () => {
  const request = { jsonrpc: "2.0", method: "invalid_method", params: {}, id: 3 };

  // shows 003.36
  it.each([
    ["contract.server", own],
    ["attachContract", attached],
  ])("is named in the drf dialect, as source 003 shows it: %s", async (_name, build) => {
    expect(await answerTo(build(drf), request)).toEqual({
      jsonrpc: "2.0",
      error: { code: -32601, message: "Method not found: invalid_method" },
      id: 3,
    });
  });

  it("is named for a request that asks for the dialect, and for no other", async () => {
    const either: ContractOptions = { allow: { dialects: ["drf"] } };
    const asking = { ...request, params: { _meta: { "waybill/contract": { dialect: "drf" } } } };
    expect(await answerTo(own(either), asking)).toMatchObject({
      error: { message: "Method not found: invalid_method" },
    });
    expect(await answerTo(own(either), request)).toMatchObject({ error: { message: "Method not found" } });
    expect(await answerTo(own({}), request)).toMatchObject({ error: { message: "Method not found" } });
  });
});

describe("what is no request, over HTTP", () => {
  // shows 003.9
  it.each([
    ["broken JSON", '{"jsonrpc": "2.0", "method":', -32700, null],
    ["an empty batch", "[]", -32600, null],
    ["a request without jsonrpc", '{"id": 7, "method": "tools/list", "params": {}}', -32600, 7],
  ])("%s gets its error", async (_name, body, code, id) => {
    const response = await createMcpHandler(() => own(drf)).fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body,
      }),
    );
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
    expect(validateMessage(answer).valid).toBe(true);
  });
});
