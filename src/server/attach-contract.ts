import type { JsonObject } from "../json/json-value.ts";
import { isJsonObject } from "../json/json-value.ts";
import { type CallRewrite, answerIn, rewriteCall } from "../wire/rewrite-call.ts";
import { rewriteList } from "../wire/rewrite-list.ts";
import { announcedTask, rewriteTask } from "../wire/rewrite-task.ts";
import { type CallRequest, type Handover, fromMessage } from "../engine/call-request.ts";
import type { Contract } from "./create-contract.ts";
import { stateOf } from "./create-contract.ts";
import type { ContractOptions } from "../engine/contract-options.ts";
import type { ContractState } from "../engine/contract-state.ts";
import { hookTransport } from "./hook-transport.ts";
import { type CallIdentity, identifyCall } from "../engine/identify-call.ts";
import { type RequestScope, runInScope } from "../engine/request-scope.ts";
import { archiveHook, canCut } from "./archive-hook.ts";
import { describeTool } from "../engine/describe-tool.ts";
import type { FittedTool } from "../engine/fit-context.ts";
import { RETRIEVE_TOOL } from "../engine/retrieve-name.ts";
import { retrieveTool } from "../engine/retrieve-tool.ts";
import { assertValid, contextOf, runCall } from "../engine/run-call.ts";
import type { ToolConfig } from "../engine/tool-definition.ts";

const MAX_TASKS = 10_000;
const methodsOfTools: readonly unknown[] = ["tools/call", "tools/list", "tasks/result", "tasks/get"];

/** What outlives the server objects of a contract: HTTP handlers build one for every request. */
interface Known {
  /** What `tools/list` last said of each tool: a widget's `_meta` decides its dialect, a schema what may be cut. */
  readonly listed: Map<string, Omit<FittedTool, "name">>;
  /** The tools whose results will be fetched by the id of a task. */
  readonly tasks: Map<string, string>;
}

const knownOf = new WeakMap<ContractState, Known>();

function known(state: ContractState): Known {
  const found = knownOf.get(state) ?? { listed: new Map(), tasks: new Map() };
  knownOf.set(state, found);
  return found;
}

interface Running {
  readonly call: CallRequest;
  readonly identity: CallIdentity;
  readonly scope: RequestScope;
  readonly started: number;
  /** What the tool was called with. */
  readonly args: unknown;
}

function begin(state: ContractState, { params }: JsonObject, call: CallRequest): Running {
  const identity = identifyCall(call, state.options);
  const scope = { requestId: identity.requestId, faults: [] };
  const args = isJsonObject(params) ? params["arguments"] : undefined;
  return { call, identity, scope, started: performance.now(), args };
}

function textAt({ params }: JsonObject, key: string): string {
  const value = isJsonObject(params) ? params[key] : undefined;
  return typeof value === "string" ? value : "";
}

function noteTask({ tasks }: Known, name: string, response: JsonObject): void {
  const id = announcedTask(response);
  if (id === undefined) return;
  tasks.set(id, name);
  const [oldest] = tasks.keys();
  if (tasks.size > MAX_TASKS && oldest !== undefined) tasks.delete(oldest);
}

type Rewrite = (response: JsonObject, rewrite: CallRewrite) => Promise<JsonObject>;

async function answer(
  state: ContractState,
  name: string,
  { call, identity, scope, started, args }: Running,
  response: JsonObject,
  rewrite: Rewrite,
): Promise<JsonObject> {
  // Of a tool that nobody listed here a client may know a schema that we do not, so nothing of it is promised.
  const tool = known(state).listed.get(name) ?? { config: {}, listedSchema: {}, isUnlisted: true };
  const toolContract = state.effective.toolContract({ name, config: tool.config });
  const contract = state.effective.forCall(toolContract, call, identity.principal);
  const { version } = toolContract;
  const durationMs = Math.round((performance.now() - started) * 100) / 100;
  const changed = await rewrite(response, {
    context: contextOf(
      state,
      { id: name, ...(version === undefined ? {} : { version }) },
      contract,
      identity,
      { fitted: { name, ...tool }, args },
    ),
    faults: scope.faults,
    isModern: call.isModern ?? false,
    notes: {
      telemetry: { duration_ms: durationMs },
      ...(contract.warnings.length > 0 ? { warnings: contract.warnings } : {}),
    },
  });
  if (changed !== response && rewrite === rewriteCall) assertValid(changed["result"] as never, contract);
  return changed;
}

