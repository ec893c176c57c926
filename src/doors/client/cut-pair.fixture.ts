import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { createContract } from "../server/create-contract.ts";
import type { ClientOptions } from "./client-options.ts";
import type { CallParams, SdkClientLike } from "./connection.ts";
import { contractClient } from "./contract-client.ts";

/** What a read of a resource gives, or is turned into. */
type Tamper = (result: unknown) => unknown;

interface Numbered {
  readonly id: number;
}

const listInput = z.object({ cursor: z.string().optional(), page_size: z.int().optional() });

/** A server under a contract: `read` answers with the value that is given, or throws it, `list` with pages of the list. */
export async function cutPair(options: ContractOptions = {}, config: object = {}) {
  const given: { value: unknown; list: readonly Numbered[]; tamper?: Tamper } = { value: {}, list: [] };
  const mcp = new McpServer({ name: "pair", version: "1.0.0" });
  const contract = createContract({
    name: "pair",
    logLevel: "silent",
    budget: { tokens: 4_000 },
    ...options,
  });
  const annotations = { readOnlyHint: true };
  contract
    .server(mcp)
    .addServerTool()
    .registerTool("read", { description: "Reads", annotations, ...config }, () => {
      if (given.value instanceof Error) throw given.value;
      return given.value;
    });
  contract
    .server(mcp)
    .registerTool(
      "list",
      { description: "Lists", annotations, inputSchema: listInput },
      ({ page_size: limit }, context) =>
        context.page({
          path: "items",
          limit,
          total: given.list.length,
          filters: {},
          fetch: ({ after, limit: count }) =>
            given.list.filter(({ id }) => typeof after !== "number" || id > after).slice(0, count),
          key: ({ id }) => id,
        }),
    );
  const sdk = new Client({ name: "reader", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  await sdk.connect(near);
  const read = { resource: 0, tool: 0 };
  const tampered = (result: unknown): unknown => given.tamper?.(result) ?? result;
  const callTool = async (params: CallParams): Promise<unknown> => {
    if (params.name !== "waybill_retrieve") return sdk.callTool(params);
    read.tool++;
    return tampered(await sdk.callTool(params));
  };
  const whole: object = {
    getProtocolEra: true,
    callTool,
    listTools: () => sdk.listTools(),
    readResource: async (params: { uri: string }) => {
      read.resource++;
      return tampered(await sdk.readResource(params));
    },
  };
  return {
    given,
    read,
    sdk,
    /** Over the SDK client, which reads resources. */
    byResource: (more: ClientOptions = {}) => contractClient(whole as SdkClientLike, more),
    /** Over a bare function, which can only call tools. */
    byTool: (more: ClientOptions = {}) => contractClient((params) => callTool(params), more),
    close: async () => {
      await sdk.close();
      await contract.close();
    },
  };
}

/** One bit of the bytes of a resource changed, whatever it does to them. */
export function flipInResource(result: unknown, seed: number): unknown {
  const copy = structuredClone(result) as { contents: { text?: string; blob?: string }[] };
  const [contents = {}] = copy.contents;
  const bytes = Buffer.from(contents.text ?? "");
  const at = seed % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (Math.floor(seed / bytes.length) % 8));
  delete contents.text;
  contents.blob = bytes.toString("base64");
  return copy;
}

/** One bit of one character of a slice changed; a whole value gets one more key or item. */
export function flipInItems(result: unknown, seed: number): unknown {
  const copy = structuredClone(result) as { structuredContent: { data: { items: Item[] } } };
  const { items } = copy.structuredContent.data;
  const item = items[seed % items.length] ?? {};
  if (item.text === undefined) item.value = [item.value];
  else item.text = flipped(item.text, seed);
  return copy;
}

interface Item {
  text?: string;
  value?: unknown;
}

function flipped(text: string, seed: number): string {
  const at = seed % text.length;
  const bit = Math.floor(seed / text.length) % 16;
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
}
