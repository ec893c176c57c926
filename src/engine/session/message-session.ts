// The JSON-RPC messages of one connection, around the engine: a client's requests are answered here or
// forwarded, and the server's answers are sent under the contract. It knows no transport; it sends through
// its two ports.

import { type CallRequest, type ClientFacts, type Handover, fromMessage } from "../request/call-request.ts";
import { tooDeepError } from "../../core/contract/tool-fault.ts";
import { canArchiveResults } from "../call/advertise-tool.ts";
import type { ContractState } from "../call/contract-state.ts";
import { tenantOf } from "../call/open-call.ts";
import type { ToolConfig, ToolDefinition } from "../settings/tool-definition.ts";
import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { announce, answerArchive, isMissing, listResources, listTemplates } from "./archive-answers.ts";
import { ForwardedCalls } from "./forwarded-calls.ts";
import { leanList } from "./lean-list.ts";
import {
  isClosedTo,
  listForeign,
  listOwn,
  suggestTool,
  tellUnusedSettings,
  withRetrieval,
  tellToolRules,
  withShownTools,
  withoutShut,
} from "./tool-list.ts";
import { type ToolChoice, ToolNames } from "./tool-names.ts";
import { type UpstreamMemory, upstreamMemory } from "./upstream-memory.ts";
import {
  type InterruptFault,
  type SessionPorts,
  type UnreadResponse,
  resultTooLarge,
} from "./upstream-requests.ts";
import { asPredicate, type RichIssue } from "../call/word-issue.ts";
import { jsonRpcCodes } from "../../core/protocol/json-rpc-error.ts";
import { sayName } from "../../core/text/say-name.ts";
import { CONNECTION_CLOSED, DISCOVER, TOOLS_CHANGED } from "../../core/protocol/names.ts";
import { MAX_PENDING, PendingRequests } from "../../core/protocol/pending-requests.ts";

/** "forward", or our own answer; undefined for a request without an answer, because its client cancelled it. */
export type RequestVerdict = "forward" | Promise<JsonObject | undefined>;

/**
 * A message of the server as it is sent on. Only what must wait is a promise: messages reach the client in the order in
 * which the server sent them, and HTTP transports take their status from what is sent during delivery.
 */
type SentOn = JsonObject | Promise<JsonObject>;

interface Asked {
  readonly request: JsonObject;
  readonly handover: Handover;
}

const watchedMethods: readonly unknown[] = [
  "tools/list",
  "tasks/result",
  "tasks/get",
  "initialize",
  DISCOVER,
  "resources/list",
  "resources/templates/list",
];

export interface SessionOptions extends ToolChoice {
  /** The server's own tools, whose handlers the server calls itself; undefined for an upstream server. */
  readonly own?: ReadonlyMap<string, ToolDefinition>;
  /** True for a tool whose calls another session on the same server object handles. */
  readonly isOwn?: (name: string) => boolean;
  /** The timeout of calls of tools that have none of their own. Default: as long as the client waits. */
  readonly callTimeoutMs?: number | undefined;
  /** The server runs in another process, so errors thrown by its tools are not visible here. */
  readonly isRemote?: boolean | undefined;
}

export class MessageSession {
  readonly #state: ContractState;
  readonly #own: SessionOptions["own"];
  readonly #isOwn: SessionOptions["isOwn"];
  readonly #names: ToolNames;
  readonly #memory: UpstreamMemory;
  readonly #pending = new PendingRequests<Asked>();
  /** Undefined if the server calls the handlers itself. */
  readonly #calls: ForwardedCalls | undefined;
  #client: ClientFacts | undefined;

