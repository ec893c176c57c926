import type { CallRequest, Handover } from "../engine/call-request.ts";
import { type CalledTool, type ToolRun, calledTool } from "../engine/called-tool.ts";
import { openTrace } from "../engine/call-events.ts";
import type { ContractState } from "../engine/contract-state.ts";
import { type CallCancelled, PassedThrough } from "../engine/unanswered.ts";
import { identifyCall, openCall } from "../engine/open-call.ts";
import { type AnsweredCall, answerCall, deliverArrival, scopedFaults } from "../engine/run-call.ts";
import { RETRIEVE_TOOL } from "../contract/wire-names.ts";
import { retrieveTool } from "../engine/retrieve-tool.ts";
import type { MaybePromise } from "../engine/tool-context.ts";
import type { ToolConfig } from "../engine/tool-definition.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import { maskForeign } from "../pipeline/shape/mask-parcel.ts";
import { type BesideMask, announcedTask, answerIn, arrivalOf, withForeignKeys } from "./foreign-result.ts";
import { restarted, tooLarge, tooMany } from "./call-faults.ts";
import { type ListPort, learnList } from "./tool-list.ts";
import type { ListedTool, UpstreamMemory } from "./upstream-memory.ts";
import {
  type InterruptFault,
  MAX_PENDING,
  type SessionPorts,
  UpstreamRequests,
} from "./upstream-requests.ts";

/** What the server answered, for the keys that the envelope leaves alone. */
interface Seen {
  foreign?: JsonObject;
}

export interface CallOptions {
  /** For tools without a time of their own. */
  readonly callTimeoutMs?: number | undefined;
}

interface Forwarding {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly message: JsonObject;
  readonly handover: Handover;
  readonly seen: Seen;
}

function textAt({ params }: JsonObject, key: string): string {
  const value = isJsonObject(params) ? params[key] : undefined;
  return typeof value === "string" ? value : "";
}

/** The calls of one connection that a server behind the contract answers; the engine guards and delivers them. */
export class ForwardedCalls {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly #upstream: UpstreamRequests;
  /** By the client's id, for calls it may still cancel. */
  readonly #running = new Map<unknown, AbortController>();
  readonly #callTimeoutMs: number | undefined;
  /** Calls without an answer yet; more than there are ids when a client uses one twice. */
  #open = 0;
  /** The server is a new process since the last result. */
  #wasRestarted = false;

  constructor(state: ContractState, memory: UpstreamMemory, ports: SessionPorts, options: CallOptions = {}) {
    this.#state = state;
    this.#memory = memory;
    this.#upstream = new UpstreamRequests(ports);
    this.#callTimeoutMs = options.callTimeoutMs;
  }

  /** Whether a response with this id is the business of a call; a second answer to one is, and goes nowhere. */
  owns(id: unknown): boolean {
    return this.#upstream.owns(id) || this.#running.has(id);
  }

  clientIdOf(id: unknown): unknown {
    return this.#upstream.clientIdOf(id);
  }

  settle(response: JsonObject): JsonObject | undefined {
    return this.#upstream.settle(response);
  }

  cancel(clientId: unknown, reason: CallCancelled): void {
    this.#running.get(clientId)?.abort(reason);
  }

  /** A client that uses the id of an old call for something else waits for that. */
  reuse(clientId: unknown): void {
    this.#upstream.reuse(clientId);
  }

  interrupt(fault: InterruptFault): void {
    this.#upstream.interrupt(fault);
  }

  restore(): void {
    this.#upstream.restore();
    this.#wasRestarted = true;
    // A new process may list other tools.
    this.#memory.forgetLists();
  }

  refuseOversized(id: unknown, bytes: number): boolean {
    return this.#upstream.refuse(id, tooLarge(bytes));
  }

  /** The connection is gone. Gives a promise where a run goes on that others wait for, until it is over. */
  close(): Promise<void> | undefined {
    return this.#upstream.close();
  }

