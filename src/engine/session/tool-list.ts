import { type AdvertisedSchemas, advertiseOwn, advertiseSchemas } from "../call/advertise-tool.ts";
import type { CallRequest } from "../request/call-request.ts";
import type { ContractState } from "../call/contract-state.ts";
import { isToolClosed } from "../call/execute-tool.ts";
import { retrieveTool } from "../call/retrieve-tool.ts";
import type { Settings } from "../settings/settings.ts";
import type { ToolConfig, ToolDefinition } from "../settings/tool-definition.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { formatPath } from "../../core/options/explain-issues.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { quoteName } from "../../core/text/say-name.ts";
import { RETRIEVE_TOOL, isNumbered } from "../../core/contract/wire-names.ts";
import type { ToolNames } from "./tool-names.ts";
import type { UpstreamMemory } from "./upstream-memory.ts";
import { CONNECTION_CLOSED, INVALID_PARAMS, MAX_LIST_PAGES } from "../../core/protocol/names.ts";

export type NamedTool = JsonObject & { readonly name: string };

export function isNamed(tool: JsonValue): tool is NamedTool {
  return isJsonObject(tool) && typeof tool["name"] === "string";
}

/** The tools of a `tools/list` response; undefined for any other response. */
export function toolsIn({ result }: JsonObject): readonly JsonValue[] | undefined {
  return isJsonObject(result) && Array.isArray(result["tools"]) ? result["tools"] : undefined;
}

/** A tenant's list is complete only with its last page. */
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

function isCalled(name: string): (tool: JsonValue) => boolean {
  return (tool) => isJsonObject(tool) && tool["name"] === name;
}

/** The list of a server with its own tools; the retrieval tool comes last. */
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
  const isRetrieval = isCalled(state.retrieveName);
  if (tools === undefined || !tools.some(isRetrieval)) return listed;
  const ordered = [...tools.filter((tool) => !isRetrieval(tool)), ...tools.filter(isRetrieval)];
  return { ...listed, result: { ...(listed["result"] as JsonObject), tools: ordered } };
}

/** The list of an upstream server; its tools are noted for the tenant. */
export function listForeign(
  state: ContractState,
  response: JsonObject,
  memory: UpstreamMemory,
  tenant: string,
): JsonObject {
  if (isLastPage(response)) memory.noteList(tenant);
  return mapTools(response, (tool) => {
    const { name, config, listedSchema, isUnlisted } = memory.note(tenant, tool);
    const input = isJsonObject(tool["inputSchema"]) ? tool["inputSchema"] : undefined;
    // A tool that is not noted gets no output schema: its results are not checked against an unknown schema.
    if (isUnlisted === true) return { inputSchema: input, outputSchema: undefined };
    const { serverName } = memory;
    return advertiseSchemas(state, {
      name,
      config,
      input,
      output: listedSchema ?? undefined,
      upstream: { serverName },
    });
  });
}

/** Where our retrieval tool is in a server's list. */
export interface RetrievalPlace {
  /** Its name, which differs from the usual one if the server has a tool of that name. */
  readonly name: string;
  /** It replaces the retrieval tool of an upstream Waybill, which is asked for content that is not kept here. */
  readonly isStacked: boolean;
}

/** Our retrieval tool comes after the server's own tools, on the last page. */
export function withRetrieval(
  state: ContractState,
  response: JsonObject,
  { name, isStacked }: RetrievalPlace,
): JsonObject {
  const listed = toolsIn(response);
  const result = response["result"];
  if (listed === undefined || !isJsonObject(result)) return response;
  const tools = isStacked ? listed.filter((tool) => !isCalled(name)(tool)) : listed;
  if (typeof result["nextCursor"] === "string")
    return tools.length === listed.length ? response : { ...response, result: { ...result, tools } };
  const tool = retrieveTool(state);
  const { title, description, annotations } = tool.config;
  const { inputSchema } = advertiseOwn(state, tool);
  const ours = { name, title, description, annotations, inputSchema };
  return { ...response, result: { ...result, tools: [...tools, ours as unknown as JsonObject] } };
}

