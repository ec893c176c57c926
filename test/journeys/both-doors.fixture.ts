// The same tools behind every door: handlers that know nothing of Waybill but its faults, and guards that are given
// where the door takes them.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import * as z from "zod/v4";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { type ToolOptions, defineTool } from "../../src/engine/settings/tool-definition.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { type Contract, createContract } from "../../src/doors/server/create-contract.ts";

interface Run {
  readonly signal: AbortSignal;
  readonly progress: (done: number) => Promise<void>;
}

export interface DoorTool {
  readonly name: string;
  readonly guards?: ToolOptions;
  readonly annotations?: Readonly<Record<string, boolean>>;
  readonly run: (args: JsonObject, run: Run) => unknown;
}

interface CallMore {
  readonly meta?: JsonObject;
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number }) => void;
}

export interface OpenDoor {
  readonly contract: Contract;
  readonly client: Client;
  readonly call: (name: string, args?: JsonObject, more?: CallMore) => Promise<JsonObject>;
  /** Another client of the same contract. */
  readonly another: () => Promise<Client>;
  readonly close: () => Promise<void>;
}

type Build = (contract: Contract, tools: readonly DoorTool[]) => McpServer;
type Serve = (build: () => McpServer) => Promise<{
  readonly connect: () => Promise<Client>;
  readonly close: () => Promise<void>;
}>;

const info = { name: "doors", version: "1.0.0" };
const shape = { n: z.number().optional(), said: z.string().optional() };

const asOwnConfig: Build = (contract, tools) =>
  contract.server(new McpServer(info)).add(...tools.map((tool) => ownTool(tool, tool.guards)));

const bySettings: Build = (contract, tools) =>
  contract.server(new McpServer(info)).add(...tools.map((tool) => ownTool(tool, {})));

function ownTool({ name, annotations, run }: DoorTool, guards: ToolOptions = {}) {
  const hints = annotations === undefined ? {} : { annotations };
  const config = { description: name, inputSchema: z.object(shape), ...hints, ...guards };
  return defineTool(name, config, (args, ctx) =>
    run(args as JsonObject, { signal: ctx.signal, progress: (done) => ctx.progress(done) }),
  );
}

interface SdkExtra {
  readonly signal?: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number };
  readonly sendNotification?: (notification: object) => Promise<void>;
  readonly mcpReq?: {
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: string | number };
    notify(notification: object): Promise<void>;
  };
}

function runOf(extra: SdkExtra): Run {
  const { mcpReq } = extra;
  const progressToken = (mcpReq ?? extra)._meta?.progressToken;
  const signal = mcpReq?.signal ?? extra.signal;
  if (signal === undefined) throw new Error("The SDK gave no signal");
  return {
    signal,
    progress: async (progress) => {
      if (progressToken === undefined) return;
      const notification = { method: "notifications/progress", params: { progressToken, progress } };
      await (mcpReq?.notify(notification) ?? extra.sendNotification?.(notification));
    },
  };
}

interface Registers {
  registerTool(
    name: string,
    config: object,
    handler: (args: JsonObject, extra: SdkExtra) => unknown,
  ): unknown;
}

function isReady(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("content" in value || "resultType" in value);
}

function registerForeign(server: Registers, tools: readonly DoorTool[], inputSchema: unknown): void {
  for (const { name, annotations, run } of tools)
    server.registerTool(name, { description: name, inputSchema, annotations }, async (args, extra) => {
      const data: unknown = await run(args, runOf(extra));
      if (isReady(data)) return data;
      return { content: [{ type: "text", text: JSON.stringify(data) }], structuredContent: data };
    });
}

const attached24: Build = (contract, tools) => {
  const server = new McpServer(info);
  registerForeign(server as unknown as Registers, tools, z.object(shape));
  return attachContract(server, contract);
};

const attached132: Build = (contract, tools) => {
  const server: unknown = new McpServer132(info);
  registerForeign(server as Registers, tools, shape);
  return attachContract(server as McpServer, contract);
};

