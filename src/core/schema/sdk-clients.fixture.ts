// The clients of four versions of the MCP SDK, each connected in memory to a server of its own version.

import { Client as Client24, InMemoryTransport as Memory24 } from "@modelcontextprotocol/client";
import { Server as Server24 } from "@modelcontextprotocol/server";
import { Client as Client118 } from "mcp-sdk-1-18/client/index.js";
import { InMemoryTransport as Memory118 } from "mcp-sdk-1-18/inMemory.js";
import { Server as Server118 } from "mcp-sdk-1-18/server/index.js";
import { CallToolRequestSchema as Call118, ListToolsRequestSchema as List118 } from "mcp-sdk-1-18/types.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { InMemoryTransport as Memory125 } from "mcp-sdk-1-25/inMemory.js";
import { Server as Server125 } from "mcp-sdk-1-25/server/index.js";
import { CallToolRequestSchema as Call125, ListToolsRequestSchema as List125 } from "mcp-sdk-1-25/types.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { InMemoryTransport as Memory132 } from "mcp-sdk-1-32/inMemory.js";
import { Server as Server132 } from "mcp-sdk-1-32/server/index.js";
import { CallToolRequestSchema as Call132, ListToolsRequestSchema as List132 } from "mcp-sdk-1-32/types.js";

/** What a server lists, and what it answers to a call. */
export interface Served {
  readonly listed: { readonly tools: readonly object[] };
  readonly call: (params: CallParams) => object;
}

export interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/** What all four clients have in common. */
export interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

const info = { name: "advertise", version: "1.0.0" };
const capabilities = { capabilities: { tools: {} } };

/** The schemas of v1 are typed for each Zod of its time; here only the request's shape matters. */
function answer(
  server: { setRequestHandler(schema: never, handler: never): void },
  { listed, call }: Served,
  list: object,
  tool: object,
): void {
  server.setRequestHandler(list as never, (() => listed) as never);
  server.setRequestHandler(tool as never, (({ params }: { params: CallParams }) => call(params)) as never);
}

async function join(
  server: { connect(transport: never): Promise<void> },
  client: { connect(transport: never): Promise<void> },
  [left, right]: readonly [object, object],
): Promise<AnyClient> {
  await server.connect(left as never);
  await client.connect(right as never);
  return client as unknown as AnyClient;
}

const pairs = {
  "2.4.0": async (served: Served) => {
    const server = new Server24(info, capabilities);
    answer(server, served, "tools/list" as never, "tools/call" as never);
    return join(server, new Client24(info), Memory24.createLinkedPair());
  },
  "1.32": async (served: Served) => {
    const server = new Server132(info, capabilities);
    answer(server, served, List132, Call132);
    return join(server, new Client132(info), Memory132.createLinkedPair());
  },
  "1.25": async (served: Served) => {
    const server = new Server125(info, capabilities);
    answer(server, served, List125, Call125);
    return join(server, new Client125(info), Memory125.createLinkedPair());
  },
  "1.18": async (served: Served) => {
    const server = new Server118(info, capabilities);
    answer(server, served, List118, Call118);
    return join(server, new Client118(info), Memory118.createLinkedPair());
  },
};

export type SdkVersion = keyof typeof pairs;

export const sdkVersions = Object.keys(pairs) as readonly SdkVersion[];

export function connectSdk(version: SdkVersion, served: Served): Promise<AnyClient> {
  return pairs[version](served);
}
