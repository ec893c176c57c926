import { describe, expect, it } from "vitest";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { ask, later, serveProxy } from "./proxy-http.fixture.ts";

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
const tools = [{ name: "read", inputSchema: { type: "object", properties: { n: { type: "number" } } } }];

describe("the proxy in front of a server over HTTP", () => {
  it("asks the server without the question, byte for byte, and answers it", async () => {
    const json = { "content-type": "application/json" };
    const server = await serveRaw(({ json: { id, method } }, response) => {
      const result =
        method === "tools/list" ? { tools } : { content: [{ type: "text", text: JSON.stringify(rows) }] };
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url }, { select: true, dialect: "auto" });
    const body =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"n":1.0,"_waybill_select":"[-1].id"}}}';
    const { text } = await ask(url, { body }).answer;
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { content: [{ type: "text", text: "3" }] } });
    const called = server.heard.map((heard) => heard.body).filter((sent) => sent.includes("tools/call"));
    expect(called).toEqual([
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"n":1.0}}}',
    ]);
  });

  it("names the code of a question that does not fit, and the call that asks again", async () => {
    const server = await serveRaw(({ json: { id, method } }, response) => {
      const result =
        method === "tools/list" ? { tools } : { content: [{ type: "text", text: JSON.stringify(rows) }] };
      const json = { "content-type": "application/json" };
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
    later(server.close);
    const { url } = await serveProxy({ url: server.url }, { select: true, dialect: "auto" });
    const params = { name: "read", arguments: { _waybill_select: "nope.x" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
    const { text } = await ask(url, { body }).answer;
    const { result } = JSON.parse(text) as { result: { content: readonly { text: string }[] } };
    expect(result.content[0]?.text).toBe(JSON.stringify(rows));
    const said = JSON.parse(result.content.at(-1)?.text ?? "{}") as object;
    expect(said).toMatchObject({ meta: { warning_details: [{ code: "SELECT_FAILED" }] } });
    expect(JSON.stringify(said)).toContain("need not run again: ask with waybill_retrieve");
  });
});
