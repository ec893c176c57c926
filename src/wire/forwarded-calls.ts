import { faults } from "../contract/faults.ts";
import type { CallRequest, Handover } from "../engine/call-request.ts";
import { type CalledTool, type ToolRun, calledTool } from "../engine/called-tool.ts";
import type { ContractState } from "../engine/contract-state.ts";
import { CallCancelled, PassedThrough } from "../engine/guards/call-cancelled.ts";
import { identifyCall } from "../engine/identify-call.ts";
import { openCall } from "../engine/open-call.ts";
import { scopedFaults } from "../engine/request-scope.ts";
import { RETRIEVE_TOOL } from "../contract/wire-names.ts";
import { retrieveTool } from "../engine/retrieve-tool.ts";
import { type AnsweredCall, answerCall, deliverArrival } from "../engine/run-call.ts";
import type { MaybePromise } from "../engine/tool-context.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import type { Arrival } from "../pipeline/parcel.ts";
import { announcedTask, answerIn, arrivalOf, withForeignKeys } from "./foreign-result.ts";
import { type ListPort, learnList } from "./learn-list.ts";
import type { UpstreamMemory } from "./upstream-memory.ts";

/** Where the session's own messages go. */
export interface SessionPorts {
  readonly toServer: (message: JsonObject, handover: Handover) => void;
}

/** What requests that are never answered cost is bounded here: the SDKs' own tables are not. */
export const MAX_PENDING = 10_000;

/** What the server answered, for the keys that the envelope leaves alone. */
interface Seen {
  foreign?: JsonObject;
}

interface Forwarding {
  readonly name: string;
  readonly tenant: string | undefined;
  readonly message: JsonObject;
  readonly handover: Handover;
  readonly seen: Seen;
}

interface Waiting {
  /** The id that the client knows the call by; undefined for what the session asks for itself. */
  readonly clientId: unknown;
  /** Takes the server's response; gives what goes out at once, where something does. */
  readonly settle: (response: JsonObject) => JsonObject | undefined;
  readonly fail: (error: unknown) => void;
}

function textAt({ params }: JsonObject, key: string): string {
  const value = isJsonObject(params) ? params[key] : undefined;
  return typeof value === "string" ? value : "";
}

/** The calls of one connection that a server behind the contract answers; the engine guards and delivers them. */
export class ForwardedCalls {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly #ports: SessionPorts;
  readonly #waiting = new Map<unknown, Waiting>();
  /** By the client's id, for calls it may still cancel. */
  readonly #running = new Map<unknown, AbortController>();
  /** Ids whose answer comes too late. */
  readonly #given = new Set<unknown>();
  #made = 0;

  constructor(state: ContractState, memory: UpstreamMemory, ports: SessionPorts) {
    this.#state = state;
    this.#memory = memory;
    this.#ports = ports;
  }

  /** Whether a response with this id is the business of a call. */
  owns(id: unknown): boolean {
    return this.#waiting.has(id) || this.#given.has(id);
  }

  clientIdOf(id: unknown): unknown {
    return this.#waiting.get(id)?.clientId ?? id;
  }

