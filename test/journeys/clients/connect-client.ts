import { Client as Client24, StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio24 } from "@modelcontextprotocol/client/stdio";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Client as Client118 } from "mcp-sdk-1-18/client/index.js";
import { StdioClientTransport as Stdio118 } from "mcp-sdk-1-18/client/stdio.js";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { StdioClientTransport as Stdio125 } from "mcp-sdk-1-25/client/stdio.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { StdioClientTransport as Stdio132 } from "mcp-sdk-1-32/client/stdio.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import type { Workshop } from "../../../examples/workshop/server.ts";
import type { JsonObject } from "../../../src/core/json/json-value.ts";
import { linkedPair } from "./linked-pair.ts";
import { type Environment, stdioCommand } from "./workshop-process.ts";

/** A client version in an era; v1 SDKs know no modern one. */
export const clientKinds = [
  { version: "2.4.0", era: "modern", token: "demo-ann" },
  { version: "2.4.0", era: "legacy", token: "demo-ben" },
  { version: "1.32.2", era: "legacy", token: "demo-cleo" },
  { version: "1.25.3", era: "legacy", token: "demo-dan" },
  { version: "1.18.2", era: "legacy", token: "demo-eli" },
] as const;
export type ClientKind = (typeof clientKinds)[number];

export type Target =
  | { readonly transport: "memory"; readonly workshop: Workshop }
  | { readonly transport: "stdio"; readonly environment: Environment }
  | { readonly transport: "http"; readonly url: string; readonly token: string };

interface CallParams {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly _meta?: JsonObject;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** What the journeys need of a client, whatever its version. */
export interface JourneyClient {
  call(params: CallParams, options?: CallOptions): Promise<JsonObject>;
  listTools(): Promise<readonly ListedTool[]>;
  close(): Promise<void>;
  /** The SDK's own client object. */
  readonly sdk: object;
}

interface SdkClient {
  connect(transport: never): Promise<void>;
  listTools(): Promise<unknown>;
  close(): Promise<void>;
}

type TransportClass<Options> = new (options: Options) => object;
type HttpClass = new (url: URL, options: { requestInit: RequestInit }) => object;
interface StdioOptions {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  stderr: "ignore" | "inherit";
}

const transportsOf: Readonly<
  Record<ClientKind["version"], { stdio: TransportClass<StdioOptions>; http: HttpClass }>
> = {
  "2.4.0": { stdio: Stdio24, http: Http24 },
  "1.32.2": { stdio: Stdio132, http: Http132 },
  "1.25.3": { stdio: Stdio125, http: Http125 },
  "1.18.2": { stdio: Stdio118, http: Http118 },
};

type V1Client = new (info: { name: string; version: string }, options: { capabilities: never }) => SdkClient;
const v1Clients: Readonly<Record<Exclude<ClientKind["version"], "2.4.0">, V1Client>> = {
  "1.32.2": Client132,
  "1.25.3": Client125,
  "1.18.2": Client118,
};

async function transportFor(kind: ClientKind, target: Target): Promise<object> {
  const { stdio: Stdio, http: Http } = transportsOf[kind.version];
  if (target.transport === "stdio") {
    return new Stdio({ ...(await stdioCommand(target.environment)), stderr: "ignore" });
  }
  if (target.transport === "http") {
    const headers = { Authorization: `Bearer ${target.token}` };
    return new Http(new URL(target.url), { requestInit: { headers } });
  }
  const [client, server] = linkedPair();
  serveStdio(target.workshop.build, { transport: server });
  return client;
}

export interface ConnectOptions {
  /** The client's `capabilities.extensions`. */
  readonly extensions?: JsonObject;
}

/** A connected client of the given version and era. */
export async function connectClient(
  kind: ClientKind,
  target: Target,
  { extensions }: ConnectOptions = {},
): Promise<JourneyClient> {
  const info = { name: "journey", version: kind.version };
  const capabilities = extensions === undefined ? {} : { extensions };
  const mode = kind.era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client: SdkClient =
    kind.version === "2.4.0"
      ? new Client24(info, { capabilities: capabilities as never, versionNegotiation: { mode } })
      : new v1Clients[kind.version](info, { capabilities: capabilities as never });
  await client.connect((await transportFor(kind, target)) as never);
  // The options are the third argument in v1, after a result schema.
  const callTool = (client as unknown as { callTool: (...args: unknown[]) => Promise<unknown> }).callTool;
  return {
    call: async (params, options = {}) =>
      (await callTool.apply(
        client,
        kind.version === "2.4.0" ? [params, options] : [params, undefined, options],
      )) as JsonObject,
    listTools: async () => ((await client.listTools()) as { tools: ListedTool[] }).tools,
    close: () => client.close(),
    sdk: client,
  };
}