function newClient(isModern: boolean): Client {
  const mode = isModern ? { pin: "2026-07-28" } : ("legacy" as const);
  return new Client(info, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
}

/** One server object for each connection, in memory. */
const inMemory =
  (isModern: boolean): Serve =>
  (build) => {
    const clients: Client[] = [];
    const connect = async (): Promise<Client> => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      if (isModern) serveStdio(build, { transport: far });
      else await build().connect(far);
      const client = newClient(isModern);
      clients.push(client);
      await client.connect(near);
      return client;
    };
    const close = async (): Promise<void> => {
      await Promise.all(clients.map((client) => client.close()));
    };
    return Promise.resolve({ connect, close });
  };

/** A server object for every request. */
const overHttp: Serve = async (build) => {
  const handle = toNodeHandler(createMcpHandler(build));
  const http = createServer((request, response) => void handle(request as NodeIncomingMessageLike, response));
  await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const clients: Client[] = [];
  return {
    connect: async () => {
      const client = newClient(true);
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
      return client;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
    },
  };
};

export interface Door {
  readonly door: string;
  readonly isAttached: boolean;
  readonly isHttp: boolean;
  readonly isModern: boolean;
  readonly build: Build;
  readonly serve: Serve;
}

function door(name: string, build: Build, where: "memory" | "modern" | "http"): Door {
  const isModern = where !== "memory";
  return {
    door: `${name}, ${where}`,
    isAttached: build === attached24 || build === attached132,
    isHttp: where === "http",
    isModern,
    build,
    serve: where === "http" ? overHttp : inMemory(isModern),
  };
}

export const doors: readonly Door[] = [
  door("contract.server with the tool's own config", asOwnConfig, "memory"),
  door("contract.server with toolSettings", bySettings, "memory"),
  door("attachContract on SDK 2.4", attached24, "memory"),
  door("attachContract on SDK 1.32", attached132, "memory"),
  door("contract.server with toolSettings", bySettings, "modern"),
  door("attachContract on SDK 2.4", attached24, "modern"),
  door("contract.server with toolSettings", bySettings, "http"),
  door("attachContract on SDK 2.4", attached24, "http"),
];

/** Tests say whose call it is in `_meta`; real servers ask their own authentication. */
function tenantOf({ meta }: { readonly meta: JsonObject }): string | undefined {
  const named = meta["test/tenant"];
  return typeof named === "string" ? named : undefined;
}

export async function openDoor(
  { build, serve }: Door,
  tools: readonly DoorTool[],
  options: ContractOptions = {},
): Promise<OpenDoor> {
  const isSettled = build !== asOwnConfig;
  // Contracts with one name share their limits.
  const isLimited =
    options.rateLimit !== undefined || tools.some(({ guards }) => guards?.rateLimit !== undefined);
  const toolSettings = Object.fromEntries(tools.map(({ name, guards = {} }) => [name, guards]));
  const contract = createContract({
    ...(isLimited ? {} : { name: "doors" }),
    logLevel: "silent",
    dialect: "response-v2",
    validate: "always",
    tenant: tenantOf,
    ...options,
    ...(isSettled ? { toolSettings } : {}),
  });
  const { connect, close } = await serve(() => build(contract, tools));
  const client = await connect();
  return {
    contract,
    client,
    call: (name, args = {}, more = {}) => callWith(client, name, args, more),
    another: connect,
    close: async () => {
      await close();
      await contract.close();
    },
  };
}

export async function callWith(
  client: Client,
  name: string,
  args: JsonObject = {},
  { meta, ...options }: CallMore = {},
): Promise<JsonObject> {
  const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
  return (await client.callTool(params, options)) as unknown as JsonObject;
}

/** A promise and the ways to settle it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

interface Envelope {
  readonly success: boolean;
  readonly data: JsonObject;
  readonly error: string | null;
  readonly meta: JsonObject;
}

export function envelopeIn(result: JsonObject): Envelope {
  return result["structuredContent"] as unknown as Envelope;
}

/** "ok", or the code of the failure. */
export function codeOf(result: JsonObject): string {
  const { success, data } = envelopeIn(result);
  return success ? "ok" : (data["error_code"] as string);
}

export function notesOf(result: JsonObject): JsonObject {
  return (result["_meta"] as JsonObject)["waybill/notes"] as JsonObject;
}
