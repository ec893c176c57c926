import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler, fromJsonSchema, isLegacyRequest } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LinkTransport, memoryUpstream, openGateway } from "./http-gateway.fixture.ts";
import { type RawRequest, VERSION, greeting, modern, modernMeta, send } from "./raw-http.fixture.ts";

const region = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    size: { type: "integer", "x-mcp-header": "Size" },
  },
};

function build(): McpServer {
  const server = new McpServer({ name: "wrong-requests", version: "1.0.0" });
  server.registerTool(
    "say",
    { description: "Says", inputSchema: fromJsonSchema({ type: "object" }) },
    async () => ({
      content: [{ type: "text", text: "said" }],
    }),
  );
  server.registerTool("store", { description: "Stores", inputSchema: fromJsonSchema(region) }, async () => ({
    content: [{ type: "text", text: "stored" }],
  }));
  return server;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The SDK's own server over HTTP: modern requests and legacy sessions, composed as its documentation shows. */
function sdkHandle(): Handle {
  const handleModern = toNodeHandler(createMcpHandler(() => build(), { legacy: "reject" }));
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const open = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await build().connect(transport);
    return transport;
  };
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    let body: unknown;
    try {
      body = text === "" ? undefined : JSON.parse(text);
    } catch {
      body = undefined;
    }
    const web = await toWebRequest(request as NodeIncomingMessageLike, body);
    const isJson = request.headers["content-type"]?.startsWith("application/json") === true;
    if (!(await isLegacyRequest(web, body)) || (request.method === "POST" && !isJson))
      return handleModern(request as NodeIncomingMessageLike, response, body);
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : await open();
    if (known !== undefined) return known.handleRequest(request, response, body ?? text);
    response.writeHead(404, { "content-type": "application/json" });
    response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
    return undefined;
  };
}

const isLocalHost = localhostHostValidation();
const isLocalOrigin = localhostOriginValidation();

