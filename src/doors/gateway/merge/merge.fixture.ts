import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, ResourceTemplate, fromJsonSchema } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Server as V1Server } from "mcp-sdk-1-32/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "mcp-sdk-1-32/types.js";
import { onTestFinished } from "vitest";
import { createState } from "../../../engine/call/contract-state.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { listenToScope } from "../../../engine/call/call-scope.ts";
import type { SharedRedis } from "../../../engine/archive/redis/shared-redis.ts";
import { createLog } from "../../../engine/observe/log-event.ts";
import { LinkTransport, type MemoryUpstream, memoryUpstream } from "../bridge/http-gateway.fixture.ts";
import { type NoteRefusal, createHttpListener } from "../listen/http-listener.ts";
import type { ServedSource } from "../served-set.ts";
import { MergedEndpoints, type SourceInUse } from "./merged-endpoints.ts";

const anything = fromJsonSchema({ type: "object" });

/** A server in this process and what it was asked. */
export interface SmallServer extends SourceInUse {
  readonly upstream: MemoryUpstream;
  readonly state: ContractState;
  readonly calls: string[];
}

export interface SmallServerOptions {
  readonly tools: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
  /** To what the results of its tools link. */
  readonly link?: string;
  readonly instructions?: string;
  readonly auth?: ServedSource["options"]["auth"];
  /** It knows only the greeting of the legacy era. */
  readonly isOld?: boolean;
}

function build(name: string, options: SmallServerOptions, calls: string[]): McpServer {
  const { tools, prompts = [], resources = [], templates = [], link, instructions } = options;
  const server = new McpServer(
    { name, version: "1.0.0" },
    { ...(instructions === undefined ? {} : { instructions }), capabilities: { logging: {} } },
  );
  for (const tool of tools)
    server.registerTool(tool, { description: `${tool} of ${name}`, inputSchema: anything }, (args) => {
      calls.push(tool);
      const { lines = 1 } = args as { readonly lines?: number };
      const text = Array.from({ length: lines }, (_, at) => `${name} ${tool} ${at}`).join("\n");
      const links = link === undefined ? [] : [{ type: "resource_link" as const, name: link, uri: link }];
      return { content: [{ type: "text", text }, ...links] };
    });
  for (const prompt of prompts)
    server.registerPrompt(prompt, { description: prompt }, () => ({
      messages: [{ role: "user", content: { type: "text", text: `${prompt} of ${name}` } }],
    }));
  for (const uri of resources)
    server.registerResource(uri, uri, { mimeType: "text/plain" }, () => ({
      contents: [{ uri, mimeType: "text/plain", text: `${uri} of ${name}` }],
    }));
  for (const template of templates)
    server.registerResource(
      template,
      new ResourceTemplate(template, { list: undefined }),
      { mimeType: "text/plain" },
      ({ href: uri }) => {
        calls.push(uri);
        return { contents: [{ uri, mimeType: "text/plain", text: `${uri} of ${name}` }] };
      },
    );
  return server;
}

function buildOld(name: string, { tools }: SmallServerOptions, calls: string[]): V1Server {
  const server = new V1Server({ name, version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({ name: tool, inputSchema: { type: "object" } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    calls.push(params.name);
    if (params.name.startsWith("ask")) {
      const content = { type: "text", text: `${name} asks` } as const;
      const said = await server.createMessage({ messages: [{ role: "user", content }], maxTokens: 5 });
      return { content: [{ type: "text", text: `${name} heard ${JSON.stringify(said.content)}` }] };
    }
    return { content: [{ type: "text", text: `${name} ${params.name} 0` }] };
  });
  return server;
}

/** One server of an endpoint; each connection has an SDK server of its own. */
export function smallServer(name: string, options: SmallServerOptions): SmallServer {
  listenToScope();
  const calls: string[] = [];
  const upstream = memoryUpstream((end) => {
    const transport = new LinkTransport(end) as never;
    if (options.isOld === true) void buildOld(name, options, calls).connect(transport);
    else serveStdio(() => build(name, options, calls), { transport });
  });
  const state = createState({
    name,
    logLevel: "silent",
    dialect: "auto",
    store: "memory",
    budget: { tokens: 400 },
  });
  const served = { command: name, ...(options.auth && { auth: options.auth }) };
  return { source: { name, options: served, state }, upstream, state, calls };
}

export interface OpenedMerge {
  readonly url: URL;
  readonly endpoints: MergedEndpoints;
  readonly urlOf: (group: string) => URL;
  /** Serves these servers from now on. */
  apply(servers: readonly SmallServer[], more?: Parameters<MergedEndpoints["apply"]>[1]): void;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "merge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** These servers behind one address, until the test is over. */
export async function openMerge(
  servers: readonly SmallServer[],
  more: Parameters<MergedEndpoints["apply"]>[1] & {
    readonly folder?: string;
    readonly noteRefusal?: NoteRefusal;
    readonly listMs?: number;
    readonly redis?: SharedRedis;
  } = {},
): Promise<OpenedMerge> {
  const endpoints = new MergedEndpoints({
    log: createLog({ level: "silent" }),
    ofServer: (name, admitted) =>
      admitted.authInfo === undefined
        ? admitted
        : { ...admitted, principal: `${name}/${admitted.principal}` },
    folder: more.folder ?? temporaryFolder(),
    retryMs: 50,
    noteRefusal: more.noteRefusal,
    listMs: more.listMs,
    redis: more.redis,
  });
  const apply: OpenedMerge["apply"] = (next, wanted = more) =>
    endpoints.apply(new Map(next.map((one) => [one.source.name, one])), wanted);
  apply(servers);
  const listener = createHttpListener({
    port: 0,
    upstreams: () => new Map(),
    merged: () => endpoints.served(),
  });
  const { merged } = await listener.listen();
  onTestFinished(async () => {
    await endpoints.close();
    await listener.close();
  });
  const urlOf = (group: string): URL => new URL(merged[group] ?? "");
  return { url: urlOf(""), urlOf, endpoints, apply };
}

/** A client that is closed when the test is over. */
export async function connectTo(
  url: URL,
  mode: "legacy" | "modern",
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client(
    { name: "merge-test", version: "1.0.0" },
    { versionNegotiation: { mode: mode === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

export async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** The first text of a call's result. */
export async function textOf(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly text?: string }[];
  return first?.text ?? "";
}
