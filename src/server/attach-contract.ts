import type { JsonObject } from "../json/json-value.ts";
import { isJsonObject } from "../json/json-value.ts";
import { type CallRewrite, answerIn, rewriteCall } from "../wire/rewrite-call.ts";
import { rewriteList } from "../wire/rewrite-list.ts";
import { announcedTask, rewriteTask } from "../wire/rewrite-task.ts";
import { type CallRequest, fromMessage } from "./call-request.ts";
import type { Contract } from "./create-contract.ts";
import { stateOf } from "./create-contract.ts";
import type { ContractOptions } from "./contract-options.ts";
import type { ContractState } from "./contract-state.ts";
import { hookTransport } from "./hook-transport.ts";
import { type CallIdentity, identifyCall } from "./identify-call.ts";
import { type RequestScope, runInScope } from "./request-scope.ts";
import { assertValid, contextOf } from "./run-call.ts";
import type { ToolConfig } from "./tool-definition.ts";

const MAX_TASKS = 10_000;

/** What outlives the server objects of a contract: HTTP handlers build one for every request. */
interface Known {
  /** What `tools/list` last said of each tool, since a widget's `_meta` decides its dialect. */
  readonly listed: Map<string, ToolConfig>;
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
}

function begin(state: ContractState, call: CallRequest): Running {
  const identity = identifyCall(call, state.options);
  const scope = { requestId: identity.requestId, faults: [] };
  return { call, identity, scope, started: performance.now() };
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
  { call, identity, scope, started }: Running,
  response: JsonObject,
  rewrite: Rewrite,
): Promise<JsonObject> {
  const contract = state.effective.forCall(
    name,
    known(state).listed.get(name) ?? {},
    call,
    identity.principal,
  );
  const { version } = state.options;
  const tool = { id: name, ...(version === undefined ? {} : { version }) };
  const durationMs = Math.round((performance.now() - started) * 100) / 100;
  const changed = await rewrite(response, {
    context: contextOf(state, tool, contract, identity),
    faults: scope.faults,
    isModern: call.isModern ?? false,
    notes: {
      telemetry: { duration_ms: durationMs },
      ...(contract.warnings.length > 0 ? { warnings: contract.warnings } : {}),
    },
  });
  if (changed !== response && rewrite === rewriteCall)
    assertValid(state, changed["result"] as never, contract);
  return changed;
}

function answerList(state: ContractState, response: JsonObject): JsonObject {
  const { options, effective } = state;
  return rewriteList(response, {
    dialectsOf: (name, { _meta: meta }) => {
      // Of a foreign tool only this is known: its other keys are not the settings of ours.
      const config: ToolConfig = isJsonObject(meta) ? { _meta: meta } : {};
      known(state).listed.set(name, config);
      return effective.advertisedDialectsOf(name, config);
    },
    isText: (options.delivery ?? effective.settings.delivery) === "text",
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
  hookTransport(server, {
    receive: (message, deliver, extra) => {
      if (message["method"] !== "tools/call") return deliver();
      const run = begin(state, fromMessage(message, extra, server));
      running.set(message, run);
      return runInScope(run.scope, deliver);
    },
    response: (request, response, extra) => {
      // An error of the protocol goes out at once: HTTP takes its status from what is sent while it delivers.
      if (response["error"] !== undefined && answerIn(response) === undefined) return response;
      if (request["method"] === "tools/list") return answerList(state, response);
      const run = running.get(request) ?? begin(state, fromMessage(request, extra, server));
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
