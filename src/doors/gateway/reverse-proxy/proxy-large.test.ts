import { afterEach, describe, expect, it, vi } from "vitest";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { ask, later, serveProxy } from "./proxy-http.fixture.ts";

afterEach(() => vi.restoreAllMocks());

const tools = [{ name: "read", inputSchema: { type: "object" } }];
const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, note: "granite lantern copper sail" }));
const large = JSON.stringify({ content: [{ type: "text", text: JSON.stringify(rows) }] });

/** A server at a URL whose tool answers with this result, as a body or as an event. */
async function openAt(result: string, isStream: boolean) {
  const server = await serveRaw(({ json: { id, method } }, response) => {
    const said = method === "tools/list" ? JSON.stringify({ tools }) : result;
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${said}}`;
    if (isStream && method === "tools/call")
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${body}\n\n`);
    else response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  later(server.close);
  const contract = { dialect: "auto", budget: { tokens: 500 } } as const;
  const { url } = await serveProxy({ url: server.url }, contract);
  const body = { id: 7, method: "tools/call", params: { name: "read", arguments: {} } };
  return async (): Promise<string> => (await ask(url, { body }).answer).text;
}

describe("the proxy in front of a server whose answer is large", () => {
  it.each([
    ["a body", false],
    ["an event", true],
  ])("does not read %s on the thread of everybody else", async (_, isStream) => {
    const call = await openAt(large, isStream);
    const read = vi.spyOn(JSON, "parse");
    const text = await call();
    expect(read.mock.calls.filter(([given]) => given.length > 100_000)).toHaveLength(0);
    expect(text).toMatch(/"id":7,"result":.*CONTENT_TRUNCATED.*waybill_retrieve/s);
  });
});

const DEPTH = 200_000;
const lists = "[".repeat(DEPTH) + "]".repeat(DEPTH);

describe("the proxy in front of a server whose answer is nested 200,000 deep", () => {
  it.each([
    ["in the structure", `{"content":[],"structuredContent":{"x":${lists}}}`],
    ["in a large structure", `{"content":[],"structuredContent":{"x":${lists},"y":"${"z".repeat(1e6)}"}}`],
  ])("says TOO_LARGE and names the limit: %s", async (_, result) => {
    const call = await openAt(result, false);
    expect(await call()).toMatch(/TOO_LARGE.*too_deep.*max_depth\\":1000/s);
  });

  it("cuts it as any other text where it is in text that need not be looked into", async () => {
    const call = await openAt(`{"content":[{"type":"text","text":"${lists}"}]}`, false);
    const heard = await call();
    expect(heard).not.toContain("TOO_LARGE");
    expect(heard).toMatch(/\d characters; the rest: /);
  });
});
