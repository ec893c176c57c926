import type { Budget } from "../config/settings.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { type CallRequest, type Handover, fromMessage } from "../engine/call-request.ts";
import type { ContractState } from "../engine/contract-state.ts";
import type { TransportHook } from "./hook-transport.ts";
import { identifyCall } from "../engine/identify-call.ts";
import { RETRIEVE_TOOL } from "../engine/retrieve-name.ts";
import type { ToolDefinition } from "../engine/tool-definition.ts";

const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const RESOURCE_NOT_FOUND = -32002;
/** What a client may keep of it, and how long: content behind a hash never changes, but it does expire. */
const CACHE_MS = 60 * 60 * 1000;

const scheme = "waybill://archive/";

/** Whether anything this contract answers is kept; a tool may have a budget, or archives, where the contract has none. */
export function canCut({ archive, effective }: ContractState, tool?: ToolDefinition): boolean {
  if (!archive.isOn) return false;
  if (tool?.config.archives === true) return true;
  const budgets: readonly Partial<Budget>[] = [
    effective.general.budget,
    ...Object.values(effective.settings.tools).map(({ budget }) => budget),
    ...(tool === undefined ? [] : [effective.toolContract(tool).budget]),
  ];
  return budgets.some(({ tokens = "off", bytes = "off" }) => tokens !== "off" || bytes !== "off");
}

function uriOf({ method, params }: JsonObject): string | undefined {
  const uri = method === "resources/read" && isJsonObject(params) ? params["uri"] : undefined;
  return typeof uri === "string" && uri.startsWith(scheme) ? uri : undefined;
}

function toError(error: unknown): JsonObject {
  const fault = ToolFault.isInstance(error) ? error : undefined;
  const code = fault?.code === "NOT_FOUND" ? RESOURCE_NOT_FOUND : INVALID_PARAMS;
  if (fault === undefined) return { error: { code: -32603, message: "Internal error" } };
  const { remediation } = fault.toOutcome().fault;
  const said = /[.!?]$/.test(fault.message) ? fault.message : `${fault.message}.`;
  const message = remediation ? `${said} ${remediation}` : fault.message;
  return { error: { code, message, data: { error_code: fault.code } } };
}

/** What the modern era asks of every result that a client may keep. */
function freshOf({ isModern }: CallRequest, ttlMs: number): JsonObject {
  return isModern === true ? { resultType: "complete", ttlMs, cacheScope: "private" } : {};
}

async function readResource(state: ContractState, uri: string, call: CallRequest): Promise<JsonObject> {
  try {
    const { readArchiveResource } = await import("../retrieval/archive-resource.ts");
    const { tenant, isAnonymous } = identifyCall(call, state.options);
    const store = await state.archive.store();
    const { contents } = await readArchiveResource(uri, { store, tenant, needsHash: isAnonymous });
    return { result: { ...freshOf(call, CACHE_MS), contents: contents as unknown as readonly JsonObject[] } };
  } catch (error) {
    if (!ToolFault.isInstance(error)) state.log.error("archive-read-failed", { err: error });
    return toError(error);
  }
}

function isUnknown({ error }: JsonObject): boolean {
  return isJsonObject(error) && error["code"] === METHOD_NOT_FOUND;
}

/** The server's own list with ours behind it; a server without resources has only ours. */
async function listTemplates(response: JsonObject, call: CallRequest): Promise<JsonObject> {
  const { resourceTemplates: ours } = await import("../retrieval/archive-resource.ts");
  const { result } = response;
  const own = isJsonObject(result) ? result : freshOf(call, 0);
  if (!isJsonObject(result) && !isUnknown(response)) return response;
  // They stand on the last page only, so that nobody gets them twice.
  if (typeof own["nextCursor"] === "string") return response;
  const listed = Array.isArray(own["resourceTemplates"]) ? own["resourceTemplates"] : [];
  const { error: _error, ...head } = response;
  return { ...head, result: { ...own, resourceTemplates: [...listed, ...ours] } };
}

/** A server's own tools come first; ours is there for what they leave out. */
function retrievalLast(response: JsonObject): JsonObject {
  const { result } = response;
  if (!isJsonObject(result) || !Array.isArray(result["tools"])) return response;
  const isOurs = (tool: JsonValue): boolean => isJsonObject(tool) && tool["name"] === RETRIEVE_TOOL;
  const tools = [...result["tools"].filter((tool) => !isOurs(tool)), ...result["tools"].filter(isOurs)];
  return { ...response, result: { ...result, tools } };
}

function announce(response: JsonObject): JsonObject {
  const { result } = response;
  if (!isJsonObject(result) || !isJsonObject(result["capabilities"])) return response;
  const { capabilities } = result;
  if (capabilities["resources"] !== undefined) return response;
  return { ...response, result: { ...result, capabilities: { ...capabilities, resources: {} } } };
}

/** Serves `waybill://archive/…` beside the server's own resources, and says so where servers say what they can. */
export function archiveHook(
  state: ContractState,
  server: object,
): Required<Pick<TransportHook, "answer" | "response">> {
  const callOf = (request: JsonObject, handover: Handover): CallRequest =>
    fromMessage(request, handover, server, state.options.trustProxy);
  return {
    answer: (request, handover) => {
      const uri = uriOf(request);
      return uri === undefined ? undefined : readResource(state, uri, callOf(request, handover));
    },
    response: (request, response, handover) => {
      const { method } = request;
      if (method === "initialize" || method === "server/discover") return announce(response);
      if (method === "tools/list") return retrievalLast(response);
      if (method === "resources/templates/list") return listTemplates(response, callOf(request, handover));
      if (method === "resources/list" && isUnknown(response)) {
        const { error: _error, ...head } = response;
        return { ...head, result: { ...freshOf(callOf(request, handover), 0), resources: [] } };
      }
      return response;
    },
  };
}
