import { type IncomingMessage, createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { ContractOptions } from "../../../engine/settings/contract-options.ts";
import { hashCredential } from "../../../engine/request/call-request.ts";
import { createState } from "../../../engine/call/contract-state.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import { type Handle, serveRaw } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import type { RequestFacts } from "../listen/http-listener.ts";
import { type HttpProxy, proxyHandler } from "./reverse-proxy.ts";

/** Closes something after the test, the last one first. Test files share this module, so it registers nothing by itself. */
export function later(close: () => Promise<void> | void): void {
  onTestFinished(close);
}

function factsOf({ headers, socket }: IncomingMessage): RequestFacts {
  const flat = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : value,
  ]);
  const { authorization } = headers;
  return {
    principal: authorization === undefined ? "anonymous" : hashCredential(authorization),
    authInfo: undefined,
    headers: Object.fromEntries(flat) as Record<string, string>,
    peer: socket.remoteAddress,
  };
}

export interface ServedProxy {
  readonly url: string;
  readonly proxy: HttpProxy;
}

/** The proxy in front of a server, over HTTP on loopback. */
export async function serveProxy(
  upstream: UrlUpstream,
  contract: ContractOptions = {},
): Promise<ServedProxy> {
  listenToScope();
  const state = createState({ logLevel: "silent", requestIds: () => "req_1", ...contract });
  const proxy = proxyHandler(state, upstream, { name: "server" });
  const server = createServer((request, response) => proxy.handle(request, response, factsOf(request)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  later(async () => {
    const closed = proxy.close();
    server.closeAllConnections();
    await closed;
    await new Promise((resolve) => void server.close(resolve));
  });
  return { url: `http://127.0.0.1:${port}/mcp`, proxy };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** One HTTP request as `curl` would send it; `leave` closes it before the answer is complete. */
export function ask(
  url: string,
  {
    method = "POST",
    headers = {},
    body = "",
  }: { method?: string; headers?: object; body?: object | string } = {},
): { readonly answer: Promise<HttpAnswer>; readonly leave: () => void; readonly heard: () => string } {
  let text = "";
  const isText = typeof body === "string";
  const request = httpRequest(url, {
    method,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  const answer = new Promise<HttpAnswer>((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
  });
  // A test that leaves does not wait for the answer.
  answer.catch(() => undefined);
  request.end(isText ? body : JSON.stringify({ jsonrpc: "2.0", ...body }));
  return { answer, leave: () => request.destroy(), heard: () => text };
}

export const json = { "content-type": "application/json" };
export const stream = { "content-type": "text/event-stream" };
export const call = { id: 1, method: "tools/call", params: { name: "read", arguments: {} } };
export const tools = [{ name: "read", inputSchema: { type: "object" } }];

/** A server that lists one tool and does the rest as it is told; the proxy in front of it. */
export async function open(
  handle: Handle,
  options: Partial<UrlUpstream> = {},
  contract: ContractOptions = {},
) {
  const server = await serveRaw((heard, response, request) => {
    if (heard.json["method"] !== "tools/list") return handle(heard, response, request);
    const list = { jsonrpc: "2.0", id: heard.json["id"], result: { tools } };
    return void response.writeHead(200, json).end(JSON.stringify(list));
  });
  later(server.close);
  const { url, proxy } = await serveProxy(
    { url: server.url, ...options },
    { budget: { tokens: 1_000 }, ...contract },
  );
  const calls = (): typeof server.heard => server.heard.filter(({ body }) => !body.includes("tools/list"));
  return { server, url, proxy, calls };
}

export const answer =
  (result: object): Handle =>
  ({ json: { id } }, response) =>
    void response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
export const said = (text: string): object => ({ content: [{ type: "text", text }] });
export const long = "So it is written. ".repeat(4_000);
