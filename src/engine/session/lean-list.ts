import type { CallRequest } from "../request/call-request.ts";
import type { ContractState } from "../call/contract-state.ts";
import type { ToolConfig } from "../settings/tool-definition.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { slimDefinition } from "../../core/schema/slim-definition.ts";
import { type NamedTool, isNamed, toolsIn } from "./tool-list.ts";

/**
 * A list in which tools whose setting is `lean` say in fewer words what a model needs, and without an output schema where
 * the client shows its model none. The list then depends on the client, so no cache may give it to another.
 */
export function leanList(
  state: ContractState,
  response: JsonObject,
  call: CallRequest,
  configOf: (name: string) => ToolConfig,
): JsonObject {
  const tools = toolsIn(response);
  if (tools === undefined) return response;
  let dependsOnClient = false;
  let isChanged = false;
  const lean = (tool: NamedTool): JsonValue => {
    const { name } = tool;
    const contract = state.effective.forCall(
      state.effective.toolContract({ name, config: configOf(name) }),
      call,
      undefined,
    );
    if (!contract.lean) return tool;
    isChanged = true;
    const { outputSchema, ...rest } = slimDefinition(tool);
    if (outputSchema === undefined) return rest;
    dependsOnClient = true;
    return contract.reader?.ignoresOutputSchemas === true ? rest : { ...rest, outputSchema };
  };
  const shown = tools.map((tool) => (isNamed(tool) ? lean(tool) : tool));
  if (!isChanged) return response;
  const scope = dependsOnClient && call.isModern === true ? { cacheScope: "private" } : {};
  const result = isJsonObject(response["result"]) ? response["result"] : {};
  return { ...response, result: { ...result, tools: shown, ...scope } };
}
