// Serves a command over HTTP: POST, GET and DELETE of the legacy era with a process for each session, and the POSTs of
// the modern era, which share a process for each caller. Every wrong request gets the status that the SDK's server gives.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handover } from "../../engine/call-request.ts";
import type { ContractState } from "../../engine/contract-state.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { openBridge } from "../bridge.ts";
import { valueOf } from "../message-kind.ts";
import type { Upstream, UpstreamHealth } from "../upstream/upstream.ts";
import { classifyPost } from "./classify-post.ts";
import { CommandProcesses, type SharedProcess } from "./command-processes.ts";
import type { HandleRequest, RequestFacts } from "./http-parts.ts";
import { HttpReply } from "./http-reply.ts";
import type { LegacySession } from "./legacy-session.ts";
import { ModernExchange } from "./modern-exchange.ts";
import { OpenReplies } from "./open-replies.ts";
import { checkParamHeaders } from "./param-headers.ts";
import { MAX_BODY_BYTES, readBody } from "./read-body.ts";
import { type Refusal, bodyTooLarge, idToRepeat, refusals, refuse } from "./refuse-request.ts";

export interface CommandHandlerOptions {
  readonly state: ContractState;
  readonly upstream: Upstream;
  /** Processes at once. Default: 16. */
  readonly maxProcesses?: number | undefined;
  /** How long a process without requests is kept. Default: 300,000. */
  readonly idleMs?: number | undefined;
  readonly callTimeoutMs?: number | undefined;
  /** Tools that are neither listed nor callable. */
  readonly hide?: readonly string[] | undefined;
  /** The longest request body. Default: 4,194,304 (4 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /** How often a waiting response shows a sign of life. Default: 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** Hears of what was dropped. */
  readonly note?: ((text: string) => void) | undefined;
}

export interface CommandHandler {
  readonly handle: HandleRequest;
  readonly health: () => UpstreamHealth;
  /** Whether a request names a session of its caller that is open here. */
  readonly knows: (facts: RequestFacts) => boolean;
  /** How many sessions are open. */
  readonly sessions: () => number;
  /** Lets running requests finish, at most 5 s, then ends every session and process. */
  readonly close: () => Promise<void>;
}

const MAX_PROCESSES = 16;
const IDLE_MS = 300_000;
const CLOSE_WAIT_MS = 5_000;
/** A list of tools that was read within this time is not read again to refuse a call by it. */
const CERTAIN_MS = 5_000;
/** How long a client that sends too much may go on sending, so that it gets to read its answer. */
const SEND_ON_MS = 5_000;
/** A server that is down and that nobody uses may have been repaired; only a request can show it. */
const FORGIVE_MS = 30_000;

const legacyRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

