// Servers whose tools answer what they are told to, under either door, for clients of any version.

import { McpServer, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { SchemaAndResults } from "../arbitrary/tool-results.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { acceptingSchema } from "../../src/engine/settings/standard-schema.ts";
import { type AnyClient, type Era, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import type { ServerKind } from "./attach-example.fixture.ts";

export const doors = ["contract.server", "attachContract"] as const;
export type Door = (typeof doors)[number];

const info = { name: "prose", version: "1.0.0" };

export function toolName(index: number): string {
  return `tool_${index}`;
}

/** Which of its results a call wants. */
function wanted({ results }: SchemaAndResults, args: unknown): JsonObject | undefined {
  return results[(args as { readonly at?: number } | undefined)?.at ?? 0];
}

const takesNumber = acceptingSchema({ type: "object", properties: { at: { type: "number" } } });

function ownServer(tools: readonly SchemaAndResults[], options: ContractOptions): McpServer {
  const server = createContract(options).server(new McpServer(info));
  for (const [index, tool] of tools.entries()) {
    const outputSchema = acceptingSchema(tool.outputSchema);
    const config = { description: "Answers", inputSchema: takesNumber, outputSchema };
    server.registerTool(toolName(index), config, (args) => wanted(tool, args));
  }
  return server;
}

/** A server that knows nothing of the contract. */
function foreignServer(tools: readonly SchemaAndResults[]): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  const byName = new Map(tools.map((tool, index) => [toolName(index), tool]));
  server.setRequestHandler("tools/list", () => ({
    tools: tools.map(({ outputSchema }, index) => ({
      name: toolName(index),
      inputSchema: { type: "object" },
      outputSchema: outputSchema as { type: "object" },
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const tool = byName.get(params.name);
    return ((tool && wanted(tool, params.arguments)) ?? { content: [] }) as { content: [] };
  });
  return server;
}

export interface Visit {
  readonly door: Door;
  readonly client: ServerKind;
  readonly era: Era;
  readonly options: ContractOptions;
}

/** A client of these tools that has listed them, so that it checks every result against its schema. */
export async function visit(
  tools: readonly SchemaAndResults[],
  { door, client: kind, era, options }: Visit,
): Promise<AnyClient> {
  const server =
    door === "contract.server"
      ? ownServer(tools, options)
      : attachContract(foreignServer(tools), { dialect: "response-v2", ...options });
  const [near, far] = memoryPair();
  if (era === "modern") serveStdio(() => server, { transport: far as never });
  else await server.connect(far as never);
  const client = await connectClient(kind, near, era);
  await client.listTools();
  return client;
}
