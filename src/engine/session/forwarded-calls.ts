import type { CallRequest, Handover } from "../request/call-request.ts";
import { type CalledTool, type RunFacts, calledTool } from "../call/called-tool.ts";
import { openTrace } from "../call/call-events.ts";
import type { ContractState } from "../call/contract-state.ts";
import {
  CallCancelled,
  PassedThrough,
  type AnsweredCall,
  type DeliverElsewhere,
  unreadArrival,
} from "../call/answered-call.ts";
import { type Caller, identifyCaller, tenantOf } from "../call/open-call.ts";
import { answerCall } from "../call/run-call.ts";
import { scopedFaults } from "../call/call-scope.ts";
import { retrieveTool } from "../call/retrieve-tool.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import {
  restarted,
  tooMany,
  RunningCall,
  onAbort,
  type SessionPorts,
  type UnreadResponse,
  UpstreamRequests,
} from "./upstream-requests.ts";
import {
  announcedTask,
  answerIn,
  arrivalOf,
  isUnknownMethod,
  passedOn,
  withForeignKeys,
  arrivalWithRoundingTold,
} from "./foreign-result.ts";
import {
  type ForeignCallOptions,
  ForeignTools,
  routed,
  answeredAs,
  disguised,
  Signature,
} from "./foreign-tools.ts";
import { ToolNames, withToolName } from "./tool-names.ts";
import { TaskResults } from "./task-results.ts";
import { AnnouncedArchives } from "./archive-answers.ts";
import { type ListPort, learnList } from "./tool-list.ts";
import type { UpstreamMemory } from "./upstream-memory.ts";
import { MAX_PENDING, PendingRequests } from "../../core/protocol/pending-requests.ts";

/** One forwarded call, and its server's answer, for the keys that the envelope does not change. */
interface Forwarding {
  readonly name: string;
  /** The name that the client called, if the server is asked for a tool that it does not have. */
  readonly hiddenName: string | undefined;
  /** The server's own name of the tool, if clients know it by another. */
  readonly serverName: string | undefined;
  readonly caller: Caller;
  /** Undefined if the caller could not be identified: the engine refuses the call. */
  readonly tenant: string | undefined;
  readonly message: JsonObject;
  readonly handover: Handover;
  readonly running: RunningCall;
  foreign: JsonObject | undefined;
}

function nameOf({ params }: JsonObject): string {
  const name = isJsonObject(params) ? params["name"] : undefined;
  return typeof name === "string" ? name : "";
}

/** The calls of one connection that an upstream server answers; the engine guards and delivers them. */
export class ForwardedCalls {
  readonly #state: ContractState;
  readonly #memory: UpstreamMemory;
  readonly upstream: UpstreamRequests;
  readonly #tools: ForeignTools;
  readonly tasks: TaskResults;
  /** Undefined if the caller may read all of its own archives. */
  readonly #told: AnnouncedArchives | undefined;
  readonly #names: ToolNames;
  /** The results came as bytes, which still have every digit. */
  readonly #isRemote: boolean;
  readonly #signature: Signature;
  /** By the client's id, for calls that the client may still cancel. */
  readonly #running = new PendingRequests<RunningCall>();
  readonly #unread = new UnreadAnswers();
  /** The number of unanswered calls; larger than the number of ids if a client uses an id twice. */
  #open = 0;
  /** The server process was restarted since the last result. */
  #wasRestarted = false;

  constructor(
    state: ContractState,
    memory: UpstreamMemory,
    ports: SessionPorts,
    options: ForeignCallOptions = {},
  ) {
    this.#state = state;
    this.#memory = memory;
    this.upstream = new UpstreamRequests(ports);
    this.#tools = new ForeignTools(state, memory, options);
    this.#isRemote = options.isRemote === true;
    this.#told = options.isRemote === true ? new AnnouncedArchives() : undefined;
    this.#names = options.names ?? new ToolNames({});
    this.#signature = new Signature(state, options.isRemote === true);
    this.tasks = new TaskResults(state, memory, this.#tools, this.#told, this.#signature);
  }

  /** Whether a response with this id belongs to a call. A second answer to a call belongs to it too, and is dropped. */
  owns(id: unknown): boolean {
    return this.upstream.owns(id) || this.#running.has(id);
  }

  cancel(clientId: unknown, reason: unknown): void {
    this.#running.get(clientId)?.cancel(reason);
  }

  restore(): void {
    this.upstream.restore();
    this.#wasRestarted = true;
    // A new process may list other tools.
    this.#memory.forgetLists();
  }

  /** The connection is closed. If a run continues that other connections wait for, returns a promise for its end. */
  close(): Promise<void> | undefined {
    this.#unread.close();
    return this.upstream.close();
  }

  /** One `tools/call` of the client; undefined if it gets no answer from us. */
  run(
    message: JsonObject,
    handover: Handover,
    request: CallRequest,
    offersRetrieval: boolean,
  ): Promise<JsonObject | undefined> {
    const name = nameOf(message);
    const isOurs = (): boolean =>
      offersRetrieval && name === this.#memory.retrieveName(tenantOf(request, this.#state.options).tenant);
    const serverName = this.#names.isPlain || isOurs() ? name : this.#names.serverName(name);
    const under = { serverName: serverName === name ? undefined : serverName };
    if (serverName !== undefined) return this.#run(message, handover, request, offersRetrieval, under);
    return this.#run(disguised(message), handover, request, offersRetrieval, { hiddenName: name }).then(
      (answer) => answer && answeredAs(name, answer),
    );
  }

