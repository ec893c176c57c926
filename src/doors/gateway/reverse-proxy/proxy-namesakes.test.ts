import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import { until } from "../../../engine/transport/until.fixture.ts";
import { createGateway } from "../create-gateway.ts";
import { ask, later } from "./proxy-http.fixture.ts";

const SESSION = "mcp-session-id";
const long = "So it is written. ".repeat(1_000);

/** A gateway in front of a server that calls every session `s1`, answers calls when a test lets it, and has streams. */
async function open() {
  const held: (() => void)[] = [];
  const streams: ServerResponse[] = [];
  const server = await serveRaw(({ json: { id, method, params }, method: verb }, response) => {
    const headers = { [SESSION]: "s1", "content-type": "application/json" };
    if (verb === "GET") {
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" }).flushHeaders();
      streams.push(response);
      return;
    }
    if (id === undefined) {
      response.writeHead(verb === "DELETE" ? 200 : 202, headers).end();
      return;
    }
    const { arguments: args = {} } = (params ?? {}) as { arguments?: { who?: string } };
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } }
        : method === "tools/list"
          ? { tools: [{ name: "read", inputSchema: { type: "object" } }] }
          : { content: [{ type: "text", text: `For ${args.who ?? ""} alone. ${long}` }] };
    const answer = (): void =>
      void response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "tools/call") held.push(answer);
    else answer();
  });
  later(server.close);
  const gateway = createGateway({
    upstreams: { web: { url: server.url, auth: "none", budget: { tokens: 500 } } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  later(() => gateway.close());
  const { urls } = await gateway.listen();
  const url = urls["web"] ?? "";
  const greet = async () => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    const { headers } = await ask(url, { body: { id: 0, method: "initialize", params } }).answer;
    const session = { [SESSION]: String(headers[SESSION]) };
    const call = async (name: string, args: object): Promise<string> => {
      const body = { id: 1, method: "tools/call", params: { name, arguments: args } };
      const { headers: said, text } = await ask(url, { headers: session, body }).answer;
      expect([undefined, session[SESSION]]).toContain(said[SESSION]);
      return text;
    };
    const send = (method: string) => ask(url, { method, headers: session });
    return { name: session[SESSION], call, send };
  };
  const release = async (count: number): Promise<void> => {
    await until(() => held.length >= count);
    for (const answer of held.splice(0).reverse()) answer();
  };
  return { server, greet, release, streams };
}

const archiveIn = (text: string): string => /[0-9a-f]{64}/.exec(text)?.[0] ?? "";

describe("two clients whose sessions the server calls the same", () => {
  it("have names of their own here, and the server hears the one that it gave", async () => {
    const { server, greet, release } = await open();
    const [ada, ben] = [await greet(), await greet()];
    expect(ada.name).toBe("s1");
    expect(ben.name).toMatch(/^[0-9a-f-]{36}$/);
    const calls = [ada, ben].map(({ call }) => call("read", { who: "x" }));
    await release(2);
    await Promise.all(calls);
    const named = server.heard.filter(({ body }) => body.includes("tools/call"));
    expect(named.map(({ headers }) => headers[SESSION])).toEqual(["s1", "s1"]);
  });

  it("get their own answers to requests with the same id, and cannot read what was kept for the other", async () => {
    const { greet, release } = await open();
    const [ada, ben] = [await greet(), await greet()];
    const calls = [ada.call("read", { who: "ada" }), ben.call("read", { who: "ben" })];
    await release(2);
    const [forAda = "", forBen = ""] = await Promise.all(calls);
    expect([forAda, forBen].map((text) => /For (\w+) alone/.exec(text)?.[1])).toEqual(["ada", "ben"]);
    const archive = archiveIn(forAda);
    expect(await ben.call("waybill_retrieve", { archive })).toMatch(/NOT_FOUND/);
    expect(await ada.call("waybill_retrieve", { archive })).not.toMatch(/NOT_FOUND/);
  });

  it("do not end one another's sessions", async () => {
    const { greet, release } = await open();
    const [ada, ben] = [await greet(), await greet()];
    const calling = ada.call("read", { who: "ada" });
    await release(1);
    const archive = archiveIn(await calling);
    expect((await ben.send("DELETE").answer).status).toBe(200);
    expect(await ada.call("waybill_retrieve", { archive })).not.toMatch(/NOT_FOUND/);
    const next = ada.call("read", { who: "ada again" });
    await release(1);
    expect(await next).toMatch(/For ada again alone/);
  });

  it("see on their streams no answer to what the other asked", async () => {
    const { greet, streams } = await open();
    const [ada, ben] = [await greet(), await greet()];
    const listening = [ada.send("GET"), ben.send("GET")];
    await until(() => streams.length === 2);
    const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
    for (const stream of streams)
      stream.write(
        event({ id: 77, result: { whose: "nobody's here" } }) + event({ method: "notifications/x" }),
      );
    await until(() => listening.every(({ heard }) => heard().includes("notifications/x")));
    expect(listening.map(({ heard }) => heard().includes("whose"))).toEqual([false, false]);
    for (const { leave } of listening) leave();
  });
});
