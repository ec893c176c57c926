import { ContractError } from "../contract/contract-error.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { checkInitialize, checkToolsList } from "./validate-message.ts";
import {
  type JsonRpcId,
  assertCarriable,
  assertJsonRpcId,
  assertResult,
  describeMember,
} from "./message-values.ts";

interface JsonRpcResult<Result extends object = object> {
  readonly jsonrpc: "2.0";
  readonly result: Result;
  readonly id: JsonRpcId;
}

/**
 * The answer to a request that succeeded, in the key order of seed 003.
 *
 * @example
 * jsonRpcResult(1, toolResult({ json: [{ id: 1, name: "Alice" }] }));
 */
export function jsonRpcResult<Result extends object>(id: JsonRpcId, result: Result): JsonRpcResult<Result> {
  assertJsonRpcId(id);
  assertResult(result);
  return { jsonrpc: "2.0", result, id };
}

interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: ServerInfo;
  readonly instructions?: string;
}

/** The result of `initialize`. */
export function initializeResult(options: InitializeResult): InitializeResult {
  const { protocolVersion, capabilities, serverInfo, instructions } = options;
  const result = { protocolVersion, capabilities, serverInfo };
  const whole = instructions === undefined ? result : { ...result, instructions };
  assertResult(whole, checkInitialize);
  return whole;
}

/** A tool as `tools/list` shows it. MCP lets the description be absent; a model cannot choose a tool without one. */
interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<{ type: "object" }> & JsonObject;
  readonly title?: string;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

interface ToolsListResult {
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

interface ContentBlock {
  readonly type: string;
  readonly [key: string]: JsonValue;
}

interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  /** Present on a failure only: seed 003 forbids it on success. */
  readonly isError?: true;
}

/** What the text channel carries: a text, a value as its compact JSON, or finished content blocks. */
type ToolContent =
  | { readonly text: string; readonly json?: never; readonly content?: never }
  | { readonly json: unknown; readonly text?: never; readonly content?: never }
  | { readonly content: readonly ContentBlock[]; readonly text?: never; readonly json?: never };

export type ToolResultOptions = ToolContent & {
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
};

/** The result of `tools/call`. */
export function toolResult(options: ToolResultOptions): ToolResult {
  const { structuredContent, isError } = options;
  if (structuredContent !== undefined) assertCarriable(structuredContent, "structuredContent");
  return {
    content: toContent(options),
    ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as JsonValue }),
    ...(isError === true ? { isError } : {}),
  };
}

function toContent(options: ToolContent): readonly ContentBlock[] {
  const { text, json, content } = options;
  const given = [text, json, content].filter((part) => part !== undefined).length;
  if (given !== 1)
    refuse("content", `${given} of \`text\`, \`json\` and \`content\` are given: give exactly one.`);
  if (content !== undefined) return checkBlocks(content);
  if (json === undefined) return [{ type: "text", text: checkText(text) }];
  assertCarriable(json, "json");
  return [{ type: "text", text: JSON.stringify(json) }];
}

function checkText(text: unknown): string {
  if (typeof text === "string") return text;
  return refuse("text", `${describeMember("text", text)}: send a string, or the value as \`json\`.`);
}

function checkBlocks(content: readonly ContentBlock[]): readonly ContentBlock[] {
  if (!Array.isArray(content) || content.length === 0) {
    refuse("content", `${describeMember("content", content)}: send at least one block.`);
  }
  assertCarriable(content, "content");
  const odd = content.findIndex((block) => !isJsonObject(block) || typeof block.type !== "string");
  if (odd !== -1)
    refuse("content", `Block ${odd} of \`content\` has no type: send { type: "text", text: … }.`);
  return content;
}

function refuse(option: string, message: string): never {
  throw new ContractError("INVALID_OPTION", message, { option });
}