  #run(
    message: JsonObject,
    handover: Handover,
    request: CallRequest,
    offersRetrieval: boolean,
    { hiddenName, serverName }: Partial<Pick<Forwarding, "hiddenName" | "serverName">>,
  ): Promise<JsonObject | undefined> {
    const caller = identifyCaller(this.#state, request);
    const tenant = caller.refusal === undefined ? caller.identity.tenant : undefined;
    const running = new RunningCall();
    const call: Forwarding = {
      name: nameOf(message),
      hiddenName,
      serverName,
      caller,
      tenant,
      message,
      handover,
      running,
      foreign: undefined,
    };
    const refusal = this.#open < MAX_PENDING ? undefined : { error: tooMany() };
    this.#open += 1;
    this.#running.add(message["id"], running);
    const mayLearn = tenant !== undefined && refusal === undefined;
    const learning = mayLearn ? this.#learn(tenant, message, handover) : undefined;
    const answer = () => this.#answer(this.#toolOf(call, offersRetrieval, refusal), call, request);
    return learning === undefined ? answer() : learning.then(answer);
  }

  #toolOf(call: Forwarding, offersRetrieval: boolean, refusal: CalledTool["refusal"]): CalledTool {
    const forward = (run: RunFacts): Promise<Arrival> => this.#forward(call, run);
    const foreign = this.#tools.find(call.name, forward, call.tenant, refusal);
    // A tool that the server lists is its own, whatever its name; ours then has another name.
    if (!offersRetrieval || call.name !== foreign.retrieveName) return foreign;
    const ours = { ...calledTool(this.#state, retrieveTool(this.#state)), name: call.name, refusal };
    const further = this.#memory.isStacked(call.tenant ?? "") ? forward : undefined;
    return routed(ours, further, (hash) => this.isTheirs(hash));
  }

  /** Whether only the server announced the archive that a hash, or the beginning of one, names. */
  isTheirs(hash: string): boolean {
    return this.#told?.isTheirs(hash) === true;
  }

  /** Whether the server is itself behind a contract, for this caller. */
  isStacked(request: CallRequest): boolean {
    return this.#memory.isStacked(tenantOf(request, this.#state.options).tenant);
  }

  /** Asks the server for something that was not found here. */
  askFurther(message: JsonObject, handover: Handover): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      this.upstream.ask({
        message,
        handover,
        mayKeepId: false,
        isShared: false,
        fail: reject,
        settle: (response) => {
          resolve(response);
          return undefined;
        },
      });
    });
  }

  async #answer(tool: CalledTool, call: Forwarding, request: CallRequest): Promise<JsonObject | undefined> {
    const { id, params } = call.message;
    try {
      const args = isJsonObject(params) ? params["arguments"] : undefined;
      const isOurs = this.#told !== undefined && tool.answersRetrieval === true;
      const asked = isOurs ? { ...request, told: this.#told.hashes } : request;
      const done = await answerCall(this.#state, tool, args, asked, call.caller);
      this.#told?.note(done);
      if (done.passed !== undefined) throw done.passed;
      if (call.running.isCancelled) return undefined;
      return { jsonrpc: "2.0", id: id ?? null, result: this.#finish(done, request, call) };
    } catch (error) {
      if (!PassedThrough.isInstance(error)) throw error;
      return error.response && { ...error.response, jsonrpc: "2.0", id: id ?? null };
    } finally {
      this.#open -= 1;
      if (this.#running.get(id) === call.running) this.#running.take(id);
    }
  }

  #finish(answered: AnsweredCall, { isModern = false }: CallRequest, call: Forwarding): JsonObject {
    const { result, outcome, arrival, isUntouched, isFinished = false } = answered;
    if (isFinished) return isModern ? this.#memory.signed(result, result) : result;
    if (outcome === undefined || isUntouched) return this.#signature.passed(result);
    const foreign = arrival.kind === "result" ? arrival.result : call.foreign;
    const signed = this.#signature.written(result, foreign, answered);
    const finished = withForeignKeys(signed, foreign, isModern, this.#tools.maskOf(outcome));
    return isModern ? this.#memory.signed(finished, foreign) : finished;
  }

  /** If a call comes before any list, we ask for the list, so that the result is cut by the tool's own schema. */
  #learn(tenant: string, message: JsonObject, handover: Handover): Promise<void> | undefined {
    let isRefused = false;
    const learning = this.#memory.learn(tenant, () => {
      const port: ListPort = {
        ask: (request, settle, fail) =>
          this.upstream.ask({
            message: { ...request, id: message["id"] ?? null },
            handover,
            mayKeepId: false,
            isShared: false,
            fail,
            settle: (response) => {
              isRefused = isUnknownMethod(response);
              this.#memory.noteServer(response);
              settle(response);
              return undefined;
            },
          }),
        note: (tool) => {
          const shown = this.#names.shown(tool);
          if (shown !== undefined) this.#memory.note(tenant, shown);
        },
      };
      return learnList(port, message);
    });
    // A server without tools refuses at once, and refuses the call too, while HTTP can still set its status from that.
    return isRefused ? undefined : learning;
  }

  #forward(call: Forwarding, run: RunFacts): Promise<Arrival> {
    const { handover, running, serverName: toolName } = call;
    const { taken } = run.call;
    const message = toolName === undefined ? call.message : withToolName(call.message, toolName);
    const made = scopedFaults();
    const trace = openTrace();
    const isCarried = trace === undefined && taken.length === 0 && toolName === undefined;
    return new Promise((resolve, reject) => {
      const stop = this.upstream.ask({
        message,
        handover: isCarried ? handover : { ...handover, trace, taken, toolName },
        // A shared answer must survive its first caller, who may cancel the id that only this caller knows.
        mayKeepId: !run.isShared,
        isShared: run.isShared,
        hasDeadline: run.call.tool.config.timeoutMs !== undefined,
        fail: reject,
        repeated: () => run.call.notes.repeat(),
        // A shared answer is kept, and an answer under another name is changed: both must be parsed.
        settleUnread:
          run.isShared || call.hiddenName !== undefined
            ? undefined
            : (unread) => {
                if (this.#wasRestarted) this.#tellRestart(run);
                const read = (): JsonObject => this.#readUnread(unread, call, run);
                const isDocument = run.call.tool.readsDocuments;
                resolve(this.#unread.arrivalOf(unread, { running, read, isDocument }));
              },
        settle: (received, hasClientId) => {
          const response = call.hiddenName === undefined ? received : answeredAs(call.hiddenName, received);
          const foreign = this.#foreignIn(response, call, run);
          if (foreign === undefined) {
            const masked = this.#tools.maskError(response);
            // Sent at once if possible: HTTP sets its status from what is sent while it delivers.
            const passed = passedOn(masked, hasClientId);
            reject(passed);
            return hasClientId && PassedThrough.isInstance(passed) ? masked : undefined;
          }
          if (this.#wasRestarted) this.#tellRestart(run);
          const given = arrivalOf(foreign, made, run.call.tool);
          const arrival = this.#isRemote ? given : arrivalWithRoundingTold(given);
          // A fault behind the answer is treated like one that a handler of this server throws.
          if (arrival.kind === "thrown") reject(arrival.error);
          else resolve(arrival);
          return undefined;
        },
      });
      const giveUp = (reason: CallCancelled): void => {
        stop(reason);
        reject(reason);
      };
      if (!run.isShared) running.onCancel(giveUp);
      // Apart from that, only a deadline ends a call.
      if (run.call.tool.config.timeoutMs !== undefined) onAbort(run.signal(), stop);
    });
  }

  /** Parses an answer that came as bytes; throws if it is not a tool's answer. */
  #readUnread({ read }: UnreadResponse, call: Forwarding, run: RunFacts): JsonObject {
    const response = read();
    const foreign = this.#foreignIn(response, call, run);
    if (foreign === undefined) throw passedOn(this.#tools.maskError(response), false);
    const arrival = arrivalOf(foreign, [], run.call.tool);
    if (arrival.kind === "thrown") throw arrival.error;
    return foreign;
  }

  /** The tool result in a response; undefined if it is not a result, or not yet. */
  #foreignIn(response: JsonObject, call: Forwarding, { call: { select } }: RunFacts): JsonObject | undefined {
    const task = announcedTask(response);
    if (task !== undefined) this.#memory.noteTask(call.tenant ?? "", task, { tool: call.name, select });
    call.foreign = answerIn(response);
    return call.foreign;
  }

  #tellRestart({ notes }: RunFacts): void {
    this.#wasRestarted = false;
    notes.warn(restarted);
  }
}

/** How an answer that is still bytes is parsed if necessary, and what is known of it before. */
interface Reading {
  readonly running: RunningCall;
  readonly read: () => JsonObject;
  readonly isDocument: boolean | undefined;
}

/** Large answers of one connection that are not parsed here; other threads deliver some of them. */
class UnreadAnswers {
  readonly #elsewhere = new Set<AbortController>();

  arrivalOf({ deliver }: UnreadResponse, { running, read, isDocument }: Reading): Arrival {
    const control = new AbortController();
    running.onCancel((reason) => control.abort(reason));
    const deliverElsewhere: DeliverElsewhere = (...given) => {
      this.#elsewhere.add(control);
      return deliver(...given, control.signal).finally(() => this.#elsewhere.delete(control));
    };
    return unreadArrival(read, deliverElsewhere, isDocument);
  }

  /** Aborts deliveries in other threads: their client is gone. */
  close(): void {
    for (const control of this.#elsewhere) control.abort(new CallCancelled("The connection was closed"));
  }
}