/**
 * A list without the tools that are closed for the caller. It depends on the caller, even if nothing is left
 * out, so no cache between client and server may give it to another caller.
 */
export function withoutShut(
  state: ContractState,
  response: JsonObject,
  { auth, isModern = false }: CallRequest,
  configOf: (name: string) => ToolConfig,
): JsonObject {
  const tools = toolsIn(response);
  if (tools === undefined) return response;
  const isOpen = (tool: JsonValue): boolean =>
    !isNamed(tool) || !isClosedTo(state, tool.name, configOf(tool.name), auth);
  const scope = isModern ? { cacheScope: "private" } : {};
  return {
    ...response,
    result: { ...(response["result"] as JsonObject), tools: tools.filter(isOpen), ...scope },
  };
}

/** A list with the tools that clients may know, by the names that they know. */
export function withShownTools(response: JsonObject, names: ToolNames): JsonObject {
  const tools = names.isPlain ? undefined : toolsIn(response);
  if (tools === undefined) return response;
  const shown = tools.flatMap((tool) => (isNamed(tool) ? (names.shown(tool) ?? []) : [tool]));
  return { ...response, result: { ...(response["result"] as JsonObject), tools: shown } };
}

/** Rules for names that have no effect on a server's list, or that two tools would share; the log says so once. */
export function tellToolRules(state: ContractState, response: JsonObject, names: ToolNames): void {
  if (names.isPlain || !isLastPage(response)) return;
  const known = (toolsIn(response) ?? []).filter(isNamed).map(({ name }) => name);
  for (const problem of names.problems(known)) {
    if (problem.kind === "clash") {
      const { tool, name, other } = problem;
      if (!state.isNews(`tool clash ${tool}`)) continue;
      const hint = `${quoteName(other)} is listed as ${quoteName(name)}, so this tool is left out. Give one of them another name with rename_tools.`;
      state.log.error("tool-name-taken", { tool, hint });
      continue;
    }
    const { setting, pattern } = problem;
    const isRetrieval = pattern === RETRIEVE_TOOL || isNumbered(pattern, state.retrieveName);
    if (isRetrieval || !state.isNews(`unused ${setting} ${pattern}`)) continue;
    const meant = didYouMean(pattern, known);
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    state.log.warn("tool-rule-unused", {
      tool: pattern,
      hint: `${setting} names a tool that the server does not list.${hint}`,
    });
  }
}

/** The same for one tool, with its `toolSettings`. */
export function isClosedTo(
  state: ContractState,
  name: string,
  config: ToolConfig,
  auth: CallRequest["auth"],
): boolean {
  return isToolClosed(state, { name, config: state.effective.codeOf({ name, config }) }, auth);
}

/**
 * Settings of tools that are not in the list have no effect, in code and in a file; the log says so once, with
 * the name that was probably meant.
 */
export function tellUnusedSettings(state: ContractState, response: JsonObject): void {
  const { toolSettings = {} } = state.options;
  const places = new Map(Object.keys(toolSettings).map((name) => [name, "toolSettings"]));
  for (const [name, place] of toolsInFile(state.effective.settings)) places.set(name, place);
  if (places.size === 0 || !isLastPage(response)) return;
  const known = (toolsIn(response) ?? []).filter(isNamed).map(({ name }) => name);
  for (const [tool, place] of places) {
    if (known.includes(tool) || tool === state.retrieveName || !state.isNews(`unused settings ${tool}`))
      continue;
    const meant = didYouMean(tool, known);
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    state.log.warn("tool-settings-unused", {
      tool,
      hint: `${place} names a tool that is not listed.${hint}`,
    });
  }
}

