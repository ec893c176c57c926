import type { CallRequest } from "../request/call-request.ts";
import type { ContractState } from "../call/contract-state.ts";
import { identifyCaller, openCall } from "../call/open-call.ts";
import { deliverArrival } from "../call/deliver-call.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { answerIn, arrivalOf, withForeignKeys } from "./foreign-result.ts";
import type { ForeignTools, Signature } from "./foreign-tools.ts";
import type { AnnouncedArchives } from "./archive-answers.ts";
import type { UpstreamMemory } from "./upstream-memory.ts";

/** Tool results that come after their call: in answers about a task, and in notifications of its state. */
export class TaskResults {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly #tools: ForeignTools;
  readonly #told: AnnouncedArchives | undefined;
  readonly #signature: Signature;

  constructor(
    state: ContractState,
    memory: UpstreamMemory,
    tools: ForeignTools,
    told: AnnouncedArchives | undefined,
    signature: Signature,
  ) {
    this.#state = state;
    this.#memory = memory;
    this.#tools = tools;
    this.#told = told;
    this.#signature = signature;
  }

  /** A response that contains the finished result of a task. */
  async rewrite(request: JsonObject, response: JsonObject, call: CallRequest): Promise<JsonObject> {
    const { result } = response;
    if (request["method"] === "tasks/result") return this.#deliver(request, response, call);
    // Modern servers put the finished tool result inside; others have nothing to rewrite.
    if (!isJsonObject(result) || result["status"] !== "completed" || !isJsonObject(result["result"]))
      return response;
    const inner = { result: result["result"] };
    const changed = await this.#deliver(request, inner, call);
    return changed === inner ? response : { ...response, result: { ...result, ...changed } };
  }

  /** A notification of a task's state, which is like the answer to a `tasks/get`. */
  async rewriteNotice(message: JsonObject, call: CallRequest): Promise<JsonObject> {
    const { params } = message;
    if (!isJsonObject(params)) return message;
    const told = { result: params };
    const request = { method: "tasks/get", params };
    const changed = await this.rewrite(request, told, { ...call, isModern: true });
    return changed === told ? message : { ...message, params: changed["result"] ?? params };
  }

  async #deliver({ params }: JsonObject, response: JsonObject, call: CallRequest): Promise<JsonObject> {
    const foreign = answerIn(response);
    if (foreign === undefined) return response;
    const caller = identifyCaller(this.#state, call);
    const tenant = caller.refusal === undefined ? caller.identity.tenant : "";
    const task = isJsonObject(params) ? params["taskId"] : undefined;
    const { tool: name, select } = this.#memory.taskOf(tenant, typeof task === "string" ? task : "");
    const tool = this.#tools.find(name, async () => arrival, tenant);
    const arrival = arrivalOf(foreign, [], tool);
    const opened = { ...openCall(this.#state, tool, undefined, call, caller), select };
    for (const warning of opened.contract.warnings) opened.notes.warn(warning);
    const answered = await deliverArrival(this.#state, opened, arrival);
    const { result, outcome, isUntouched } = answered;
    this.#told?.note(answered);
    const passed = isUntouched ? this.#signature.passed(result) : undefined;
    if (passed === result) return response;
    if (passed !== undefined) return { ...response, result: passed };
    const { error, ...head } = response;
    const isModern = error !== undefined && call.isModern === true;
    const signed = this.#signature.written(result, foreign, answered);
    return { ...head, result: withForeignKeys(signed, foreign, isModern, this.#tools.maskOf(outcome)) };
  }
}
