import { Client as Client24, InMemoryTransport } from "@modelcontextprotocol/client";
import { Client as Client118 } from "mcp-sdk-1-18/client/index.js";
import { Client as Client125 } from "mcp-sdk-1-25/client/index.js";
import { Client as Client132 } from "mcp-sdk-1-32/client/index.js";
import { LoggingMessageNotificationSchema as Log118 } from "mcp-sdk-1-18/types.js";
import { LoggingMessageNotificationSchema as Log125 } from "mcp-sdk-1-25/types.js";
import { LoggingMessageNotificationSchema as Log132 } from "mcp-sdk-1-32/types.js";
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
  readonly listPrompts: () => Promise<readonly JsonObject[]>;
  readonly getPrompt: (name: string, args: Readonly<Record<string, string>>) => Promise<JsonObject>;
  /** The values for an argument that begins with a text, of a prompt or of a template. */
  readonly complete: (ref: JsonObject, name: string, value: string) => Promise<readonly string[]>;
  /** What the server said of itself when the client connected. */
  readonly about: () => {
    readonly info: unknown;
    readonly instructions: unknown;
    readonly capabilities: unknown;
  };
  readonly onLog: (hear: (params: JsonObject) => void) => void;
  readonly setLogLevel: (level: string) => Promise<unknown>;
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
  listPrompts(): Promise<{ prompts: unknown[] }>;
  getPrompt(params: { name: string; arguments: Readonly<Record<string, string>> }): Promise<unknown>;
  complete(params: never): Promise<{ completion: { values: string[] } }>;
  getServerVersion(): unknown;
  getInstructions(): unknown;
  getServerCapabilities(): unknown;
  setNotificationHandler(...args: never[]): void;
  setLoggingLevel(level: never): Promise<unknown>;
}

/** What a client calls the notification of a log line: v1 knows it by its schema. */
const logNotifications = {
  "2.4.0": "notifications/message",
  "1.32.2": Log132,
  "1.25.3": Log125,
  "1.18.2": Log118,
} as const;

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
    listPrompts: async () => (await client.listPrompts()).prompts as JsonObject[],
    getPrompt: async (name, args) => (await client.getPrompt({ name, arguments: args })) as JsonObject,
    complete: async (ref, name, value) =>
      (await client.complete({ ref, argument: { name, value } } as never)).completion.values,
    about: () => ({
      info: client.getServerVersion(),
      instructions: client.getInstructions(),
      capabilities: client.getServerCapabilities(),
    }),
    onLog: (hear) => {
      const handler = ({ params }: { params: JsonObject }): void => hear(params);
      client.setNotificationHandler(...([logNotifications[kind], handler] as never[]));
    },
    setLogLevel: (level) => client.setLoggingLevel(level as never),
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