/** The tool that gives back what was cut stands behind the server's own, on the last page. */
function withRetrieval(state: ContractState, response: JsonObject): JsonObject {
  const { result } = response;
  if (!canCut(state) || !isJsonObject(result) || !Array.isArray(result["tools"])) return response;
  const isTaken = result["tools"].some((tool) => isJsonObject(tool) && tool["name"] === RETRIEVE_TOOL);
  if (isTaken || typeof result["nextCursor"] === "string") return response;
  const ours = describeTool(state, retrieveTool(state)) as unknown as JsonObject;
  return { ...response, result: { ...result, tools: [...result["tools"], ours] } };
}

function answerList(state: ContractState, response: JsonObject): JsonObject {
  const { effective } = state;
  const contractOf = (name: string) =>
    effective.toolContract({ name, config: known(state).listed.get(name)?.config ?? {} });
  return rewriteList(response, {
    dialectsOf: (name, { _meta: meta, outputSchema }) => {
      // Of a foreign tool only this is known: its other keys are not the settings of ours.
      const config: ToolConfig = isJsonObject(meta) ? { _meta: meta } : {};
      known(state).listed.set(name, {
        config,
        listedSchema: isJsonObject(outputSchema) ? outputSchema : null,
      });
      return contractOf(name).advertisedDialects;
    },
    hasTables: (name) => contractOf(name).encoding === "table",
    isText: effective.general.delivery === "text",
    waybillArgument: false,
  });
}

/**
 * Puts an existing server object, v1 or v2, under a contract without touching its handlers: every tool result and
 * every advertised schema is rewritten on its way out.
 *
 * @example
 * const server = attachContract(existingServer, { name: "legacy" });
 */
export function attachContract<Server extends object>(
  server: Server,
  contract: Contract | ContractOptions = {},
): Server {
  const state = stateOf(contract);
  const running = new WeakMap<JsonObject, Running>();
  const archive = canCut(state) ? archiveHook(state, server) : undefined;
  const callOf = (message: JsonObject, handover: Handover): CallRequest =>
    fromMessage(message, handover, server, state.options.trustProxy);
  hookTransport(server, {
    answer: (message, handover) => {
      const isRetrieval = message["method"] === "tools/call" && textAt(message, "name") === RETRIEVE_TOOL;
      if (archive === undefined || !isRetrieval) return archive?.answer(message, handover);
      const { call, args } = begin(state, message, callOf(message, handover));
      return runCall(state, retrieveTool(state), args, call).then((result) => ({
        result: call.isModern === true ? { resultType: "complete", ...result } : result,
      }));
    },
    receive: (message, deliver, handover) => {
      if (message["method"] !== "tools/call") return deliver();
      const run = begin(state, message, callOf(message, handover));
      running.set(message, run);
      return runInScope(run.scope, deliver);
    },
    response: (request, response, handover) => {
      const isTool = methodsOfTools.includes(request["method"]);
      if (!isTool) return archive === undefined ? response : archive.response(request, response, handover);
      // An error of the protocol goes out at once: HTTP takes its status from what is sent while it delivers.
      if (response["error"] !== undefined && answerIn(response) === undefined) return response;
      if (request["method"] === "tools/list") return withRetrieval(state, answerList(state, response));
      const run = running.get(request) ?? begin(state, request, callOf(request, handover));
      if (request["method"] === "tools/call") {
        const name = textAt(request, "name");
        noteTask(known(state), name, response);
        return answer(state, name, run, response, rewriteCall);
      }
      const name = known(state).tasks.get(textAt(request, "taskId")) ?? "";
      const rewrite = request["method"] === "tasks/get" ? rewriteTask : rewriteCall;
      return answer(state, name, run, response, rewrite);
    },
  });
  return server;
}