  /** One `tools/call` of the client; undefined when it gets no answer from us. */
  run(
    message: JsonObject,
    handover: Handover,
    request: CallRequest,
    offersRetrieval: boolean,
  ): Promise<JsonObject | undefined> {
    const { id } = message;
    const name = textAt(message, "name");
    const controller = new AbortController();
    const call = { ...request, signal: controller.signal };
    const seen: Seen = {};
    const refusal = this.#open < MAX_PENDING ? undefined : { error: tooMany() };
    this.#open += 1;
    this.#running.set(id, controller);
    const answer = (tool: CalledTool): Promise<JsonObject | undefined> =>
      this.#answer({ ...tool, refusal }, message, call, seen).finally(() => {
        this.#open -= 1;
        if (this.#running.get(id) === controller) this.#running.delete(id);
      });
    const tenant = this.#tenantOf(request);
    const tool = (): CalledTool => {
      const foreign = this.#foreignTool(
        name,
        (run) => this.#forward({ name, tenant, message, handover, seen }, run),
        tenant,
      );
      // What a server lists itself is its own, whatever its name.
      const isOurs = name === RETRIEVE_TOOL && offersRetrieval && foreign.isUnlisted === true;
      return isOurs ? calledTool(retrieveTool(this.#state)) : foreign;
    };
    const mayLearn = tenant !== undefined && refusal === undefined;
    const learning = mayLearn ? this.#learn(tenant, message, handover) : undefined;
    return learning === undefined ? answer(tool()) : learning.then(() => answer(tool()));
  }

  /** A response that holds the finished result of a task. */
  async rewriteTask(request: JsonObject, response: JsonObject, call: CallRequest): Promise<JsonObject> {
    const { result } = response;
    if (request["method"] === "tasks/result") return this.#rewriteAnswer(request, response, call);
    // Modern servers put the finished tool result inside; all others have none to rewrite.
    if (!isJsonObject(result) || result["status"] !== "completed" || !isJsonObject(result["result"]))
      return response;
    const inner = { result: result["result"] };
    const changed = await this.#rewriteAnswer(request, inner, call);
    return changed === inner ? response : { ...response, result: { ...result, ...changed } };
  }

  /** A notification that tells the state of a task, which is a `tasks/get` that nobody had to ask for. */
  async rewriteNotice(message: JsonObject, call: CallRequest): Promise<JsonObject> {
    const { params } = message;
    if (!isJsonObject(params)) return message;
    const told = { result: params };
    const request = { method: "tasks/get", params };
    const changed = await this.rewriteTask(request, told, { ...call, isModern: true });
    return changed === told ? message : { ...message, params: changed["result"] ?? params };
  }

  async #rewriteAnswer(request: JsonObject, response: JsonObject, call: CallRequest): Promise<JsonObject> {
    const foreign = answerIn(response);
    if (foreign === undefined) return response;
    const tenant = this.#tenantOf(call) ?? "";
    const name = this.#memory.toolOf(tenant, textAt(request, "taskId"));
    const tool = this.#foreignTool(name, () => arrivalOf(foreign, []), tenant);
    const opened = openCall(this.#state, tool, undefined, call);
    for (const warning of opened.contract.warnings) opened.notes.warn(warning);
    const { result, outcome, isUntouched } = await deliverArrival(
      this.#state,
      opened,
      arrivalOf(foreign, []),
    );
    if (isUntouched) return response;
    const { error: _error, ...head } = response;
    return {
      ...head,
      result: withForeignKeys(
        result,
        foreign,
        response["error"] !== undefined && call.isModern === true,
        this.#maskOf(outcome),
      ),
    };
  }

