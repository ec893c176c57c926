import type { JsonObject } from "../json/json-value.ts";
import { assertResult } from "./assert-result.ts";
import { checkToolsList } from "./check-tools-list.ts";

/** A tool as `tools/list` shows it. MCP lets the description be absent; a model cannot choose a tool without one. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<{ type: "object" }> & JsonObject;
  readonly title?: string;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface ToolsListResult {
  readonly tools: readonly ListedTool[];
  readonly nextCursor?: string;
}

/** The result of `tools/list`; without a `nextCursor` it is the last page. */
export function toolsListResult(
  tools: readonly ListedTool[],
  { nextCursor }: { readonly nextCursor?: string | undefined } = {},
): ToolsListResult {
  const result = nextCursor === undefined ? { tools } : { tools, nextCursor };
  assertResult(result, checkToolsList);
  return result;
}
