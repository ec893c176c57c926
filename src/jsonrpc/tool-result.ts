import { ContractError } from "../contract/contract-error.ts";
import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { assertCarriable } from "./assert-result.ts";
import { describeMember } from "./describe-value.ts";

interface ContentBlock {
  readonly type: string;
  readonly [key: string]: JsonValue;
}

export interface ToolResult {
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
