import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";

// A server as many are: it knows nothing of a contract, sends all it has, and says what went wrong in a sentence.

const names = ["Ada", "Bo", "Chidi", "Dana", "Emre", "Fatou", "Goran"] as const;

export const parcels: readonly JsonObject[] = Array.from({ length: 600 }, (_, index) => ({
  id: `P-${String(index + 1).padStart(4, "0")}`,
  receiver: names[index % names.length] ?? "",
  status: index % 13 === 5 ? "late" : index % 3 === 0 ? "on the way" : "delivered",
  grams: 150 + ((index * 7_919) % 9_500),
}));

const argument = { type: "object", properties: { id: { type: "string" } } };
const annotations = { readOnlyHint: true };
const tools: readonly JsonObject[] = [
  { name: "parcel_list", description: "All parcels", inputSchema: { type: "object" }, annotations },
  { name: "parcel_get", description: "One parcel by its number", inputSchema: argument, annotations },
];

const complete = { resultType: "complete" };
const fresh = { ...complete, ttlMs: 0, cacheScope: "private" };
const textResult = (text: string): JsonObject => ({ ...complete, content: [{ type: "text", text }] });

function callTool(params: unknown): JsonObject {
  const { name, arguments: args } = isJsonObject(params) ? params : {};
  if (name === "parcel_list") return textResult(JSON.stringify({ parcels }));
  const wanted = isJsonObject(args) ? args["id"] : undefined;
  const parcel = parcels.find(({ id }) => id === wanted);
  if (parcel !== undefined) return textResult(JSON.stringify({ parcel }));
  return { ...textResult(`Parcel not found: ${typeof wanted === "string" ? wanted : ""}`), isError: true };
}

function resultOf(method: unknown, params: unknown): JsonObject | undefined {
  const serverInfo = { name: "depot", version: "1.0.0" };
  if (method === "server/discover")
    return { ...fresh, supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo };
  if (method === "tools/list") return { ...fresh, tools };
  return method === "tools/call" ? callTool(params) : undefined;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  const { id = null, method, params } = JSON.parse(body) as Partial<Record<string, unknown>>;
  const result = resultOf(method, params);
  const outcome =
    result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}

/** Listens on a free port of loopback; `url` is where clients send their requests. */
export async function startDepot(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close };
}
