import { randomBytes } from "node:crypto";
import type { ServerContext, ServerNotifier } from "@modelcontextprotocol/server";
import { McpServer, createRequestStateCodec } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { attachContract } from "../../src/doors/server/attach-contract.ts";
import { createContract } from "../../src/doors/server/create-contract.ts";
import type { ToolContext } from "../../src/engine/settings/tool-context.ts";
import { askingTools } from "./asking-tools.ts";
import { contentTools, runningTools } from "./content-tools.ts";
import { type FixtureCall, type FixtureTool, textResult } from "./fixture-tool.ts";
import { type RoundState, inputRequiredTools } from "./input-required-tools.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources.ts";

/** The SDK alone; its tools under a contract; and the SDK's server with a contract attached from outside. */
export const variants = ["plain", "waybill", "attached"] as const;
export type Variant = (typeof variants)[number];

const codec = createRequestStateCodec<RoundState>({ key: randomBytes(32) });

// No scenario asserts a tool's exact text, so every tool speaks response-v2, the default: the suite sees text,
// images, audio and resources are in `content`, `isError` on failure, and unfinished results untouched.
const contract = createContract({ name: "conformance", dialect: "response-v2", validate: "always" });

function triggers(server: McpServer, notifier: () => ServerNotifier | undefined): readonly FixtureTool[] {
  return [
    {
      name: "test_trigger_tool_change",
      description: "Tells listeners that the list of tools changed",
      run: () => {
        notifier()?.toolsChanged();
        server.sendToolListChanged();
        return textResult("Told");
      },
    },
    {
      name: "test_trigger_prompt_change",
      description: "Tells listeners that the list of prompts changed",
      run: () => {
        notifier()?.promptsChanged();
        server.sendPromptListChanged();
        return textResult("Told");
      },
    },
  ];
}

/** Without Waybill a tool sends its progress itself. */
function plainCall(sdk: ServerContext): FixtureCall {
  const token = sdk.mcpReq._meta?.progressToken;
  return {
    sdk,
    progress: async (progress, total) => {
      if (token === undefined) return;
      const params = { progressToken: token, progress, total };
      await sdk.mcpReq.notify({ method: "notifications/progress", params });
    },
  };
}

const noInput = z.object({});

function registerPlain(server: McpServer, tools: readonly FixtureTool[]): void {
  for (const { name, description, inputSchema = noInput, run } of tools) {
    server.registerTool(name, { description, inputSchema }, async (args, sdk) =>
      run(args as Record<string, unknown>, plainCall(sdk)),
    );
  }
}

function registerWithContract(server: McpServer, tools: readonly FixtureTool[]): void {
  const contracted = contract.server(server);
  for (const { name, description, inputSchema = noInput, run } of tools) {
    contracted.registerTool(name, { description, inputSchema }, (args, { sdk, progress }: ToolContext) =>
      run(args as Record<string, unknown>, { sdk: sdk as ServerContext, progress }),
    );
  }
}

/** The server the suite expects; how its list-changed news travel is up to who serves it. */
export function buildServer(variant: Variant, notifier: () => ServerNotifier | undefined): McpServer {
  const server = new McpServer(
    { name: "waybill-conformance", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: (sealed, context) => codec.verify(sealed, context) },
    },
  );
  registerPrompts(server);
  registerResources(server);
  const tools = [
    ...contentTools,
    ...runningTools,
    ...askingTools,
    ...inputRequiredTools(codec),
    ...triggers(server, notifier),
  ];
  (variant === "waybill" ? registerWithContract : registerPlain)(server, tools);
  return variant === "attached" ? attachContract(server, contract) : server;
}
