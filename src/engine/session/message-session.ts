// One connection's JSON-RPC messages around the engine: what a client asks is answered here or forwarded, what the
// server answers goes out under the contract. It knows no transport; it sends through the two ports it is given.

import { type CallRequest, type ClientFacts, type Handover, fromMessage } from "../request/call-request.ts";
import { tooDeepError } from "../../core/contract/too-deep.ts";
import { canCut } from "../call/advertise-tool.ts";
import type { ContractState } from "../call/contract-state.ts";
import { identifyCall } from "../call/open-call.ts";
import type { MaybePromise } from "../settings/tool-context.ts";
import type { ToolConfig, ToolDefinition } from "../settings/tool-definition.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { announce, answerArchive, isMissing, withArchive } from "./archive-answers.ts";
import { ForwardedCalls } from "./forwarded-calls.ts";
import {
  isShutFor,
  listForeign,
  listOwn,
  suggestTool,
  tellUnusedSettings,
  withRetrieval,
  withoutHidden,
  withoutShut,
} from "./tool-list.ts";
import { type UpstreamMemory, upstreamMemory } from "./upstream-memory.ts";
import {
  type InterruptFault,
  MAX_PENDING,
  type SessionPorts,
  type UnreadResponse,
} from "./upstream-requests.ts";
import { asPredicate, type RichIssue } from "../call/word-issue.ts";
import { jsonRpcCodes } from "../../core/protocol/json-rpc-error.ts";
import { sayName } from "../../core/text/say-name.ts";
import { CONNECTION_CLOSED } from "../../core/protocol/names.ts";

/** "forward", or our own answer; undefined for a request that gets none, because its client cancelled it. */
export type Verdict = "forward" | Promise<JsonObject | undefined>;

interface Asked {
  readonly request: JsonObject;
  readonly handover: Handover;
}

const watchedMethods: readonly unknown[] = [
  "tools/list",
  "tasks/result",
  "tasks/get",
  "initialize",
  "server/discover",
  "resources/list",
  "resources/templates/list",
];

export interface SessionOptions {
  /** The tools of one's own, whose handlers the server calls itself; undefined for a server behind the contract. */
  readonly own?: ReadonlyMap<string, ToolDefinition>;
  /** True for a tool whose calls another session on the same server object looks after. */
  readonly isOwn?: (name: string) => boolean;
  /** Tools of the server that nobody sees here: not listed, and unknown to a call. */
  readonly hide?: readonly string[] | undefined;
  /** How long a call of a tool without a time of its own may take. Default: as long as its client waits. */
  readonly callTimeoutMs?: number | undefined;
  /** The server runs in another process, so what its tools throw there is not seen here. */
  readonly isRemote?: boolean | undefined;
}

export class MessageSession {
  readonly #state: ContractState;
  readonly #own: SessionOptions["own"];
  readonly #isOwn: SessionOptions["isOwn"];
  readonly #hidden: ReadonlySet<string>;
  readonly #memory: UpstreamMemory;
  readonly #pending = new Map<unknown, Asked>();
  /** Undefined where the server calls the handlers itself. */
  readonly #calls: ForwardedCalls | undefined;
  #client: ClientFacts | undefined;

  constructor(state: ContractState, ports: SessionPorts, options: SessionOptions = {}) {
    const { own, isOwn, hide } = options;
    this.#state = state;
    this.#own = own;
    this.#isOwn = isOwn;
    this.#hidden = new Set(hide);
    this.#memory = upstreamMemory(state);
    this.#calls = own === undefined ? new ForwardedCalls(state, this.#memory, ports, options) : undefined;
  }

