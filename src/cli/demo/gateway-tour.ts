import { createHash } from "node:crypto";
import { contractClient } from "../../doors/client/contract-client.ts";
import { createGateway } from "../../doors/gateway/create-gateway.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { METHOD_NOT_FOUND, MODERN_REVISION } from "../../core/protocol/names.ts";
import { HttpLink } from "../../engine/transport/http/http-link.ts";
import { openTarget } from "../../engine/transport/http/http-target.ts";
import { McpClient } from "../../engine/transport/mcp-client.ts";
import { MAX_MESSAGE_BYTES } from "../../engine/transport/stream-link.ts";
import { readVersion } from "../cli-io.ts";

/** One feature of the gateway, with its input and output. */
export interface Scene {
  readonly title: string;
  readonly call: string;
  readonly says: string;
  readonly tokens: number;
  readonly json: JsonValue;
  readonly [key: string]: JsonValue;
}

const BUDGET_TOKENS = 1_000;
const CALL_MS = 60_000;

/** Starts a server and a gateway in front of it, both on loopback, and makes the calls that show its purpose. */
export async function gatewayTour(): Promise<readonly Scene[]> {
  const depot = await startDepot();
  const gateway = createGateway({
    upstreams: { depot: { url: depot.url, budget: { tokens: BUDGET_TOKENS } } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  try {
    const { urls } = await gateway.listen();
    return await playScenes(depot.url, urls["depot"] ?? "");
  } finally {
    await gateway.close();
    await depot.close();
  }
}

async function playScenes(direct: string, through: string): Promise<readonly Scene[]> {
  const counter = await loadCounter("o200k_base").catch(() => undefined);
  const costOf = (text: string): number => counter?.count(text) ?? Buffer.byteLength(text);
  const scenes: Scene[] = [];
  const play = async (url: string, tool: string, args: JsonObject, title: string, says: string) => {
    const text = textOf(await callOverHttp(url, tool, args));
    const json = asJson(text);
    scenes.push({ title, call: `${tool} ${JSON.stringify(args)}`, says, tokens: costOf(text), json });
  };

  await play(
    direct,
    "parcel_list",
    {},
    "without the gateway",
    "600 parcels, all of them for the model to read",
  );
  const cutSays = `cut to fit ${BUDGET_TOKENS} tokens: it says what is missing, and where the whole is kept`;
  await play(through, "parcel_list", {}, "cut", cutSays);

  const tools = contractClient(({ name, arguments: args = {} }) => callOverHttp(through, name, args));
  const cut = await tools.call("parcel_list");
  const [hash = ""] = Object.values(cut.archives);
  const archive = hash.slice("sha256:".length);
  const itemSays = "one of those that were left out, by its id";
  await play(through, "waybill_retrieve", { archive, ids: ["P-0411"] }, "retrieval", itemSays);

  const { data } = await tools.complete(cut);
  const found = createHash("sha256").update(JSON.stringify(data)).digest("hex");
  scenes.push(verified(hash, `sha256:${found}`, costOf(JSON.stringify(data))));

  const select = "count_by(parcels, &status)";
  await play(
    through,
    "waybill_retrieve",
    { archive, select },
    "question",
    "computed over the whole, in one call",
  );
  const missing = { id: "P-4110" };
  await play(
    direct,
    "parcel_get",
    missing,
    "a failure, without the gateway",
    "a sentence, and what to do is a guess",
  );
  await play(through, "parcel_get", missing, "a failure", "a code, whether to try again, and what to do");
  return scenes;
}

function verified(announced: string, found: string, tokens: number): Scene {
  const says =
    announced === found ? "all 600 are back, and have the hash that the cut announced" : "not as announced";
  return {
    title: "the whole",
    call: "complete() of waybill/client",
    says,
    tokens,
    json: { announced, found },
  };
}

function asJson(text: string): JsonValue {
  const json = jsonIn(text);
  return json === undefined ? text : json;
}

/** One tool call, like any HTTP client in the protocol of 2026-07-28: without a session. */
async function callOverHttp(url: string, name: string, args: JsonObject): Promise<JsonObject> {
  const target = openTarget(url);
  const limits = { maxMessageBytes: MAX_MESSAGE_BYTES, startTimeoutMs: CALL_MS };
  const client = new McpClient({
    link: new HttpLink({ target, ...limits }),
    clientInfo: { name: "waybill-demo", version: readVersion() },
    era: "modern",
  });
  const { reply } = await client.ask("tools/call", { name, arguments: args });
  client.close("the demo has its answer");
  target.close();
  if (reply.kind !== "result") throw new Error(`The demo's own call failed: ${JSON.stringify(reply)}`);
  return reply.result;
}

/** The text that a model would read. */
function textOf({ content }: JsonObject): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block) => (isJsonObject(block) && typeof block["text"] === "string" ? block["text"] : ""))
    .join("\n");
}

// A typical server: it has no contract, sends everything, and reports errors as a sentence.

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
    return { ...fresh, supportedVersions: [MODERN_REVISION], capabilities: { tools: {} }, serverInfo };
  if (method === "tools/list") return { ...fresh, tools };
  return method === "tools/call" ? callTool(params) : undefined;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
  const { id = null, method, params } = JSON.parse(body) as Partial<Record<string, unknown>>;
  const result = resultOf(method, params);
  const outcome =
    result === undefined ? { error: { code: METHOD_NOT_FOUND, message: "Method not found" } } : { result };
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
}

/** Listens on a free port of loopback; clients send their requests to `url`. */
async function startDepot(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
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
