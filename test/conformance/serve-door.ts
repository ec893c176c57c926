// The fixture server of the conformance suite as one call of `serve`: what an author has who builds no server by hand.
// Prints its address as the first line, and ends when its input does.

import { randomBytes } from "node:crypto";
import { type McpServer, type ServerContext, createRequestStateCodec } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { serve } from "../../src/doors/server/serve.ts";
import { type AnyTool, defineTool } from "../../src/engine/settings/tool-definition.ts";
import { askingTools } from "./asking-tools.ts";
import { contentTools, runningTools } from "./content-tools.ts";
import { type FixtureTool, textResult } from "./fixture-tool.ts";
import { type RoundState, inputRequiredTools } from "./input-required-tools.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";

const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32) });
const noInput = z.object({});

function toTool({ name, description, inputSchema = noInput, run }: FixtureTool): AnyTool {
  return defineTool(name, { description, inputSchema }, (args, { sdk, progress }) =>
    run(args as Record<string, unknown>, { sdk: sdk as ServerContext, progress }),
  );
}

/** What a reload changes reaches the clients that listen. */
const triggers = ["test_trigger_tool_change", "test_trigger_prompt_change"].map((name): FixtureTool => ({
  name,
  description: "Tells listeners that a list changed",
  run: async () => {
    await served.reload();
    return textResult("Told");
  },
}));

const tools = [
  ...contentTools,
  ...runningTools,
  ...askingTools,
  ...inputRequiredTools(codec),
  ...triggers,
].map(toTool);

function register(server: McpServer): void {
  server.server.registerCapabilities({ resources: { subscribe: true } });
  registerPrompts(server);
  registerResources(server);
}

const served = await serve({
  name: "waybill-conformance",
  version: "1.0.0",
  tools,
  register,
  requestState: codec,
  reload: () => tools,
  logging: true,
  dialect: "response-v2",
  validate: "always",
  config: false,
  http: 0,
  logLevel: "error",
});

process.stdout.write(`${served.url ?? ""}\n`);

// The process that started this one holds the other end; without it nothing would stop this one.
process.stdin.resume().on("end", () => process.exit(0));
