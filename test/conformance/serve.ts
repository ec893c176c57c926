// The fixture server of the conformance suite: `node --import tsx test/conformance/serve.ts <variant>`.
// Prints its address as the first line, and ends when its input does.

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
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { type Variant, buildServer, variants } from "./build-server.ts";
import { createEventStore } from "./event-store.ts";

const RETRY_MS = 100;

const named = process.argv[2];
const variant: Variant = variants.find((name) => name === named) ?? "plain";

const modern = createMcpHandler(() => buildServer(variant, () => modern.notify), { legacy: "reject" });
const handleModern = toNodeHandler(modern);
const sessions = new Map<string, NodeStreamableHTTPServerTransport>();

async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
    eventStore: createEventStore(),
    retryInterval: RETRY_MS,
  });
  await buildServer(variant, () => undefined).connect(transport);
  return transport;
}

async function handleLegacy(
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  if (typeof id !== "string") return (await openSession()).handleRequest(request, response, body);
  const session = sessions.get(id);
  if (session !== undefined) return session.handleRequest(request, response, body);
  const error = { code: -32001, message: "Session not found" };
  response.writeHead(404, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  try {
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const isLegacy = await isLegacyRequest(await toWebRequest(request as NodeIncomingMessageLike, body), body);
  await (isLegacy
    ? handleLegacy(request, response, body)
    : handleModern(request as NodeIncomingMessageLike, response, body));
}

const isLocalHost = localhostHostValidation();
const isLocalOrigin = localhostOriginValidation();

const http = createServer((request, response) => {
  if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
  handle(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});

http.listen(0, "127.0.0.1", () => {
  const { port } = http.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
});

// The process that started this one holds the other end; without it nothing would stop this one.
process.stdin.resume().on("end", () => process.exit(0));
