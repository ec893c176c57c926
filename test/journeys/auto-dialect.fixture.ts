// A server that knows nothing of the contract, attached under the choice `auto`, for clients of any version.

import { Server } from "@modelcontextprotocol/server";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import { type AnyClient, connectClient, memoryPair } from "./attach-clients.fixture.ts";
import type { ServerKind } from "./attach-example.fixture.ts";

const info = { name: "foreign", version: "1.0.0" };

export interface ForeignTool {
  readonly outputSchema?: JsonObject;
  readonly _meta?: JsonObject;
  /** What it answers, one result for each call's `at`. */
  readonly results: readonly JsonObject[];
}

function foreignServer(tools: Readonly<Record<string, ForeignTool>>): Server {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(tools).map(([name, { outputSchema, _meta }]) => ({
      name,
      ...(_meta === undefined ? {} : { _meta }),
      inputSchema: { type: "object" },
      ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as { type: "object" } }),
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const { at = 0 } = (params.arguments ?? {}) as { readonly at?: number };
    return (tools[params.name]?.results[at] ?? { content: [] }) as { content: [] };
  });
  return server;
}

/** A client that has listed the tools, so that it checks every result against its schema. */
export async function autoClient(
  tools: Readonly<Record<string, ForeignTool>>,
  options: ContractOptions = {},
  kind: ServerKind = "2.4.0",
): Promise<AnyClient & { readonly schemas: Readonly<Record<string, JsonObject | undefined>> }> {
  const server = attachContract(foreignServer(tools), {
    dialect: "auto",
    logLevel: "silent",
    validate: "always",
    ...options,
  });
  const [near, far] = memoryPair();
  await server.connect(far as never);
  const client = await connectClient(kind, near);
  const listed = await client.listTools();
  const schemas = Object.fromEntries(listed.map(({ name, outputSchema }) => [name, outputSchema]));
  return { ...client, schemas };
}

export const text = (said: string, more: JsonObject = {}): JsonObject => ({
  content: [{ type: "text", text: said }],
  ...more,
});

export function textsOf({ content }: JsonObject): readonly string[] {
  return (content as readonly { readonly text: string }[]).map(({ text: said }) => said);
}
