import { McpServer as McpServer24 } from "@modelcontextprotocol/server";
import { McpServer as McpServer118 } from "mcp-sdk-1-18/server/mcp.js";
import { McpServer as McpServer125 } from "mcp-sdk-1-25/server/mcp.js";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import * as z3 from "zod/v3";
import * as z4 from "zod/v4";
import { isJsonObject } from "../../src/core/json/json-value.ts";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { type Contract, createContract } from "../../src/doors/server/create-contract.ts";
import { acceptingSchema } from "../../src/engine/settings/standard-schema.ts";
import { type ServerKind, serverKinds } from "./attach-example.fixture.ts";
import { cutTools, shapeOf } from "./cut-tools.fixture.ts";

export const BUDGET_TOKENS = 700;

/** How a server came under its contract: built with it, or attached as its SDK's author left it. */
export const doors = ["contract", ...serverKinds.map((kind) => `attach ${kind}` as const)] as const;
export type Door = (typeof doors)[number];

export function sdkOf(door: Door): ServerKind {
  return serverKinds.find((kind) => door === `attach ${kind}`) ?? "2.4.0";
}

export interface AnyServer {
  connect(transport: never): Promise<void>;
  registerTool(name: string, config: never, handler: never): unknown;
}

const info = { name: "cuts", version: "1.0.0" };

export function cutContract(): Contract {
  return createContract({
    name: info.name,
    logLevel: "silent",
    dialect: "response-v2",
    budget: { tokens: BUDGET_TOKENS },
    validate: "always",
  });
}

function builtServer(contract: Contract): AnyServer {
  const server = contract.server(new McpServer24(info));
  for (const { name, schema, data } of cutTools) {
    const config = { description: `The ${name} tool`, outputSchema: acceptingSchema(schema) };
    server.registerTool(name, config, () => data);
  }
  return server;
}

/** Results as SDK servers give them: a text, and the same as structure where there is a schema. */
function foreignServer(kind: ServerKind): AnyServer {
  const Server = {
    "2.4.0": McpServer24,
    "1.32.2": McpServer132,
    "1.25.3": McpServer125,
    "1.18.2": McpServer118,
  };
  const server = new Server[kind](info) as unknown as AnyServer;
  for (const tool of cutTools) {
    const shape = shapeOf(tool, kind === "1.18.2" ? z3 : z4);
    const outputSchema = kind === "2.4.0" && shape !== undefined ? z4.object(shape as never) : shape;
    const text = typeof tool.data === "string" ? tool.data : JSON.stringify(tool.data);
    const structure = shape !== undefined && isJsonObject(tool.data) ? { structuredContent: tool.data } : {};
    const config = {
      description: `The ${tool.name} tool`,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    };
    const handler = () => ({ content: [{ type: "text", text }], ...structure });
    server.registerTool(tool.name, config as never, handler as never);
  }
  return server;
}

export function cutServer(door: Door, contract: Contract): AnyServer {
  return door === "contract" ? builtServer(contract) : attachContract(foreignServer(sdkOf(door)), contract);
}