  constructor(state: ContractState, ports: SessionPorts, options: SessionOptions = {}) {
    const { own, isOwn } = options;
    this.#state = state;
    this.#own = own;
    this.#isOwn = isOwn;
    this.#names = new ToolNames(options);
    this.#memory = upstreamMemory(state);
    this.#calls =
      own === undefined
        ? new ForwardedCalls(state, this.#memory, ports, { ...options, names: this.#names })
        : undefined;
  }

  /** A request of the client. */
  request(message: JsonObject, handover: Handover): RequestVerdict {
    const { id, method, params } = message;
    if (method === "initialize" && isJsonObject(params))
      this.#client = { capabilities: params["capabilities"], info: params["clientInfo"] };
    if (method === "tools/call" && this.#calls !== undefined) {
      const name = isJsonObject(params) ? params["name"] : undefined;
      if (typeof name === "string" && this.#isOwn?.(name) === true) return "forward";
      return this.#calls.run(message, handover, this.#callOf(message, handover), this.#keeps());
    }
    this.#calls?.upstream.reuse(id);
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
    if (this.#pending.isFull) return Promise.resolve(tooMany(message));
    this.#pending.add(id, { request: message, handover });
    return "forward";
  }

  /** A notification of the client. */
  notified({ method, params }: JsonObject): void {
    if (method !== "notifications/cancelled" || !isJsonObject(params)) return;
    // A cancelled request gets no answer, so it must be removed here.
    this.#pending.take(params["requestId"]);
    this.#calls?.cancel(params["requestId"], params["reason"]);
  }

  /** A notification or request of the server, as it is sent on: unchanged, unless it carries a task's result. */
  told(message: JsonObject, handover: Handover): SentOn {
    const { method } = message;
    if (method === TOOLS_CHANGED && this.#own === undefined) this.#memory.forgetLists();
    if (method !== "notifications/tasks" || this.#calls === undefined) return message;
    return this.#calls.tasks.rewriteNotice(message, this.#callOf({}, handover));
  }

  /**
   * A response of the server, as it is sent on; undefined if no request waits for it, or if it is answered
   * elsewhere.
   */
  response(response: JsonObject): SentOn | undefined {
    if (this.#calls?.owns(response["id"]) === true) return this.#calls.upstream.settle(response);
    const asked = this.#pending.take(response["id"]);
    if (asked === undefined) return response["error"] === undefined ? response : issuesInWords(response);
    const read = this.#own === undefined ? withinDepth(response) : response;
    const worded =
      read["error"] === undefined ? read : this.#word(asked, issuesInWords(read, asked.request["method"]));
    if (this.#own === undefined) this.#memory.noteServer(worded);
    const now = this.#rewriteNow(asked, worded);
    return this.#rewriteLater(asked, worded) ?? now;
  }

  /** A large response of the server to a tool call, which is parsed here only if necessary. */
  unreadResponse(unread: UnreadResponse): JsonObject | undefined {
    return this.#calls?.upstream.settleUnread(unread);
  }

  /** Whether a response with this id answers a tool call. */
  awaitsCall(id: unknown): boolean {
    return this.#calls?.owns(id) === true;
  }

  /** Whether the session must read a response with this id; any other may be sent on unparsed. */
  awaits(id: unknown): boolean {
    return this.#pending.has(id) || this.#calls?.owns(id) === true;
  }

  /**
   * The server is away: calls that wait for it, and new calls, are answered with this fault. The transport
   * answers other requests.
   */
  interrupted(fault: InterruptFault): void {
    this.#pending.takeAll();
    this.#calls?.upstream.interrupt(fault);
  }

  /** The server is back, as a new process if it was restarted; the next result says so. */
  restored(): void {
    this.#calls?.restore();
  }

  /** The request that the server knows by this id was sent to it once more. */
  repeated(id: unknown): void {
    this.#calls?.upstream.repeated(id);
  }

  /** The ids of calls, and of our own requests, that the server has not answered yet. */
  waitingIds(): readonly unknown[] {
    return this.#calls?.upstream.waitingIds() ?? [];
  }

  /** The server's answer was too long to be read; true if it was the answer to a tool call. */
  refuseOversized(id: unknown, bytes: number): boolean {
    this.#pending.take(id);
    return this.#calls?.upstream.refuse(id, resultTooLarge(bytes)) === true;
  }

  /** The server was silent for too long on a call, which ends with this fault; a time limit of its own goes before. */
  giveUp(clientId: unknown, fault: Error): void {
    this.#calls?.upstream.giveUp(clientId, fault);
  }

  /** The client's id of a request; the server may know the request by one of our ids. */
  clientIdOf(id: unknown): unknown {
    return this.#calls === undefined ? id : this.#calls.upstream.clientIdOf(id);
  }

  /**
   * The connection is closed. Returns a promise if the server must still finish runs that other connections
   * wait for.
   */
  closed(): Promise<void> | undefined {
    this.#pending.takeAll();
    return this.#calls?.close();
  }

  /** Content that is not kept here may be kept by an upstream Waybill. */
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
    if (this.#own === undefined) return this.#memory.keeps(this.#state);
    return [...this.#own.values()].some((tool) => canArchiveResults(this.#state, tool));
  }

  /** Whether a dialect that requests may get here has its own words for protocol errors. */
  #wordsErrors(): boolean {
    return this.#state.effective.general.dialects.some((choice) => traitsOf(choice).writeError !== undefined);
  }

  /** A protocol error in the words of the dialect that its request would have got. */
  #word({ request, handover }: Asked, response: JsonObject): JsonObject {
    const { error } = response;
    const { method } = request;
    if (!isJsonObject(error) || typeof method !== "string" || !this.#wordsErrors()) return response;
    const { effective } = this.#state;
    const { dialect } = effective.forCall(effective.general, this.#callOf(request, handover), undefined);
    const { writeError } = traitsOf(dialect);
    return writeError === undefined ? response : { ...response, error: writeError(error, method) };
  }

  /**
   * The responses that must wait: a task's result; the templates of the archive, which are loaded; and a list of tools
   * that began to find out whether questions can be answered, because that changes the list. Undefined for any other.
   */
  #rewriteLater({ request, handover }: Asked, response: JsonObject): Promise<JsonObject> | undefined {
    const { method } = request;
    if (method === "tasks/result" || method === "tasks/get")
      return this.#calls?.tasks.rewrite(request, response, this.#callOf(request, handover));
    if (method === "resources/templates/list" && this.#keeps())
      return listTemplates(response, this.#callOf(request, handover));
    const { questions } = this.#state;
    if (method !== "tools/list" || !questions.isOpening) return undefined;
    return questions.settled().then(() => this.#list(request, handover, response));
  }

  #rewriteNow({ request, handover }: Asked, response: JsonObject): JsonObject {
    const { method } = request;
    if (method === "tools/list") return this.#list(request, handover, response);
    if (method === "tools/call") {
      if (response["error"] === undefined) return response;
      return suggestTool(request, response, this.#openNames(request, handover));
    }
    const keeps = this.#keeps();
    if (method === "initialize" || method === DISCOVER)
      return announce(response, { keeps, isOwn: this.#own !== undefined });
    if (!keeps || method !== "resources/list") return response;
    return listResources(response, this.#callOf(request, handover));
  }

  #list(request: JsonObject, handover: Handover, response: JsonObject): JsonObject {
    const call = this.#callOf(request, handover);
    const own = this.#own;
    const isWhole = !isJsonObject(request["params"]) || request["params"]["cursor"] === undefined;
    if (own !== undefined) {
      if (isWhole) tellUnusedSettings(this.#state, response);
      const listed = listOwn(this.#state, response, own);
      const configOf = (name: string): ToolConfig => own.get(name)?.config ?? {};
      return leanList(this.#state, this.#open(listed, call, configOf), call, configOf);
    }
    const { tenant } = tenantOf(call, this.#state.options);
    if (isWhole) tellToolRules(this.#state, response, this.#names);
    const seen = withShownTools(response, this.#names);
    if (isWhole) tellUnusedSettings(this.#state, seen);
    const listed = listForeign(this.#state, seen, this.#memory, tenant);
    const configOf = (name: string): ToolConfig => this.#memory.find(tenant, name).config;
    const open = leanList(this.#state, this.#open(listed, call, configOf), call, configOf);
    return this.#keeps() ? withRetrieval(this.#state, open, this.#memory.retrievalPlace(tenant)) : open;
  }

  #open(listed: JsonObject, call: CallRequest, configOf: (name: string) => ToolConfig): JsonObject {
    if (this.#state.options.hideGated !== true) return listed;
    return withoutShut(this.#state, listed, call, configOf);
  }

  /** The names that may be suggested for a misspelt name: a tool that is hidden from the caller's list stays hidden. */
  #openNames(request: JsonObject, handover: Handover): readonly string[] {
    const own = [...(this.#own ?? [])];
    if (this.#state.options.hideGated !== true) return own.map(([name]) => name);
    const { auth } = this.#callOf(request, handover);
    return own
      .filter(([name, { config }]) => !isClosedTo(this.#state, name, config, auth))
      .map(([name]) => name);
  }
}

/** A response that is nested too deep is not read: every walk over it, and every writer, would run out of stack. */
function withinDepth(response: JsonObject): JsonObject {
  if (!isTooDeep(response)) return response;
  return { jsonrpc: "2.0", id: response["id"] ?? null, error: tooDeepError };
}

/** The request never reached the server, so the tool has certainly not run. */
function tooMany({ id }: JsonObject): JsonObject {
  const message = `More than ${MAX_PENDING} requests wait for an answer on this connection: wait, then retry.`;
  return { jsonrpc: "2.0", id: id ?? null, error: { code: CONNECTION_CLOSED, message } };
}

// The SDKs answer unreadable params with everything that their schema library found, as JSON over many lines.
// Readers of a protocol error want one sentence.

/** More than any list of issues about params needs. */
const MAX_CHARACTERS = 100_000;
const MAX_NAMED = 5;

type ParamIssue = RichIssue & { readonly path: readonly PropertyKey[] };

/** True for a problem in the params of a request, not for one in a tool's arguments or elsewhere. */
function isParamIssue(value: unknown): value is ParamIssue {
  if (!isJsonObject(value) || typeof value["message"] !== "string") return false;
  const { path } = value;
  return Array.isArray(path) && path[0] === "params";
}

function issuesIn(message: string): readonly ParamIssue[] {
  const at = message.indexOf("[");
  if (at === -1 || message.length > MAX_CHARACTERS) return [];
  const found: unknown = jsonIn(message.slice(at));
  return Array.isArray(found) && found.every(isParamIssue) ? found : [];
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
