import { advertiseInput } from "../advertise/input-schema.ts";
import { advertiseOutput } from "../advertise/envelope-schema.ts";
import type { DialectId } from "../contract/dialect-id.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";

export interface ListRewrite {
  /** The dialects a tool's results may come in, its default first. */
  readonly dialectsOf: (name: string, tool: JsonObject) => readonly DialectId[];
  /** Whether lists in a tool's data may come as tables. */
  readonly hasTables: (name: string) => boolean;
  /** One channel only: no structured results, so no output schema either. */
  readonly isText: boolean;
  readonly waybillArgument: boolean;
}

const envelopeKeys = ["success", "data", "error", "meta"];

/** A tool that already speaks response-v2 says so itself; its results are not wrapped again either. */
function isEnveloped(schema: JsonObject | undefined, dialects: readonly DialectId[]): boolean {
  const required = Array.isArray(schema?.["required"]) ? schema["required"] : [];
  return dialects.every((id) => id === "response-v2") && envelopeKeys.every((key) => required.includes(key));
}

function rewriteTool(tool: JsonValue, options: ListRewrite): JsonValue {
  if (!isJsonObject(tool) || typeof tool["name"] !== "string") return tool;
  const { outputSchema, ...rest } = tool;
  const own = isJsonObject(outputSchema) ? outputSchema : undefined;
  const dialects = options.dialectsOf(tool["name"], tool);
  const tables = options.hasTables(tool["name"]);
  const advertised = isEnveloped(own, dialects) ? own : advertiseOutput(own, { dialects, tables });
  const output = options.isText ? undefined : advertised;
  const input = isJsonObject(tool["inputSchema"])
    ? advertiseInput(tool["inputSchema"], { waybillArgument: options.waybillArgument })
    : undefined;
  return {
    ...rest,
    ...(input === undefined ? {} : { inputSchema: input }),
    ...(output === undefined ? {} : { outputSchema: output }),
  };
}

/** A `tools/list` response whose output schemas hold for the enveloped results; anything else passes untouched. */
export function rewriteList(response: JsonObject, options: ListRewrite): JsonObject {
  const { result } = response;
  if (!isJsonObject(result) || !Array.isArray(result["tools"])) return response;
  const tools = result["tools"].map((tool) => rewriteTool(tool, options));
  return { ...response, result: { ...result, tools } };
}
