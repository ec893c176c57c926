// A server whose results are made lean, with a client beside it.

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { contractClient } from "../../doors/client/contract-client.ts";
import { attachContract } from "../../doors/server/attach-contract.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import type { ContractOptions } from "../settings/contract-options.ts";

/** Records as APIs send them. */
export const issues = Array.from({ length: 12 }, (_, index) => ({
  id: 7_000 + index,
  node_id: `I_kwDOTGdGNM7zNk${index}`,
  number: index,
  url: `https://api.example.com/repos/o/r/issues/${index}`,
  title: `Issue number ${index}`,
  body: null,
  labels: [] as readonly string[],
}));

export const answerOf = (value: JsonValue, isTyped = false): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  ...(isTyped && isJsonObject(value) ? { structuredContent: value } : {}),
});

interface Setting {
  readonly contract?: ContractOptions;
  readonly tools?: readonly Partial<Tool>[];
  readonly serverName?: string;
}

/** The answer to a call of the first tool, what it says of itself, and the client to ask on. */
export async function leanCall(answer: CallToolResult, { contract, tools = [{}], serverName }: Setting = {}) {
  const server = new Server(
    { name: serverName ?? "tracker", version: "1.0.0" },
    { capabilities: { tools: {} } },
  );
  const listed = tools.map((tool, index) => ({
    name: `tool_${index}`,
    inputSchema: { type: "object" as const },
    ...tool,
  }));
  server.setRequestHandler("tools/list", () => ({ tools: listed }));
  server.setRequestHandler("tools/call", () => answer);
  attachContract(server, { dialect: "auto", lean: true, logLevel: "silent", ...contract });
  const client = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  await client.listTools();
  const result = await client.callTool({ name: listed[0]?.name ?? "", arguments: {} });
  const texts = result.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const notes = notesIn(result as unknown as JsonObject, texts);
  const hashes = Object.values((notes["content_archive_hashes"] ?? {}) as Record<string, string>);
  const dropped = (notes["dropped_content_ids"] ?? []) as readonly string[];
  const retrieve = async (args: JsonObject): Promise<readonly JsonObject[]> => {
    const given = { archive: hashes[0] ?? "", limit: 1_000, ...args };
    const back = await contractClient(client).call("waybill_retrieve", given);
    return (back.data as unknown as { readonly items: readonly JsonObject[] }).items;
  };
  const complete = async (): Promise<JsonValue> => {
    const tool = contractClient(client);
    return (await tool.complete(await tool.call(listed[0]?.name ?? "", {}))).data;
  };
  /** By all names at once, in the client. */
  const pick = async () => {
    const tool = contractClient(client);
    return tool.retrieve(await tool.call(listed[0]?.name ?? "", {}));
  };
  return { client, result, texts, notes, hashes, dropped, retrieve, pick, complete };
}

function notesIn({ structuredContent, _meta }: JsonObject, texts: readonly string[]): JsonObject {
  const noted = isJsonObject(_meta) ? _meta["waybill/notes"] : undefined;
  if (isJsonObject(noted) && noted["content_fidelity"] !== undefined) return noted;
  const envelope =
    structuredContent ?? texts.map(jsonIn).find((json) => isJsonObject(json) && "meta" in json);
  const meta = isJsonObject(envelope) ? envelope["meta"] : undefined;
  return isJsonObject(meta) ? meta : {};
}