  settle(response: JsonObject): JsonObject | undefined {
    const { id } = response;
    if (this.#given.delete(id)) return undefined;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting?.settle(response);
  }

  cancel(clientId: unknown, reason: CallCancelled): void {
    this.#running.get(clientId)?.abort(reason);
  }

  close(error: unknown): void {
    for (const { fail } of this.#waiting.values()) fail(error);
    this.#waiting.clear();
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
    this.#running.set(id, controller);
    this.#given.delete(id);
    const seen: Seen = {};
    const answer = (tool: CalledTool): Promise<JsonObject | undefined> =>
      this.#answer(tool, message, call, seen).finally(() => this.#running.delete(id));
    if (name === RETRIEVE_TOOL && offersRetrieval) return answer(calledTool(retrieveTool(this.#state)));
    const tenant = this.#tenantOf(request);
    const tool = (): CalledTool =>
      this.#foreignTool(name, (run) => this.#forward({ name, tenant, message, handover, seen }, run), tenant);
    const learning = tenant === undefined ? undefined : this.#learn(tenant, message, handover);
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

  async #rewriteAnswer(request: JsonObject, response: JsonObject, call: CallRequest): Promise<JsonObject> {
    const foreign = answerIn(response);
    if (foreign === undefined) return response;
    const tenant = this.#tenantOf(call) ?? "";
    const name = this.#memory.toolOf(tenant, textAt(request, "taskId"));
    const tool = this.#foreignTool(name, () => arrivalOf(foreign, []), tenant);
    const opened = openCall(this.#state, tool, undefined, call);
    for (const warning of opened.contract.warnings) opened.notes.warn(warning);
    const { result } = await deliverArrival(this.#state, opened, arrivalOf(foreign, []));
    const { error: _error, ...head } = response;
    return {
      ...head,
      result: withForeignKeys(result, foreign, response["error"] !== undefined && call.isModern === true),
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
      if (request.signal?.aborted === true) return undefined;
      return { ...head, result: this.#finish(done, request, seen) };
    } catch (error) {
      if (!PassedThrough.isInstance(error)) throw error;
      return error.response === undefined ? undefined : { ...error.response, ...head };
    }
  }

  #finish(
    { result, outcome, arrival }: AnsweredCall,
    { isModern = false }: CallRequest,
    seen: Seen,
  ): JsonObject {
    if (outcome === undefined) return result;
    return withForeignKeys(result, arrival.kind === "result" ? arrival.result : seen.foreign, isModern);
  }

  /** A call before any list makes us ask for one, so that it is cut and advertised by the tool's own schema. */
  #learn(tenant: string, message: JsonObject, handover: Handover): Promise<void> | undefined {
    return this.#memory.learn(tenant, () => {
      const port: ListPort = {
        ask: (request, settle) => {
          const id = this.#newId();
          this.#waiting.set(id, {
            clientId: message["id"],
            settle: (response) => {
              settle(response);
              return undefined;
            },
            fail: () => settle({}),
          });
          this.#ports.toServer({ ...request, id }, handover);
          return () => {
            if (this.#waiting.delete(id)) this.#given.add(id);
          };
        },
        note: (tool) => void this.#memory.note(tenant, tool),
      };
      return learnList(port, message);
    });
  }

  /** An author's own function may throw; the engine refuses the call for it. */
  #tenantOf(request: CallRequest): string | undefined {
    try {
      return identifyCall(request, { ...this.#state.options, requestIds: () => "" }).tenant;
    } catch {
      return undefined;
    }
  }

  #newId(): string {
    this.#made += 1;
    return `waybill-${this.#made}`;
  }

  #foreignTool(
    name: string,
    run: (run: ToolRun) => MaybePromise<Arrival>,
    tenant: string | undefined,
  ): CalledTool {
    return {
      ...this.#memory.find(tenant ?? "", name),
      // The server validates its arguments itself.
      parse: (_state, args) => args,
      run: (_state, _args, facts) => run(facts),
    };
  }

  #forward({ name, tenant, message, handover, seen }: Forwarding, run: ToolRun): MaybePromise<Arrival> {
    if (this.#waiting.size >= MAX_PENDING)
      throw faults.unavailable(`More than ${MAX_PENDING} calls wait for an answer on this connection`);
    // A shared answer must survive its first caller, who may cancel the id that only it knows.
    const id = run.isShared ? this.#newId() : message["id"];
    const made = scopedFaults();
    const signal = run.signal();
    return new Promise((resolve, reject) => {
      const stop = (): void => this.#stop(id, signal.reason, handover);
      const over = (): void => signal.removeEventListener("abort", stop);
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.set(id, {
        clientId: message["id"],
        fail: (error) => {
          over();
          reject(error);
        },
        settle: (response) => {
          over();
          const task = announcedTask(response);
          if (task !== undefined) this.#memory.noteTask(tenant ?? "", task, name);
          const foreign = answerIn(response);
          if (foreign !== undefined) {
            seen.foreign = foreign;
            resolve(arrivalOf(foreign, made));
            return undefined;
          }
          // Sent at once where it can be: HTTP takes its status from what is sent while it delivers.
          reject(new PassedThrough(run.isShared ? response : undefined));
          return run.isShared ? undefined : response;
        },
      });
      this.#ports.toServer(run.isShared ? { ...message, id: id ?? null } : message, handover);
    });
  }

  /** Nobody waits any more: the server is told, unless its client did that itself, and its late answer is dropped. */
  #stop(id: unknown, reason: unknown, handover: Handover): void {
    if (!this.#waiting.delete(id)) return;
    this.#given.add(id);
    const [oldest] = this.#given;
    if (this.#given.size > MAX_PENDING) this.#given.delete(oldest);
    if (CallCancelled.isInstance(reason)) return;
    const params = { requestId: id as string, reason: "The call took too long" };
    this.#ports.toServer({ jsonrpc: "2.0", method: "notifications/cancelled", params }, handover);
  }
}
