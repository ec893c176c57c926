import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { type JsonObject, isJsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import type { AnyTool } from "../../src/engine/settings/tool-definition.ts";
import { loadCounter } from "../../src/core/tokens/token-counter.ts";

export interface OpenServer {
  readonly client: Client;
  readonly call: (name: string, args?: JsonObject, meta?: JsonObject) => Promise<JsonObject>;
  /** The data of `waybill_retrieve`, or of its failure. */
  readonly retrieve: (args: JsonObject) => Promise<JsonObject>;
}

const info = { name: "cutting", version: "1.0.0" };
const quiet: ContractOptions = {
  name: "cutting",
  logLevel: "silent",
  dialect: "response-v2",
  validate: "always",
};

async function connect(mcp: McpServer, clientName: string): Promise<OpenServer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client(
    { name: clientName, version: "1.0.0" },
    { versionNegotiation: { mode: "legacy" } },
  );
  await client.connect(near);
  // A client checks results against the schemas it was told, so it is told them first.
  await client.listTools();
  const call: OpenServer["call"] = async (name, args = {}, meta) => {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    return (await client.callTool(params)) as unknown as JsonObject;
  };
  return { client, call, retrieve: async (args) => envelopeOf(await call("waybill_retrieve", args)).data };
}

/** A server of one's own tools under a contract, and a client that is connected to it in memory. */
export function openServer(
  options: ContractOptions,
  tools: readonly AnyTool[],
  clientName = "journey",
): Promise<OpenServer> {
  const mcp = createContract({ ...quiet, ...options })
    .server(new McpServer(info))
    .add(...tools);
  return connect(mcp, clientName);
}

/** An existing server whose handlers give ready-made results, with the contract attached to it. */
export function openAttached(
  options: ContractOptions,
  results: Readonly<Record<string, () => JsonObject>>,
): Promise<OpenServer> {
  const mcp = new McpServer(info);
  for (const [name, result] of Object.entries(results))
    mcp.registerTool(name, { description: name }, () => result() as never);
  return connect(attachContract(mcp, { ...quiet, ...options }), "journey");
}

export interface Envelope {
  readonly success: boolean;
  readonly data: JsonObject;
  readonly error: string | null;
  readonly meta: JsonObject;
}

export function envelopeOf({ structuredContent }: JsonObject): Envelope {
  if (!isJsonObject(structuredContent)) throw new Error("The result has no envelope.");
  return structuredContent as unknown as Envelope;
}

/** The texts of a result a model may be shown: the envelope once, and every other block but the bytes of images. */
export function shownTexts({ content }: JsonObject): readonly string[] {
  return (content as readonly JsonObject[]).map((block) => {
    const { data: _bytes, ...rest } = block;
    return typeof block["text"] === "string" ? block["text"] : JSON.stringify(rest);
  });
}

export async function tokensIn(result: JsonObject): Promise<number> {
  const counter = await loadCounter();
  return shownTexts(result).reduce((sum, text) => sum + counter.count(text), 0);
}

/** The hashes a result announces, in their order. */
export function hashesOf(result: JsonObject): readonly string[] {
  const hashes = envelopeOf(result).meta["content_archive_hashes"] ?? {};
  return Object.values(hashes as Record<string, string>);
}

export function warningsOf(result: JsonObject): readonly JsonObject[] {
  return (envelopeOf(result).meta["warning_details"] ?? []) as readonly JsonObject[];
}

interface RangeContents {
  readonly text: string;
  readonly _meta: { readonly "waybill/archive": { readonly to: number; readonly bytes: number } };
}

/** The whole text of an archive, by ranges of its resource, as a client would read it. */
export async function readArchive({ client }: OpenServer, hash: string): Promise<string> {
  const digits = hash.replace("sha256:", "");
  const parts: string[] = [];
  for (let start = 0; ;) {
    const uri = `waybill://archive/${digits}/${start}/${start + 1_000_000}`;
    const { contents } = await client.readResource({ uri });
    const [part] = contents as unknown as readonly RangeContents[];
    if (part === undefined) throw new Error("The range has no contents.");
    const about = part._meta["waybill/archive"];
    parts.push(part.text);
    if (about.to >= about.bytes) return parts.join("");
    start = about.to;
  }
}
