import { describe, expect, it } from "vitest";
import { type Handle, quick, serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import { ask, later, serveProxy } from "./proxy-http.fixture.ts";

const json = { "content-type": "application/json" };

async function open(handle: Handle, options: Partial<UrlUpstream>) {
  const server = await serveRaw(handle);
  later(server.close);
  const { url } = await serveProxy({ url: server.url, ...options });
  return { server, url };
}

describe("limits of the proxy", () => {
  const never: Handle = () => undefined;

  it("a request that is no tool call is answered when its time is over, and cancelled at the server", async () => {
    const { url, server } = await open(never, { requestTimeoutMs: 30 });
    const read = { id: 5, method: "resources/read", params: { uri: "x:y" } };
    const { status, text } = await ask(url, { body: read }).answer;
    expect(status).toBe(504);
    expect(text).toContain('"id":5,"error":{"code":-32000');
    await expect.poll(() => server.heard.at(-1)?.body, quick).toContain("notifications/cancelled");
    expect((await ask(url, { body: { method: "notifications/x" } }).answer).status).toBe(504);
  });

  it("one caller may wait for so many answers at once, and others are served", async () => {
    const { url, server } = await open(
      ({ json: { id, method } }, response) => {
        if (method === "ping")
          response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
      },
      { maxOpenRequests: 2, auth: "passthrough" },
    );
    const waiting = [1, 2].map((id) => ask(url, { body: { id, method: "resources/list" } }));
    await expect.poll(() => server.heard.length, quick).toBe(2);
    const refused = await ask(url, { body: { id: 3, method: "ping" } }).answer;
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "5" } });
    const other = { body: { id: 3, method: "ping" }, headers: { authorization: "Basic YQ==" } };
    expect((await ask(url, other).answer).status).toBe(200);
    for (const { leave } of waiting) leave();
    await expect
      .poll(async () => (await ask(url, { body: { id: 3, method: "ping" } }).answer).status, quick)
      .toBe(200);
  });

  it("a body that is too long is refused, and its connection closed", async () => {
    const { url, server } = await open(never, {});
    const answer = await fetch(url, { method: "POST", body: "x".repeat(5_000_000) });
    expect([answer.status, answer.headers.get("connection")]).toEqual([413, "close"]);
    await answer.text();
    expect(server.heard).toEqual([]);
  });
});
