import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type CallLog, type ContractClient, type ToolsOf, contractClient } from "waybill/client";
import type { researchTool } from "../workshop/tools/research.ts";
import type { specTool } from "../workshop/tools/spec.ts";
import type { taskTool } from "../workshop/tools/task.ts";

/** Types alone: nothing of the server is loaded here. */
type WorkshopTools = ToolsOf<
  readonly [ReturnType<typeof specTool>, ReturnType<typeof taskTool>, ReturnType<typeof researchTool>]
>;

export interface Agent {
  readonly tools: ContractClient<WorkshopTools>;
  /** Every attempt of every call, in order. */
  readonly log: readonly CallLog[];
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Starts the workshop as a child on stdio, with a rate limit low enough to meet, and puts the contract over its client. */
export async function connectWorkshop(): Promise<Agent> {
  const client = new Client({ name: "agent-loop", version: "1.0.0" });
  const { PATH = "", HOME = "" } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", "examples/workshop/stdio.ts"],
    cwd: root,
    env: { PATH, HOME, WORKSHOP_LOG: "off", WORKSHOP_RATE_LIMIT: "6/2" },
  });
  await client.connect(transport);
  const log: CallLog[] = [];
  const warnings: string[] = [];
  const tools = contractClient<WorkshopTools>(client, {
    onCall: (line) => log.push(line),
    onWarning: ({ code = "", message }) => warnings.push(`${code} ${message}`.trim()),
  });
  return { tools, log, warnings, close: () => client.close() };
}
