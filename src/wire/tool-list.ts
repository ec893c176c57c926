import { type AdvertisedSchemas, advertiseOwn, advertiseSchemas } from "../engine/advertise-tool.ts";
import type { ContractState } from "../engine/contract-state.ts";
import { RETRIEVE_TOOL } from "../contract/wire-names.ts";
import { retrieveTool } from "../engine/retrieve-tool.ts";
import type { ToolDefinition } from "../engine/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import type { UpstreamMemory } from "./upstream-memory.ts";

export type NamedTool = JsonObject & { readonly name: string };

function isNamed(tool: JsonValue): tool is NamedTool {
  return isJsonObject(tool) && typeof tool["name"] === "string";
}

/** The tools of a `tools/list` response; undefined for any other. */
export function toolsIn({ result }: JsonObject): readonly JsonValue[] | undefined {
  return isJsonObject(result) && Array.isArray(result["tools"]) ? result["tools"] : undefined;
}

/** Whoever has seen only some pages does not know the tools of the others. */
function isLastPage(response: JsonObject): boolean {
  const { result } = response;
  return toolsIn(response) !== undefined && typeof (result as JsonObject)["nextCursor"] !== "string";
}

/** Each tool with its advertised schemas; entries without schemas, or that are not tools, stay as they are. */
function mapTools(
  response: JsonObject,
  schemasOf: (tool: NamedTool) => AdvertisedSchemas | undefined,
): JsonObject {
  const tools = toolsIn(response)?.map((tool) => {
    const schemas = isNamed(tool) ? schemasOf(tool) : undefined;
    if (!isJsonObject(tool) || schemas === undefined) return tool;
    const { inputSchema: _input, outputSchema: _output, ...rest } = tool;
    const { inputSchema, outputSchema } = schemas;
    return {
      ...rest,
      ...(inputSchema === undefined ? {} : { inputSchema }),
      ...(outputSchema === undefined ? {} : { outputSchema }),
    };
  });
  if (tools === undefined) return response;
  return { ...response, result: { ...(response["result"] as JsonObject), tools } };
}

function isRetrieval(tool: JsonValue): boolean {
  return isJsonObject(tool) && tool["name"] === RETRIEVE_TOOL;
}

/** The list of a server whose tools are one's own; the tool that gives back what was cut comes last. */
export function listOwn(
  state: ContractState,
  response: JsonObject,
  own: ReadonlyMap<string, ToolDefinition>,
): JsonObject {
  const listed = mapTools(response, ({ name }) => {
    const tool = own.get(name);
    return tool && advertiseOwn(state, tool);
  });
  const tools = toolsIn(listed);
  if (tools === undefined || !tools.some(isRetrieval)) return listed;
  const ordered = [...tools.filter((tool) => !isRetrieval(tool)), ...tools.filter(isRetrieval)];
  return { ...listed, result: { ...(listed["result"] as JsonObject), tools: ordered } };
}

/** The list of a server behind the contract, taken down for its tenant as it passes. */
export function listForeign(
  state: ContractState,
  response: JsonObject,
  memory: UpstreamMemory,
  tenant: string,
): JsonObject {
  if (isLastPage(response)) memory.noteList(tenant);
  return mapTools(response, (tool) => {
    const { name, config, listedSchema } = memory.note(tenant, tool);
    const input = isJsonObject(tool["inputSchema"]) ? tool["inputSchema"] : undefined;
    return advertiseSchemas(state, { name, config, input, output: listedSchema ?? undefined });
  });
}

/** The tool that gives back what was cut stands behind the server's own, on the last page. */
export function withRetrieval(state: ContractState, response: JsonObject): JsonObject {
  const tools = toolsIn(response);
  const result = response["result"];
  if (tools === undefined || !isJsonObject(result)) return response;
  if (tools.some(isRetrieval) || typeof result["nextCursor"] === "string") return response;
  const tool = retrieveTool(state);
  const { title, description, annotations } = tool.config;
  const ours = { name: tool.name, title, description, annotations, ...advertiseOwn(state, tool) };
  return { ...response, result: { ...result, tools: [...tools, ours as unknown as JsonObject] } };
}
