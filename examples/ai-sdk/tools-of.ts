import type { Client } from "@modelcontextprotocol/client";
import { type JSONSchema7, type ToolSet, dynamicTool, jsonSchema } from "ai";

interface Block {
  readonly type: string;
  readonly text?: string | undefined;
}

/** Every tool of an MCP server as a tool of the AI SDK. The model reads the result's text: the envelope, as it was sent. */
export async function toolsOf(client: Client): Promise<ToolSet> {
  const { tools } = await client.listTools();
  const entries = tools.map(({ name, description = "", inputSchema }) => {
    const tool = dynamicTool({
      description,
      inputSchema: jsonSchema(inputSchema as JSONSchema7),
      execute: (args) => client.callTool({ name, arguments: args as Record<string, unknown> }),
      toModelOutput: ({ output }) => {
        const { content } = output as { readonly content: readonly Block[] };
        const value = content.flatMap(({ text }) => text ?? []).join("\n");
        // A failure under the contract is something to read and act on, so it is not turned into an error of the SDK.
        return { type: "text", value };
      },
    });
    return [name, tool] as const;
  });
  return Object.fromEntries(entries);
}