  /** A request of the client. */
  request(message: JsonObject, handover: Handover): Verdict {
    const { id, method, params } = message;
    if (method === "initialize" && isJsonObject(params))
      this.#client = { capabilities: params["capabilities"], info: params["clientInfo"] };
    if (method === "tools/call" && this.#calls !== undefined) {
      const name = isJsonObject(params) ? params["name"] : undefined;
      if (typeof name === "string" && this.#isOwn?.(name) === true) return "forward";
      return this.#calls.run(message, handover, this.#callOf(message, handover), this.#keeps());
    }
    this.#calls?.reuse(id);
    if (method === "resources/read" && this.#keeps()) {
      const archived = answerArchive(
        this.#state,
        message,
        () => this.#callOf(message, handover),
        (hash) => this.#calls?.isTheirs(hash) === true,
      );
      if (archived !== undefined) return this.#readArchive(message, handover, archived);
    }
    const isWatched = watchedMethods.includes(method) || method === "tools/call" || this.#wordsErrors();
    if (!isWatched) return "forward";
    if (this.#pending.size >= MAX_PENDING) return Promise.resolve(tooMany(message));
    this.#pending.set(id, { request: message, handover });
    return "forward";
  }

  /** A message of the client that wants no answer. */
  notified({ method, params }: JsonObject): void {
    if (method !== "notifications/cancelled" || !isJsonObject(params)) return;
    // A cancelled request gets no answer that could take it off the list.
    this.#pending.delete(params["requestId"]);
    this.#calls?.cancel(params["requestId"], params["reason"]);
  }

  /** A message of the server that answers nothing, as it is sent on: the same one, unless it tells a task's result. */
  told(message: JsonObject, handover: Handover): MaybePromise<JsonObject> {
    const { method } = message;
    if (method === "notifications/tools/list_changed" && this.#own === undefined) this.#memory.forgetLists();
    if (method !== "notifications/tasks" || this.#calls === undefined) return message;
    return this.#calls.tasks.rewriteNotice(message, this.#callOf({}, handover));
  }

  /** A response of the server, as it is sent on; undefined when nobody waits for it, or it is answered elsewhere. */
  response(response: JsonObject): MaybePromise<JsonObject> | undefined {
    if (this.#calls?.owns(response["id"]) === true) return this.#calls.settle(response);
    const asked = this.#pending.get(response["id"]);
    if (asked === undefined) return response["error"] === undefined ? response : issuesInWords(response);
    this.#pending.delete(response["id"]);
    const read = this.#own === undefined ? withinDepth(response) : response;
    return this.#rewrite(
      asked,
      read["error"] === undefined ? read : this.#word(asked, issuesInWords(read, asked.request["method"])),
    );
  }

  /** A large response of the server to a tool call, which is not read here unless somebody has to. */
  unreadResponse(unread: UnreadResponse): JsonObject | undefined {
    return this.#calls?.settleUnread(unread);
  }

  /** Whether a response with this id answers a tool call. */
  awaitsCall(id: unknown): boolean {
    return this.#calls?.owns(id) === true;
  }

  /** Whether a response with this id is the session's business; any other may leave unread. */
  awaits(id: unknown): boolean {
    return this.#pending.has(id) || this.#calls?.owns(id) === true;
  }

  /**
   * The server is away: calls that wait for it are answered with this fault, and so are those that come meanwhile. Other
   * requests are the transport's to answer.
   */
  interrupted(fault: InterruptFault): void {
    this.#pending.clear();
    this.#calls?.interrupt(fault);
  }

  /** The server is there again, as a new process where it was restarted; the next result says so. */
  restored(): void {
    this.#calls?.restore();
  }

  /** The ids of calls, and of questions of ours, that the server has not answered yet. */
  waitingIds(): readonly unknown[] {
    return this.#calls?.waitingIds() ?? [];
  }

  /** The server's answer was too long to be read; true where it was the answer to a tool call. */
  refuseOversized(id: unknown, bytes: number): boolean {
    this.#pending.delete(id);
    return this.#calls?.refuseOversized(id, bytes) === true;
  }

  /** The id that the client knows a message's request by; the server may know it by one of ours. */
  clientIdOf(id: unknown): unknown {
    return this.#calls === undefined ? id : this.#calls.clientIdOf(id);
  }

  /**
   * The connection is gone, and with it whoever could answer. Gives a promise where the server has still to finish what
   * callers on other connections wait for.
   */
  closed(): Promise<void> | undefined {
    this.#pending.clear();
    return this.#calls?.close();
  }

  /** What is not kept here may be kept by a Waybill further on. */
  async #readArchive(
    message: JsonObject,
    handover: Handover,
    archived: Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { id } = message;
    const body = await archived;
    const isOurs = !isMissing(body) || this.#calls?.isStacked(this.#callOf(message, handover)) !== true;
    if (isOurs || this.#calls === undefined) return { jsonrpc: "2.0", id: id ?? null, ...body };
    return { ...(await this.#calls.askFurther(message, handover)), id: id ?? null };
  }

  #callOf(message: JsonObject, handover: Handover): CallRequest {
    return fromMessage(message, handover, this.#client, this.#state.options.trustProxy);
  }

  /** Whether anything is kept that a client could ask for. */
  #keeps(): boolean {
    if (this.#own === undefined) return keepsForeign(this.#state);
    return [...this.#own.values()].some((tool) => canCut(this.#state, tool));
  }

  /** Whether some dialect that requests may get here has words of its own for errors of the protocol. */
  #wordsErrors(): boolean {
    return this.#state.effective.general.dialects.some((choice) => traitsOf(choice).writeError !== undefined);
  }

  /** An error of the protocol in the words of the dialect that its request would have been answered in. */
  #word({ request, handover }: Asked, response: JsonObject): JsonObject {
    const { error } = response;
    const { method } = request;
    if (!isJsonObject(error) || typeof method !== "string" || !this.#wordsErrors()) return response;
    const { effective } = this.#state;
    const { dialect } = effective.forCall(effective.general, this.#callOf(request, handover), undefined);
    const { writeError } = traitsOf(dialect);
    return writeError === undefined ? response : { ...response, error: writeError(error, method) };
  }

  #rewrite({ request, handover }: Asked, response: JsonObject): MaybePromise<JsonObject> {
    const { method } = request;
    if (this.#own === undefined) this.#memory.noteServer(response);
    if (method === "tools/list") return this.#list(request, handover, response);
    if (method === "tools/call") {
      if (response["error"] === undefined) return response;
      return suggestTool(request, response, this.#openNames(request, handover));
    }
    if (method === "tasks/result" || method === "tasks/get") {
      if (this.#calls === undefined) return response;
      return this.#calls.tasks.rewrite(request, response, this.#callOf(request, handover));
    }
    const keeps = this.#keeps();
    if (method === "initialize" || method === "server/discover")
      return announce(response, { keeps, isOwn: this.#own !== undefined });
    if (!keeps) return response;
    return withArchive(request, response, () => this.#callOf(request, handover));
  }

  /** Whether anything can answer questions decides what the first list says, so that list waits to know. */
  #list(request: JsonObject, handover: Handover, response: JsonObject): MaybePromise<JsonObject> {
    const listed = this.#listNow(request, handover, response);
    const { questions } = this.#state;
    if (!questions.isOpening) return listed;
    return questions.settled().then(() => this.#listNow(request, handover, response));
  }

  #listNow(request: JsonObject, handover: Handover, response: JsonObject): JsonObject {
    const call = this.#callOf(request, handover);
    const own = this.#own;
    const isWhole = !isJsonObject(request["params"]) || request["params"]["cursor"] === undefined;
    if (isWhole) tellUnusedSettings(this.#state, response);
    if (own !== undefined) {
      const listed = listOwn(this.#state, response, own);
      return this.#open(listed, call, (name) => own.get(name)?.config ?? {});
    }
    const { tenant } = identifyCall(call, this.#state.options);
    const seen = withoutHidden(response, this.#hidden);
    const listed = listForeign(this.#state, seen, this.#memory, tenant);
    const open = this.#open(listed, call, (name) => this.#memory.find(tenant, name).config);
    return this.#keeps() ? withRetrieval(this.#state, open, this.#memory.retrievalPlace(tenant)) : open;
  }

  #open(listed: JsonObject, call: CallRequest, configOf: (name: string) => ToolConfig): JsonObject {
    if (this.#state.options.hideGated !== true) return listed;
    return withoutShut(this.#state, listed, call, configOf);
  }

  /** What may be named to a caller who misspelt a name: a tool that is hidden from its list stays hidden. */
  #openNames(request: JsonObject, handover: Handover): readonly string[] {
    const own = [...(this.#own ?? [])];
    if (this.#state.options.hideGated !== true) return own.map(([name]) => name);
    const { auth } = this.#callOf(request, handover);
    return own
      .filter(([name, { config }]) => !isShutFor(this.#state, name, config, auth))
      .map(([name]) => name);
  }
}

/** What is nested too deep is not looked into by anybody: every walk over it, and every writer, would run out of stack. */
function withinDepth(response: JsonObject): JsonObject {
  if (!isTooDeep(response)) return response;
  return { jsonrpc: "2.0", id: response["id"] ?? null, error: tooDeepError };
}

const kept = new WeakMap<ContractState, { readonly settings: object; readonly keeps: boolean }>();

/** Whether anything of another server's tools may be cut; asked by every call, so found once for the settings. */
function keepsForeign(state: ContractState): boolean {
  const { settings } = state.effective;
  const known = kept.get(state);
  if (known?.settings === settings) return known.keeps;
  const { toolSettings = {} } = state.options;
  const settled = Object.entries(toolSettings).map(([name, config]) => ({
    name,
    config,
    handler: () => ({}),
  }));
  const keeps = canCut(state) || settled.some((tool) => canCut(state, tool));
  kept.set(state, { settings, keeps });
  return keeps;
}

/** The request never reached the server, so the tool has certainly not run. */
function tooMany({ id }: JsonObject): JsonObject {
  const message = `More than ${MAX_PENDING} requests wait for an answer on this connection: wait, then retry.`;
  return { jsonrpc: "2.0", id: id ?? null, error: { code: CONNECTION_CLOSED, message } };
}

// The SDKs answer params that they cannot read with all that their schema library found, as JSON over many lines. Who
// reads a protocol error wants one sentence.

/** More than any list of issues about params needs. */
const MAX_CHARACTERS = 100_000;
const MAX_NAMED = 5;

type ParamIssue = RichIssue & { readonly path: readonly PropertyKey[] };

/** What is wrong with the params of a request. Issues about anything else, such as a tool's arguments, are not meant. */
function isParamIssue(value: unknown): value is ParamIssue {
  if (!isJsonObject(value) || typeof value["message"] !== "string") return false;
  const { path } = value;
  return Array.isArray(path) && path[0] === "params";
}

function issuesIn(message: string): readonly ParamIssue[] {
  const at = message.indexOf("[");
  if (at === -1 || message.length > MAX_CHARACTERS) return [];
  try {
    const found: unknown = JSON.parse(message.slice(at));
    return Array.isArray(found) && found.every(isParamIssue) ? found : [];
  } catch {
    return [];
  }
}

function wordsFor(issue: ParamIssue): string {
  const field = sayName(issue.path.slice(1).map(String).join(".") || "params");
  return issue.message.endsWith("received undefined")
    ? `${field} is missing`
    : `${field} ${asPredicate(issue)}`;
}

/** An error of the server as it is sent on: a list of issues about the request's params becomes a sentence and -32602. */
export function issuesInWords(response: JsonObject, method?: unknown): JsonObject {
  const { error } = response;
  if (!isJsonObject(error) || typeof error["message"] !== "string") return response;
  const issues = issuesIn(error["message"]);
  if (issues.length === 0) return response;
  const named = issues.slice(0, MAX_NAMED).map(wordsFor);
  const more = issues.length - named.length;
  const said = more > 0 ? [...named, `${more} more`] : named;
  const { code, message } = jsonRpcCodes.invalidParams;
  const of = typeof method === "string" ? ` of ${sayName(method)}` : "";
  return { ...response, error: { code, message: `${message}${of}: ${said.join(", ")}` } };
}