async function openSdk() {
  const handle = sdkHandle();
  const http = createServer((request, response) => {
    if (isLocalHost(request, response) && isLocalOrigin(request, response)) void handle(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

let sdk: Awaited<ReturnType<typeof openSdk>>;
let gateway: Awaited<ReturnType<typeof openGateway>>;
const sessionIds = new Map<URL, string>();

async function openSession(url: URL): Promise<void> {
  const { headers } = await send(url, { body: JSON.stringify(greeting) });
  sessionIds.set(url, String(headers["mcp-session-id"]));
}

beforeAll(async () => {
  const upstream = memoryUpstream(
    (end) => void serveStdio(() => build(), { transport: new LinkTransport(end) as never }),
  );
  [sdk, gateway] = await Promise.all([openSdk(), openGateway(upstream)]);
  await Promise.all([openSession(sdk.url), openSession(gateway.url)]);
});

afterAll(async () => {
  await gateway.close();
  await sdk.close();
});

const ping = { jsonrpc: "2.0", id: 7, method: "ping" };
const json = (value: unknown): string => JSON.stringify(value);
const say = modern("tools/call", { name: "say", arguments: {} });
const list = modern("tools/list");

/** Of modern requests with one thing wrong. */
function broken(changes: Readonly<Record<string, string | undefined>>, from = say): RawRequest {
  return { headers: { ...from.headers, ...changes }, body: from.body };
}

const cases: Readonly<Record<string, RawRequest>> = {
  "text that is not JSON": { body: "{" },
  "an empty body": { body: "" },
  "JSON that is no message": { body: json({ hello: 1 }) },
  "a message with a further key": { body: json({ ...ping, more: 1 }) },
  "an id that is null": { body: json({ ...ping, id: null }) },
  "an id that is a fraction": { body: json({ ...ping, id: 1.5 }) },
  "an empty batch": { body: "[]" },
  "a batch with a modern request": { body: `[${list.body}]` },
  "a batch with something else": { body: json([ping, 5]) },
  "a form instead of JSON": { headers: { "content-type": "text/plain" }, body: json(ping) },
  "JSON with a charset and no session": {
    headers: { "content-type": "application/json; charset=utf-8" },
    body: json(ping),
  },
  "a client that takes no stream": { headers: { accept: "application/json" }, body: json(greeting) },
  "a request of an unknown session": { headers: { "mcp-session-id": "nobody" }, body: json(ping) },
  "a GET that takes no stream": { method: "GET", headers: { "mcp-session-id": "SESSION" } },
  "a GET of an unknown session": {
    method: "GET",
    headers: { "mcp-session-id": "nobody", accept: "text/event-stream" },
  },
  "a DELETE of an unknown session": { method: "DELETE", headers: { "mcp-session-id": "nobody" } },
  "a second greeting in a session": { headers: { "mcp-session-id": "SESSION" }, body: json(greeting) },
  "an unknown revision in a session": {
    headers: { "mcp-session-id": "SESSION", "mcp-protocol-version": "1999-01-01" },
    body: json(ping),
  },
  "a PUT in a session": { method: "PUT", headers: { "mcp-session-id": "SESSION" } },
  "a greeting with a modern header": { headers: { "mcp-protocol-version": VERSION }, body: json(greeting) },
  "a modern header without an envelope": { headers: { "mcp-protocol-version": VERSION }, body: json(ping) },
  "an envelope without capabilities": {
    headers: list.headers,
    body: json({
      ...ping,
      method: "tools/list",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": VERSION } },
    }),
  },
  "an envelope whose version is a number": {
    headers: list.headers,
    body: json({
      ...ping,
      method: "tools/list",
      params: { _meta: { ...modernMeta, "io.modelcontextprotocol/protocolVersion": 5 } },
    }),
  },
  "an unknown revision": {
    headers: { ...list.headers, "mcp-protocol-version": "2031-01-01" },
    body: list.body.replace(VERSION, "2031-01-01"),
  },
  "two revisions that differ": broken({ "mcp-protocol-version": "2025-11-25" }),
  "no revision header": broken({ "mcp-protocol-version": undefined }),
  "no method header": broken({ "mcp-method": undefined }),
  "another method in the header": broken({ "mcp-method": "tools/list" }),
  "no name header": broken({ "mcp-name": undefined }),
  "another name in the header": broken({ "mcp-name": "other" }),
  "a name header that is broken Base64": broken({ "mcp-name": "=?base64?c2F5*?=" }),
  "an unknown modern method": modern("tools/fly"),
  "an unknown modern tool": modern("tools/call", { name: "fly", arguments: {} }),
  "a modern notification of no session": {
    headers: { "mcp-protocol-version": VERSION },
    body: json({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } }),
  },
  "a marked argument without its header": modern("tools/call", {
    name: "store",
    arguments: { region: "eu" },
  }),
  "a marked argument with another header": broken(
    { "mcp-param-region": "us" },
    modern("tools/call", { name: "store", arguments: { region: "eu" } }),
  ),
  "a host of somebody else": { headers: { host: "evil.example" }, body: json(greeting) },
  "a page of somebody else": { headers: { origin: "https://evil.example" }, body: json(greeting) },
  "a page without a name": { headers: { origin: "null" }, body: json(greeting) },
};

interface Seen {
  readonly status: number;
  readonly code: unknown;
  readonly id: unknown;
  readonly type: unknown;
}

async function outcome(url: URL, request: RawRequest): Promise<Seen> {
  const headers = { ...request.headers };
  if (headers["mcp-session-id"] === "SESSION") headers["mcp-session-id"] = sessionIds.get(url);
  const answer = await send(url, { ...request, headers });
  const type = String(answer.headers["content-type"]).split(";")[0];
  const body = answer.body === "" || type !== "application/json" ? {} : (JSON.parse(answer.body) as never);
  const { error, id } = body as { error?: { code?: number }; id?: unknown };
  return { status: answer.status, code: error?.code, id, type };
}

describe("a wrong request gets from the gateway what the SDK's own server answers", () => {
  it.each(Object.entries(cases))("%s", async (_name, request) => {
    const expected = await outcome(sdk.url, request);
    expect(await outcome(gateway.url, request)).toEqual(expected);
  });

  it("and a right one is served by both", async () => {
    const right = { ...say.headers, "mcp-param-region": "eu", "mcp-param-size": "4.0", "mcp-name": "store" };
    const body = say.body
      .replace('"say"', '"store"')
      .replace('"arguments":{}', '"arguments":{"region":"eu","size":4}');
    expect(await outcome(gateway.url, { headers: right, body })).toEqual(
      await outcome(sdk.url, { headers: right, body }),
    );
    expect((await outcome(gateway.url, { headers: right, body })).status).toBe(200);
    const encoded = broken({ "mcp-name": `=?base64?${Buffer.from("say").toString("base64")}?=` });
    expect(await outcome(gateway.url, encoded)).toMatchObject({ status: 200, code: undefined });
  });
});