function checkRevision(version: string | undefined): Refusal | undefined {
  if (version === undefined || legacyRevisions.includes(version)) return undefined;
  return {
    status: 400,
    code: -32000,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${legacyRevisions.join(", ")})`,
  };
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

function acceptsBoth(accept: string | undefined): boolean {
  return accept?.includes("application/json") === true && accept.includes("text/event-stream");
}

function handoverOf({ headers, authInfo, peer }: RequestFacts, sessionId: string | undefined): Handover {
  return { extra: { requestInfo: { headers }, authInfo, peer }, sessionId };
}

function refuseBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
  refuse(response, bodyTooLarge(maxBytes));
  // What is still coming is dropped: a connection that closes now would take the answer with it.
  request.resume();
  const timer = setTimeout(() => request.destroy(), SEND_ON_MS);
  request.once("close", () => clearTimeout(timer));
}

/** One HTTP request, with what is known of it. */
interface Visit {
  readonly response: ServerResponse;
  readonly facts: RequestFacts;
}

class CommandService {
  readonly #options: CommandHandlerOptions;
  readonly #processes: CommandProcesses;
  readonly #replies: OpenReplies;
  /** Requests that are not answered yet; open streams are not among them. */
  readonly #running = new Set<HttpReply>();
  #onIdle: (() => void) | undefined;
  #downSince: number | undefined;
  #isClosing = false;

  constructor(options: CommandHandlerOptions) {
    this.#options = options;
    const { upstream, maxProcesses = MAX_PROCESSES, idleMs = IDLE_MS, note } = options;
    this.#processes = new CommandProcesses(upstream, { maxProcesses, idleMs, note });
    this.#replies = new OpenReplies(options.keepAliveMs);
  }

  handle(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): void {
    const visit: Visit = { response, facts };
    if (this.#isClosing) return refuse(response, refusals.closing);
    if (request.method === "POST") return this.#post(request, visit);
    if (request.method === "GET") return this.#get(visit);
    if (request.method === "DELETE") return this.#delete(visit);
    return refuse(response, refusals.methodNotAllowed);
  }

  /** While it is down without a process, nobody would ever find out that it could be started again. */
  health(): UpstreamHealth {
    const health = this.#options.upstream.health();
    const isLeft = health.state === "down" && health.retryInMs === undefined && this.#processes.size === 0;
    if (!isLeft) {
      this.#downSince = undefined;
      return health;
    }
    this.#downSince ??= Date.now();
    return Date.now() - this.#downSince < FORGIVE_MS
      ? health
      : { state: "starting", restarts: health.restarts };
  }

  knows(facts: RequestFacts): boolean {
    return this.#named(facts) !== undefined;
  }

  get sessions(): number {
    return this.#processes.sessions;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#running.size > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CLOSE_WAIT_MS);
        this.#onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#processes.close();
    this.#replies.stop();
  }

  #post(request: IncomingMessage, visit: Visit): void {
    const { response, facts } = visit;
    if (!isJson(facts.headers["content-type"])) return refuse(response, refusals.mediaType);
    const { maxBodyBytes = MAX_BODY_BYTES } = this.#options;
    return readBody(request, maxBodyBytes, (body) => {
      if (body === "too-large") return refuseBody(request, response, maxBodyBytes);
      const json = valueOf(body.toString("utf8"));
      if (json !== undefined) return this.#classified(json, body, visit);
      return refuse(response, acceptsBoth(facts.headers["accept"]) ? refusals.notJson : refusals.acceptBoth);
    });
  }

  #classified(json: unknown, body: Buffer, visit: Visit): void {
    const { response, facts } = visit;
    const post = classifyPost(json, facts.headers);
    if (post.kind === "refused") return refuse(response, post.refusal, idToRepeat(json));
    if (post.kind === "modern") return this.#modern(post.message, post.isRequest, body, visit);
    if (!acceptsBoth(facts.headers["accept"])) return refuse(response, refusals.acceptBoth);
    const bytes = post.isBatch ? post.messages.map((one) => Buffer.from(JSON.stringify(one))) : [body];
    return this.#legacy(post.messages, bytes, visit);
  }

  #modern(message: JsonObject, isRequest: boolean, body: Buffer, visit: Visit): void {
    const { response, facts } = visit;
    const process = this.#processes.shared(facts);
    if (process === undefined) return refuse(response, refusals.full, idToRepeat(message));
    if (!isRequest) return this.#notify(process, body, response);
    const { method, params } = message;
    const name = method === "tools/call" && isJsonObject(params) ? params["name"] : undefined;
    const meta = isJsonObject(params) ? params["_meta"] : undefined;
    if (typeof name !== "string" || !isJsonObject(meta)) return this.#exchange(process, message, body, visit);
    const check = (maxAgeMs: number | undefined): Refusal | undefined | Promise<Refusal | undefined> => {
      const marked = process.marks.find(name, meta, () => process.link.share(), maxAgeMs);
      if (marked instanceof Promise)
        return marked.then((ready) => checkParamHeaders(ready, message, facts.headers));
      return marked.length === 0 ? undefined : checkParamHeaders(marked, message, facts.headers);
    };
    const end = (refusal: Refusal | undefined): void => {
      if (refusal !== undefined) return refuse(response, refusal, idToRepeat(message));
      return this.#exchange(process, message, body, visit);
    };
    const checked = check(undefined);
    if (checked === undefined) return end(undefined);
    // A refusal by a list that may have changed since is not certain.
    void Promise.resolve(checked)
      .then((refusal) => (refusal === undefined ? undefined : check(CERTAIN_MS)))
      .then(end);
    return undefined;
  }

  /** The SDK's server takes notifications of this era and has nobody that they could mean. */
  #notify({ link }: SharedProcess, body: Buffer, response: ServerResponse): void {
    const share = link.share();
    share.send(body);
    share.close();
    response.writeHead(202).end();
  }

  #exchange({ link }: SharedProcess, message: JsonObject, body: Buffer, { response, facts }: Visit): void {
    const isListening = message["method"] === "subscriptions/listen";
    const reply = this.#reply(response, facts, {}, !isListening, () => exchange.cancel());
    const exchange = new ModernExchange(body, reply);
    this.#open(exchange, link.share(), () => handoverOf(facts, undefined));
  }

  #open(
    client: ModernExchange | LegacySession,
    upstream: ReturnType<Upstream["connect"]>,
    handover: () => Handover,
  ): void {
    const { state, callTimeoutMs, hide, note } = this.#options;
    openBridge({ state, client, upstream, handover, callTimeoutMs, hide, note });
  }

  /** A reply that is kept alive, and that is waited for at the end where it `isRunning`. */
  #reply(
    response: ServerResponse,
    facts: RequestFacts,
    headers: Readonly<Record<string, string>>,
    isRunning: boolean,
    onLeft: () => void,
  ): HttpReply {
    const reply: HttpReply = new HttpReply(
      response,
      { accept: facts.headers["accept"], headers },
      (hasLeft) => {
        this.#replies.delete(reply);
        this.#running.delete(reply);
        if (hasLeft) onLeft();
        if (this.#running.size === 0) this.#onIdle?.();
      },
    );
    this.#replies.add(reply);
    if (isRunning) this.#running.add(reply);
    return reply;
  }

  #legacy(messages: readonly JsonObject[], bytes: readonly Buffer[], visit: Visit): void {
    const { response, facts } = visit;
    const id = idToRepeat(messages.length === 1 ? messages[0] : undefined);
    const session = this.#sessionFor(messages, visit);
    if (!("principal" in session)) return refuse(response, session, session === refusals.full ? id : null);
    if (session.uses(messages)) return refuse(response, refusals.usedId, id);
    const handover = handoverOf(facts, session.id);
    const asks = messages.some((message) => message["method"] !== undefined && message["id"] !== undefined);
    if (!asks) {
      session.post({ messages, bytes, reply: undefined, handover });
      response.writeHead(202).end();
      return undefined;
    }
    const headers = { "mcp-session-id": session.id };
    const reply: HttpReply = this.#reply(response, facts, headers, true, () => session.left(reply));
    return session.post({ messages, bytes, reply, handover });
  }

  /** The session that a POST belongs to; `initialize` opens one. */
  #sessionFor(messages: readonly JsonObject[], { facts }: Visit): LegacySession | Refusal {
    const named = facts.headers["mcp-session-id"];
    const greets = messages.some(({ method }) => method === "initialize");
    if (!greets) return this.#existing(facts);
    if (named !== undefined)
      return this.#named(facts) === undefined ? refusals.unknownSession : refusals.secondGreeting;
    const opened = this.#processes.openSession(facts);
    if (opened === undefined) return refusals.full;
    const { session, link } = opened;
    this.#open(session, link, () => session.handover);
    return session;
  }

  #named({ headers, principal }: RequestFacts): LegacySession | undefined {
    const id = headers["mcp-session-id"];
    return id === undefined ? undefined : this.#processes.session(id, principal);
  }

  /** The session that a request names, or why it is not served. */
  #existing(facts: RequestFacts): LegacySession | Refusal {
    if (facts.headers["mcp-session-id"] === undefined) return refusals.noSession;
    const session = this.#named(facts) ?? refusals.unknownSession;
    return "principal" in session
      ? (checkRevision(facts.headers["mcp-protocol-version"]) ?? session)
      : session;
  }

  #get({ response, facts }: Visit): void {
    if (facts.headers["accept"]?.includes("text/event-stream") !== true)
      return refuse(response, refusals.acceptStream);
    const session = this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session);
    const headers = { "mcp-session-id": session.id };
    const problem = session.canStream(facts.headers["last-event-id"]);
    if (problem !== undefined) return refuse(response, problem);
    const reply: HttpReply = this.#reply(response, facts, headers, false, () => session.left(reply));
    return session.stream(reply, facts.headers["last-event-id"]);
  }

  #delete({ response, facts }: Visit): void {
    const session = this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session);
    session.end("the client ended the session");
    response.writeHead(200).end();
    return undefined;
  }
}

export function commandHandler(options: CommandHandlerOptions): CommandHandler {
  const service = new CommandService(options);
  return {
    handle: (request, response, facts) => service.handle(request, response, facts),
    health: () => service.health(),
    knows: (facts) => service.knows(facts),
    sessions: () => service.sessions,
    close: () => service.close(),
  };
}
