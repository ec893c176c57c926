// Serves a command over HTTP: POST, GET and DELETE of the legacy era with a process for each session, and POSTs of the
// modern era, which share a process for each caller. Every wrong request gets the same status as from the SDK's server.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { ToolNames } from "../../../engine/session/tool-names.ts";
import { forgetSession } from "../session-archives.ts";
import { openBridge } from "./bridge.ts";
import { type ServerTerms, termsOf } from "./bridge-options.ts";
import { clientFault, notUtf8 } from "../message/client-message.ts";

import { withoutMark, elementsOf } from "../../../engine/transport/raw-message.ts";
import type { Upstream, UpstreamHealth } from "../upstream/upstream.ts";
import { classifyPost } from "./classify-post.ts";
import { type ServingParts, type Visit, handoverOf } from "./command-processes.ts";
import { CommandProcesses } from "./command-processes.ts";
import type { HandleRequest, RequestFacts } from "../listen/http-listener.ts";
import { ModernRequests } from "./modern-requests.ts";
import { OpenReplies } from "../listen/http-reply.ts";
import type { WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";
import { MAX_BODY_BYTES, receiveBody } from "../../../engine/transport/http/request-guard.ts";
import { idToRepeat, refuse, type Refusal } from "../../../engine/transport/http/refusal.ts";
import { MAX_OPEN_REQUESTS, httpRefusals } from "../listen/refuse-request.ts";
import { type JsonObject, jsonIn } from "../../../core/json/json-value.ts";
import type { HttpReply } from "../listen/http-reply.ts";
import type { LegacySession } from "./legacy-session.ts";
import { CONNECTION_CLOSED, legacyRevisions } from "../../../core/protocol/names.ts";

/** What every handler of POST, GET and DELETE needs, whatever is behind it. */
export interface ServiceOptions {
  readonly upstream: Upstream;
  /** Processes at once. Default: 16. */
  readonly maxProcesses?: number | undefined;
  /** The most processes of one caller. Default: all. */
  readonly maxProcessesPerCaller?: number | undefined;
  /** Open requests of one session, or all modern requests of one caller. Default: 1,000. */
  readonly maxOpenRequests?: number | undefined;
  /** How long an idle process is kept. Default: 300,000. */
  readonly idleMs?: number | undefined;
  /** The longest request body. Default: 4,194,304 (4 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /** How often a waiting response sends a sign of life. Default: 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** The server is started from time to time while it is down, to find out whether it can be. Default: false. */
  readonly isProbed?: boolean | undefined;
  /** Counts the data that waits for slow clients. Default: the counter of the process. */
  readonly memory?: WaitingMemory | undefined;
  /** Receives notes on what was dropped. */
  readonly note?: ((text: string) => void) | undefined;
}

export interface CommandHandlerOptions extends ServiceOptions, ServerTerms {
  readonly state: ContractState;
}

/** Serves the requests of the modern era. */
export interface ServeModern {
  take(message: JsonObject, isRequest: boolean, body: Buffer, visit: Visit): Promise<void>;
}

/** How the two eras are served. */
export interface ServiceParts {
  /** Connects a client of the legacy era, and of the modern era one request, to what the upstream has opened. */
  readonly open: ServingParts["open"];
  readonly modern: (parts: ServingParts) => ServeModern;
  /** Called when a legacy session is over. */
  readonly sessionEnded: (id: string) => void;
}

export interface CommandHandler {
  readonly handle: HandleRequest;
  readonly health: () => UpstreamHealth;
  /** Whether a request names an open session of its caller. */
  readonly knows: (facts: RequestFacts) => boolean;
  /** Whether a client has a process now. */
  readonly isRunning: () => boolean;
  /** How many sessions are open. */
  readonly sessions: () => number;
  /** Lets running requests finish, at most 5 s, then ends every session and process. */
  readonly close: () => Promise<void>;
}

export const MAX_PROCESSES = 16;
export const IDLE_MS = 300_000;
const CLOSE_WAIT_MS = 5_000;
/** An unused server that is down may have been repaired; only a request can show that. */
const FORGIVE_MS = 30_000;

function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return /^\s*application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

class CommandService implements CommandHandler {
  readonly #upstream: Upstream;
  readonly #maxBodyBytes: number;
  readonly #parts: ServingParts;
  readonly #modern: ServeModern;
  readonly #legacy: LegacyRequests;
  readonly #isProbed: boolean;
  #downSince: number | undefined;
  #isClosing = false;

  constructor(options: ServiceOptions, { open, modern, sessionEnded }: ServiceParts) {
    const { upstream, keepAliveMs, note } = options;
    const { maxProcesses = MAX_PROCESSES, idleMs = IDLE_MS } = options;
    this.#upstream = upstream;
    this.#isProbed = options.isProbed ?? false;
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
    this.#parts = {
      processes: new CommandProcesses(upstream, {
        maxProcesses,
        maxPerCaller: options.maxProcessesPerCaller ?? maxProcesses,
        idleMs,
        sessionEnded,
        note,
      }),
      replies: new OpenReplies(keepAliveMs, options.memory),
      maxOpenRequests: options.maxOpenRequests ?? MAX_OPEN_REQUESTS,
      open,
    };
    this.#modern = modern(this.#parts);
    this.#legacy = new LegacyRequests(this.#parts);
  }

  readonly handle: HandleRequest = (request, response, facts) => {
    const visit: Visit = { response, facts };
    if (this.#isClosing) return refuse(response, httpRefusals.closing);
    if (request.method === "POST") return this.#post(request, visit);
    if (request.method === "GET") return this.#legacy.get(visit);
    if (request.method === "DELETE") return this.#legacy.delete(visit);
    return refuse(response, httpRefusals.methodNotAllowed);
  };

  /** Without a process the server is idle, or down if the last one failed. */
  readonly health = (): UpstreamHealth => {
    const health = this.#upstream.health();
    const { restarts } = health;
    if (this.isRunning()) return health;
    if (health.state !== "down") return { state: "idle", restarts };
    if (health.retryInMs !== undefined || this.#isProbed) return health;
    // Without probes only a request would show that it can be started again.
    this.#downSince ??= Date.now();
    const isForgiven = Date.now() - this.#downSince >= FORGIVE_MS;
    return isForgiven ? { state: "idle", restarts } : health;
  };

  readonly knows = (facts: RequestFacts): boolean => this.#legacy.find(facts) !== undefined;

  readonly isRunning = (): boolean => this.#parts.processes.size > 0;

  readonly sessions = (): number => this.#parts.processes.sessions;

  readonly close = async (): Promise<void> => {
    this.#isClosing = true;
    await this.#parts.replies.whenAnswered(CLOSE_WAIT_MS);
    this.#parts.processes.close();
    this.#parts.replies.stop();
  };

  #post(request: IncomingMessage, visit: Visit): void {
    const { response, facts } = visit;
    if (!isJson(facts.headers["content-type"])) return refuse(response, httpRefusals.mediaType);
    const take = async (sent: Buffer): Promise<void> => {
      const body = withoutMark(sent);
      if (!isUtf8(body)) return refuse(response, { status: 400, ...notUtf8 });
      const json = jsonIn(body.toString("utf8"));
      if (json !== undefined) return this.#classified(json, body, visit);
      return refuse(
        response,
        acceptsBoth(facts.headers["accept"]) ? httpRefusals.notJson : httpRefusals.acceptBoth,
      );
    };
    return receiveBody(request, response, this.#maxBodyBytes, take, { failed: facts.failed });
  }

  async #classified(json: unknown, body: Buffer, visit: Visit): Promise<void> {
    // Each message of a batch is forwarded as its own bytes, and is validated by them, like a single message.
    const messages: readonly unknown[] = Array.isArray(json) ? json : [json];
    const bytes = Array.isArray(json) ? elementsOf(body) : [body];
    for (const [at, one] of messages.entries()) {
      const fault = clientFault(bytes[at]?.toString("utf8") ?? "", one);
      if (fault !== undefined) return refuse(visit.response, { status: 400, ...fault }, fault.id);
    }
    const post = classifyPost(json, visit.facts.headers);
    if (post.kind === "refused") return refuse(visit.response, post.refusal, idToRepeat(json));
    if (post.kind === "modern") return this.#modern.take(post.message, post.isRequest, body, visit);
    return this.#legacy.post(post.messages, bytes, visit);
  }
}

/** Serves one command over HTTP. */
export function commandHandler(options: CommandHandlerOptions): CommandHandler {
  const { state, note } = options;
  return serviceHandler(options, {
    open: (client, server, handover) =>
      void openBridge({
        state,
        client,
        upstream: server,
        handover,
        ...termsOf(options),
        note,
        isJudged: true,
      }),
    modern: (parts) => new ModernRequests(parts, new ToolNames(options)),
    sessionEnded: (id) => forgetSession(state, id),
  });
}

/** Serves both eras over HTTP with these parts. */
export function serviceHandler(options: ServiceOptions, parts: ServiceParts): CommandHandler {
  return new CommandService(options, parts);
}

// Requests of the legacy era to a command: `initialize` opens a session with its own process, POST sends in it, GET
// listens to it, DELETE ends it.

/** Those that a request may name; the last is a draft that SDKs still know. */
const revisions: readonly string[] = [...legacyRevisions, "2024-10-07"];

function checkRevision(version: string | undefined): Refusal | undefined {
  if (version === undefined || revisions.includes(version)) return undefined;
  return {
    status: 400,
    code: CONNECTION_CLOSED,
    message: `Bad Request: Unsupported protocol version: ${version} (supported versions: ${revisions.join(", ")})`,
  };
}

function acceptsBoth(accept: string | undefined): boolean {
  return accept?.includes("application/json") === true && accept.includes("text/event-stream");
}

function isRequest({ method, id }: JsonObject): boolean {
  return method !== undefined && id !== undefined;
}

/** Without an id it is not a greeting: the client would not receive the id of the session. */
function isGreeting(message: JsonObject): boolean {
  return message["method"] === "initialize" && isRequest(message);
}

/** Whether the same request may be served later; its answer then names the request. */
function isRetried({ status }: Refusal): boolean {
  return status === 503;
}

class LegacyRequests {
  readonly #parts: ServingParts;

  constructor(parts: ServingParts) {
    this.#parts = parts;
  }

  /** Takes the messages of one POST, parsed and as bytes. Only a greeting waits: a session's messages keep their order. */
  async post(messages: readonly JsonObject[], bytes: readonly Buffer[], visit: Visit): Promise<void> {
    const { response, facts } = visit;
    if (!acceptsBoth(facts.headers["accept"])) return refuse(response, httpRefusals.acceptBoth);
    const id = idToRepeat(messages.length === 1 ? messages[0] : undefined);
    const session = messages.some(isGreeting) ? await this.#open(facts) : this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session, isRetried(session) ? id : null);
    // The client may have left while another process had to end first.
    if (response.destroyed) return session.leftUnanswered();
    return this.#speak(session, messages, bytes, visit);
  }

  #speak(
    session: LegacySession,
    messages: readonly JsonObject[],
    bytes: readonly Buffer[],
    { response, facts }: Visit,
  ): void {
    const id = idToRepeat(messages.length === 1 ? messages[0] : undefined);
    if (session.uses(messages)) return refuse(response, httpRefusals.usedId, id);
    const handover = handoverOf(facts, session.id);
    const requests = messages.filter(isRequest).length;
    if (requests === 0) {
      session.post({ messages, bytes, reply: undefined, handover });
      response.writeHead(202).end();
      return undefined;
    }
    if (session.openRequests + requests > this.#parts.maxOpenRequests)
      return refuse(response, httpRefusals.tooManyOpen, id);
    const reply = this.#reply(session, { response, facts }, true);
    return session.post({ messages, bytes, reply, handover });
  }

  get(visit: Visit): void {
    const { response, facts } = visit;
    if (facts.headers["accept"]?.includes("text/event-stream") !== true)
      return refuse(response, httpRefusals.acceptStream);
    const session = this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session);
    const lastEventId = facts.headers["last-event-id"];
    const problem = session.canStream(lastEventId);
    if (problem !== undefined) return refuse(response, problem);
    return session.stream(this.#reply(session, visit, false), lastEventId);
  }

  delete({ response, facts }: Visit): void {
    const session = this.#existing(facts);
    if (!("principal" in session)) return refuse(response, session);
    session.end("the client ended the session");
    response.writeHead(200).end();
    return undefined;
  }

  /** The open session of this caller that a request names. */
  find({ headers, principal }: RequestFacts): LegacySession | undefined {
    const id = headers["mcp-session-id"];
    return id === undefined ? undefined : this.#parts.processes.session(id, principal);
  }

  #reply(session: LegacySession, { response, facts }: Visit, isAnswer: boolean): HttpReply {
    const headers = { "mcp-session-id": session.id };
    const options = { accept: facts.headers["accept"], headers, isAnswer };
    const reply: HttpReply = this.#parts.replies.open(response, options, () => session.left(reply));
    return reply;
  }

  /** The session that a greeting opens, or why it opens no session. */
  async #open(facts: RequestFacts): Promise<LegacySession | Refusal> {
    if (facts.headers["mcp-session-id"] !== undefined)
      return this.find(facts) === undefined ? httpRefusals.unknownSession : httpRefusals.secondGreeting;
    const opened = await this.#parts.processes.openSession(facts);
    if (typeof opened === "string") return httpRefusals[opened];
    const { session, link } = opened;
    this.#parts.open(session, link, () => session.handover);
    return session;
  }

  /** The session that a request names, or why the request is refused. */
  #existing(facts: RequestFacts): LegacySession | Refusal {
    if (facts.headers["mcp-session-id"] === undefined) return httpRefusals.noSession;
    const session = this.find(facts);
    if (session === undefined) return httpRefusals.unknownSession;
    return checkRevision(facts.headers["mcp-protocol-version"]) ?? session;
  }
}
