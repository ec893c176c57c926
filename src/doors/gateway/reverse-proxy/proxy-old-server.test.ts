import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import {
  type Handle,
  quick,
  serveRaw,
  sseOf,
} from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { ask, call, later, open, said, serveProxy, stream, tools } from "./proxy-http.fixture.ts";

const initialize = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2024-11-05",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
};

const agreed = {
  protocolVersion: "2024-11-05",
  capabilities: { tools: {} },
  serverInfo: { name: "o", version: "1" },
};

/** A server of the transport of 2024: each stream is a session, and says in its answers which one it is. */
async function oldServer() {
  const streams: ServerResponse[] = [];
  const handle: Handle = ({ method, json: { id, method: asked }, headers }, response, { url = "" }) => {
    if (method === "GET") {
      const at = streams.push(response) - 1;
      response.writeHead(200, stream).write(`event: endpoint\ndata: messages?session=${at}\n\n`);
      return;
    }
    const at = /^\/messages\?session=(\d+)$/.exec(url)?.[1];
    response.writeHead(at === undefined ? 405 : 202).end();
    if (at === undefined || id === undefined) return;
    const text = `session ${at} for ${headers["authorization"] ?? "nobody"}`;
    const results: Readonly<Record<string, object>> = {
      initialize: agreed,
      "tools/list": { tools },
      "tools/call": said(text),
    };
    streams[Number(at)]?.write(sseOf({ jsonrpc: "2.0", id, result: results[String(asked)] ?? {} }));
  };
  const server = await serveRaw(handle);
  later(server.close);
  const { url } = await serveProxy({ url: server.url, auth: "passthrough" });
  return { url, streams };
}

async function greet(url: string, headers: object = {}): Promise<Record<string, string>> {
  const { answer } = ask(url, { body: initialize, headers });
  const { status, headers: got } = await answer;
  expect(status).toBe(200);
  return { ...headers, "mcp-session-id": String(got["mcp-session-id"]) };
}

it("gives each client over HTTP a session, and a stream, of its own", async () => {
  const { url, streams } = await oldServer();
  const anna = await greet(url, { authorization: "Bearer anna" });
  const bela = await greet(url, { authorization: "Bearer bela" });
  expect(streams).toHaveLength(2);
  expect(anna["mcp-session-id"]).not.toBe(bela["mcp-session-id"]);
  for (const [at, headers] of [anna, bela].entries()) {
    const { text } = await ask(url, { body: call, headers }).answer;
    expect(text).toContain(
      `session ${at} for ${String((headers as { authorization?: string }).authorization)}`,
    );
  }
});

it("gives the client what the server says by itself on the stream that it opens", async () => {
  const { url, streams } = await oldServer();
  const session = await greet(url);
  const listening = ask(url, {
    method: "GET",
    headers: { ...session, accept: "text/event-stream" },
  });
  streams[0]?.write(sseOf({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
  await expect.poll(() => listening.heard(), quick).toContain("tools/list_changed");
  listening.leave();
});

it("ends the stream of a session that its client ends, and knows it no longer", async () => {
  const { url, streams } = await oldServer();
  const session = await greet(url);
  expect((await ask(url, { method: "DELETE", headers: session }).answer).status).toBe(200);
  await expect.poll(() => streams[0]?.destroyed, quick).toBe(true);
  const { status } = await ask(url, {
    body: { id: 5, method: "ping" },
    headers: session,
  }).answer;
  expect(status).toBe(404);
});

it("gives the client the challenge of the stream, so that it can sign in", async () => {
  const { url } = await open(
    ({ method }, response) =>
      void response.writeHead(method === "GET" ? 401 : 405, { "www-authenticate": "Bearer" }).end(),
    { auth: "passthrough" },
  );
  const { status, headers } = await ask(url, { body: initialize }).answer;
  expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringContaining("Bearer")]);
});

it("answers the first request of the later revisions as a server does that does not know it", async () => {
  const { url } = await oldServer();
  await greet(url);
  const { status, text } = await ask(url, {
    body: { id: "d", method: "server/discover", params: {} },
  }).answer;
  expect(status).toBe(404);
  expect(JSON.parse(text)).toMatchObject({ id: "d", error: { code: -32_601 } });
});