/** The tools that `waybill.config.json` names for this server alone, with their places in it. */
function* toolsInFile({ tools, origins = {} }: Settings): Generator<readonly [tool: string, place: string]> {
  const chosen = Object.entries(origins);
  for (const tool of Object.keys(tools)) {
    const under = `${formatPath(["tools", tool])}.`;
    const [, origin] = chosen.find(([path]) => path.startsWith(under)) ?? [];
    if (origin?.source === "file" && origin.isForAll !== true) yield [tool, `tools in ${origin.where ?? ""}`];
  }
}

/**
 * How the session requests a list for itself; either `settle` or `fail` is called. Returns a function that
 * stops waiting.
 */
export interface ListPort {
  readonly ask: (
    request: JsonObject,
    settle: (response: JsonObject) => void,
    fail: (error: unknown) => void,
  ) => () => void;
  readonly note: (tool: NamedTool) => void;
}

/** For all pages together: a call waits for them. */
const TIMEOUT_MS = 5_000;

/** The connection closed while the list was requested, which says nothing about the server's answer. */
export class ListInterrupted extends Error {}

/** The `_meta` of the call, without its call-specific keys: the server recognises era and caller by it. */
function metaOf({ params }: JsonObject): JsonObject {
  const meta = isJsonObject(params) && isJsonObject(params["_meta"]) ? params["_meta"] : undefined;
  if (meta === undefined) return {};
  const { progressToken: _progress, ...rest } = meta;
  return { _meta: rest };
}

interface Lesson {
  readonly port: ListPort;
  readonly call: JsonObject;
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

function askPage({ port, call, signal }: Lesson, cursor: string | undefined): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const params = { ...metaOf(call), ...(cursor === undefined ? {} : { cursor }) };
    let stop = (): void => undefined;
    const late = (): void => {
      stop();
      reject(new Error("The server did not list its tools in time"));
    };
    signal.addEventListener("abort", late, { once: true });
    const over = (): void => signal.removeEventListener("abort", late);
    stop = port.ask(
      { jsonrpc: "2.0", method: "tools/list", params },
      (response) => {
        over();
        resolve(response);
      },
      (error) => {
        over();
        reject(new ListInterrupted("The connection was closed", { cause: error }));
      },
    );
  });
}

/** Whether a transport made the error, in the SDKs or in the gateway. */
function isLost({ error }: JsonObject): boolean {
  return isJsonObject(error) && error["code"] === CONNECTION_CLOSED;
}

async function askPages(lesson: Lesson): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_LIST_PAGES; page++) {
    const response = await askPage(lesson, cursor);
    const tools = isTooDeep(response) ? undefined : toolsIn(response);
    if (tools === undefined) {
      if (isLost(response)) throw new ListInterrupted("The server could not be asked");
      throw new Error("The server does not list its tools");
    }
    for (const tool of tools)
      if (isJsonObject(tool) && typeof tool["name"] === "string") lesson.port.note(tool as NamedTool);
    const next = (response["result"] as JsonObject)["nextCursor"];
    if (typeof next !== "string" || next === cursor) return;
    cursor = next;
  }
}

/**
 * Requests all pages of the server's list, with the call's own `_meta`; rejects if the server does not answer
 * in time.
 */
export async function learnList(port: ListPort, call: JsonObject): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    await askPages({ port, call, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** The SDK refuses an unknown tool as the protocol requires; this only adds the name that was probably meant. */
export function suggestTool(request: JsonObject, response: JsonObject, known: readonly string[]): JsonObject {
  const { error } = response;
  const params = request["params"];
  const name = isJsonObject(params) ? params["name"] : undefined;
  if (typeof name !== "string" || !isJsonObject(error)) return response;
  if (error["code"] !== INVALID_PARAMS || known.includes(name)) return response;
  const close = didYouMean(name, known);
  if (close === undefined) return response;
  const said = typeof error["message"] === "string" ? error["message"] : "Unknown tool";
  return { ...response, error: { ...error, message: `${said}. Did you mean ${quoteName(close)}?` } };
}
