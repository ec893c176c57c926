import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";

export type FixtureAnswer = CallToolResult | InputRequiredResult;

/** What a fixture may do while it runs; progress goes through the server of the tool. */
export interface FixtureCall {
  readonly sdk: ServerContext;
  readonly progress: (progress: number, total: number) => Promise<void>;
}

/** A tool the conformance suite calls by name, written once for every variant of the server. */
export interface FixtureTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: StandardSchemaWithJSON;
  readonly run: (
    args: Readonly<Record<string, unknown>>,
    call: FixtureCall,
  ) => FixtureAnswer | Promise<FixtureAnswer>;
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}
