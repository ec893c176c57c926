import { Client as Client24, InMemoryTransport } from "@modelcontextprotocol/client";
import { Client as Client118 } from "mcp-sdk-1-18/client/index.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { ServerKind } from "./attach-example.fixture.ts";

export type Era = "legacy" | "modern";

interface ListedTool {
  readonly name: string;
  readonly outputSchema?: JsonObject;
}

interface Progress {
  readonly progress: number;
  readonly total?: number;
}

/** What the journeys do with a client, whatever its version. */
export interface AnyClient {
  readonly listTools: () => Promise<readonly ListedTool[]>;
  readonly call: (
    name: string,
    args?: JsonObject,
    more?: { readonly meta?: JsonObject; readonly onprogress?: (progress: Progress) => void },
  ) => Promise<JsonObject>;
  readonly listResources: () => Promise<readonly JsonObject[]>;
  readonly listTemplates: () => Promise<readonly JsonObject[]>;
  readonly readResource: (uri: string) => Promise<JsonObject>;
  readonly close: () => Promise<void>;
}

interface SdkClient {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(...args: never[]): Promise<unknown>;
  listResources(): Promise<{ resources: unknown[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  readResource(params: { uri: string }): Promise<unknown>;
}

const info = { name: "journey", version: "1.0.0" };

function newClient(kind: ServerKind, era: Era): SdkClient {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  if (kind === "2.4.0") return new Client24(info, { versionNegotiation: { mode } });
  const Client = { "1.32.2": Client132, "1.25.3": Client125, "1.18.2": Client118 }[kind];
  return new (Client as new (about: typeof info) => SdkClient)(info);
}

/** Some servers outlive their input; the SDK would wait two seconds for each before it ends them. */
function endProcess(transport: object): void {
  if ("pid" in transport && typeof transport.pid === "number") process.kill(transport.pid);
}

/** A client of an SDK version, connected over a transport of any other. */
export async function connectClient(
  kind: ServerKind,
  transport: object,
  era: Era = "legacy",
): Promise<AnyClient> {
  const client = newClient(kind, era);
  await client.connect(transport as never);
  return {
    listTools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args = {}, { meta, onprogress } = {}) => {
      const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      const options = onprogress === undefined ? {} : { onprogress };
      // In v1 a result schema comes before the options.
      const more = kind === "2.4.0" ? [options] : [undefined, options];
      return (await client.callTool(...([params, ...more] as never[]))) as JsonObject;
    },
    listResources: async () => (await client.listResources()).resources as JsonObject[],
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates as JsonObject[],
    readResource: async (uri) => (await client.readResource({ uri })) as JsonObject,
    close: async () => {
      endProcess(transport);
      await client.close();
    },
  };
}

/** Both ends of a connection inside this process; messages are plain objects, so any SDK may hold either. */
export function memoryPair(): readonly [object, object] {
  return InMemoryTransport.createLinkedPair();
}