  async #answer(
    tool: CalledTool,
    { id, params }: JsonObject,
    request: CallRequest,
    seen: Seen,
  ): Promise<JsonObject | undefined> {
    const head = { jsonrpc: "2.0", id: id ?? null };
    try {
      const args = isJsonObject(params) ? params["arguments"] : undefined;
      const done = await answerCall(this.#state, tool, args, request);
      if (done.passed !== undefined) throw done.passed;
      if (request.signal?.aborted === true) return undefined;
      return { ...head, result: this.#finish(done, request, seen) };
    } catch (error) {
      if (!PassedThrough.isInstance(error)) throw error;
      return error.response === undefined ? undefined : { ...error.response, ...head };
    }
  }

  #finish(
    { result, outcome, arrival, isUntouched }: AnsweredCall,
    { isModern = false }: CallRequest,
    seen: Seen,
  ): JsonObject {
    if (outcome === undefined || isUntouched) return result;
    const foreign = arrival.kind === "result" ? arrival.result : seen.foreign;
    return withForeignKeys(result, foreign, isModern, this.#maskOf(outcome));
  }

  /** What stands beside the words is masked wherever they are. */
  #maskOf(outcome: Outcome | undefined): BesideMask | undefined {
    const { redactor, masksSuccesses } = this.#state;
    if (redactor === undefined || outcome === undefined || (outcome.ok && !masksSuccesses)) return undefined;
    return (keys) => maskForeign(keys, (value) => redactor.json(value));
  }

  /** A call before any list makes us ask for one, so that it is cut and advertised by the tool's own schema. */
  #learn(tenant: string, message: JsonObject, handover: Handover): Promise<void> | undefined {
    let isRefused = false;
    const learning = this.#memory.learn(tenant, () => {
      const port: ListPort = {
        ask: (request, settle, fail) =>
          this.#upstream.ask({
            message: { ...request, id: message["id"] ?? null },
            handover,
            mayKeepId: false,
            isShared: false,
            fail,
            settle: (response) => {
              isRefused = isUnknownMethod(response);
              settle(response);
              return undefined;
            },
          }),
        note: (tool) => void this.#memory.note(tenant, tool),
      };
      return learnList(port, message);
    });
    // A server without tools says so at once, and says the same of the call while HTTP can still take its status from it.
    return isRefused ? undefined : learning;
  }

  /** An author's own function may throw; the engine refuses the call for it. */
  #tenantOf(request: CallRequest): string | undefined {
    try {
      return identifyCall(request, { ...this.#state.options, requestIds: () => "" }).tenant;
    } catch {
      return undefined;
    }
  }

  #foreignTool(
    name: string,
    run: (run: ToolRun) => MaybePromise<Arrival>,
    tenant: string | undefined,
  ): CalledTool {
    const listed = this.#memory.find(tenant ?? "", name);
    return {
      ...listed,
      config: this.#inTime(listed),
      // The server validates its arguments itself.
      parse: (_state, args) => args,
      run: (_state, _args, facts) => run(facts),
    };
  }

  /** The config with the time that every call may take, unless the tool has one of its own. */
  #inTime({ name, config }: ListedTool): ToolConfig {
    const timeoutMs = this.#callTimeoutMs;
    if (timeoutMs === undefined || this.#state.options.toolSettings?.[name]?.timeoutMs !== undefined)
      return config;
    return { ...config, timeoutMs };
  }

  #tellRestart({ notes }: ToolRun): void {
    this.#wasRestarted = false;
    notes.warn(restarted);
  }

  #forward({ name, tenant, message, handover, seen }: Forwarding, run: ToolRun): MaybePromise<Arrival> {
    const made = scopedFaults();
    const signal = run.signal();
    const trace = openTrace();
    return new Promise((resolve, reject) => {
      let stop: (reason?: unknown) => void = () => undefined;
      const giveUp = (): void => stop(signal.reason);
      const over = (): void => signal.removeEventListener("abort", giveUp);
      signal.addEventListener("abort", giveUp, { once: true });
      stop = this.#upstream.ask({
        message,
        handover: trace === undefined ? handover : { ...handover, trace },
        // A shared answer must survive its first caller, who may cancel the id that only it knows.
        mayKeepId: !run.isShared,
        isShared: run.isShared,
        fail: (error) => {
          over();
          reject(error);
        },
        settle: (response, hasClientId) => {
          over();
          const task = announcedTask(response);
          if (task !== undefined) this.#memory.noteTask(tenant ?? "", task, name);
          const foreign = answerIn(response);
          if (foreign === undefined) {
            // Sent at once where it can be: HTTP takes its status from what is sent while it delivers.
            reject(new PassedThrough(hasClientId ? undefined : response, response["result"] !== undefined));
            return hasClientId ? response : undefined;
          }
          seen.foreign = foreign;
          if (this.#wasRestarted) this.#tellRestart(run);
          const arrival = arrivalOf(foreign, made);
          // A fault behind the answer is guarded and kept as a handler's own that throws it.
          if (arrival.kind === "thrown") reject(arrival.error);
          else resolve(arrival);
          return undefined;
        },
      });
    });
  }
}

const METHOD_NOT_FOUND = -32601;

function isUnknownMethod({ error }: JsonObject): boolean {
  return isJsonObject(error) && error["code"] === METHOD_NOT_FOUND;
}
