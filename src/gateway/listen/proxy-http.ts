// HTTP clients in front of an HTTP server: a reverse proxy around sessions of the engine. Every method, header and event
// passes; only what the contract is about is read. It never follows a redirect, and a client's credentials reach the
// configured server alone, and only with `auth: "passthrough"`.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handover } from "../../engine/call-request.ts";
import type { ContractState } from "../../engine/contract-state.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { readMessage } from "../../wire/read-message.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import { rawIdOf } from "../../link/raw-message.ts";
import { MAX_MESSAGE_BYTES } from "../../link/stream-link.ts";
import { HttpHealth, START_TIMEOUT_MS } from "../upstream/http-upstream.ts";
import { openTarget } from "../../link/http/http-target.ts";
import { modernVersionOf } from "../../link/http/message-headers.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import type { HandleRequest, RequestFacts } from "./http-parts.ts";
import type { ProxyDoor } from "./ask-beside.ts";
import { ProxyCall } from "./proxy-call.ts";
import { headersToServer } from "./proxy-headers.ts";
import { relayRequest } from "./proxy-relay.ts";
import type { ProxySession } from "./proxy-session.ts";
import { ProxySessions } from "./proxy-sessions.ts";
import { MAX_BODY_BYTES, readBody } from "./read-body.ts";
import { bodyTooLarge, refusals, refuse } from "./refuse-request.ts";

export interface HttpProxy {
  readonly handle: HandleRequest;
  readonly health: () => UpstreamHealth;
  /** Lets running requests finish, at most 5 s, then ends every session and connection. */
  readonly close: () => Promise<void>;
}

const SESSION_HEADER = "mcp-session-id";
const CLOSE_WAIT_MS = 5_000;

class HttpServerProxy {
  readonly #door: ProxyDoor;
  readonly #sessions: ProxySessions;
  readonly #forwardsCredentials: boolean;
  /** Requests without an answer; what a client keeps open to listen is not among them. */
  readonly #answering = new Set<ServerResponse>();
  #isClosing = false;
  #onAnswered: (() => void) | undefined;

  constructor(door: ProxyDoor, sessions: ProxySessions, forwardsCredentials: boolean) {
    this.#door = door;
    this.#sessions = sessions;
    this.#forwardsCredentials = forwardsCredentials;
  }

  handle(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): void {
    const { method = "GET" } = request;
    if (this.#isClosing) return refuse(response, refusals.closing);
    // A server that answers TRACE repeats the whole request, the operator's own headers among it.
    if (method === "TRACE") return refuse(response, refusals.methodNotAllowed);
    if (method === "GET" || method === "HEAD") return this.#relay(method, undefined, response, facts);
    return readBody(request, MAX_BODY_BYTES, (body) => {
      if (body === "too-large") return refuse(response, bodyTooLarge(MAX_BODY_BYTES));
      if (method === "POST") return this.#post(body, response, facts);
      return this.#relay(method, body, response, facts);
    });
  }

  /** Takes no more requests, and waits until those that run are answered, at most 5 s. */
  async finish(): Promise<void> {
    this.#isClosing = true;
    if (this.#answering.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_WAIT_MS);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #post(bytes: Buffer, response: ServerResponse, facts: RequestFacts): void {
    const read = readMessage(bytes.toString("utf8"));
    if (read.kind === "answer") return answerBadly(response, JSON.stringify(read.answer));
    if (read.kind === "nothing") return this.#relay("POST", bytes, response, facts);
    const { message } = read;
    const { id, method } = message;
    if (method !== undefined && id !== undefined) return this.#call(bytes, message, response, facts);
    if (method !== undefined) this.#sessionOf(facts, message).messages.notified(message);
    return this.#relay("POST", bytes, response, facts);
  }

  #call(bytes: Buffer, message: JsonObject, response: ServerResponse, facts: RequestFacts): void {
    const session = this.#sessionOf(facts, message);
    if (message["method"] !== "subscriptions/listen") this.#expect(response);
    const received = {
      bytes,
      message,
      rawId: rawIdOf(bytes) ?? JSON.stringify(message["id"]),
      headers: headersToServer(facts.headers, this.#forwardsCredentials),
      handover: handoverOf(facts, session),
      peer: facts.peer,
      isModern: modernVersionOf(message) !== undefined,
    };
    new ProxyCall(this.#door, session, received, response, (answer) =>
      this.#accepted(session, message, facts, answer),
    ).run();
  }

  #expect(response: ServerResponse): void {
    this.#answering.add(response);
    response.once("close", () => {
      this.#answering.delete(response);
      if (this.#answering.size === 0) this.#onAnswered?.();
    });
  }

  /** The server takes requests under this name, or has just given one. */
  #accepted(
    session: ProxySession,
    { method }: JsonObject,
    facts: RequestFacts,
    answer: IncomingMessage,
  ): void {
    const given = answer.headers[SESSION_HEADER];
    if (method === "initialize" && typeof given === "string")
      this.#sessions.add(facts.principal, given, session);
    if (facts.headers[SESSION_HEADER] !== undefined || given !== undefined) session.isAccepted = true;
  }

  #sessionOf({ principal, headers }: RequestFacts, message: JsonObject): ProxySession {
    const id = headers[SESSION_HEADER];
    const isAlone =
      id === undefined || message["method"] === "initialize" || modernVersionOf(message) !== undefined;
    return isAlone ? this.#sessions.create() : this.#sessions.find(principal, id);
  }

  #relay(method: string, body: Buffer | undefined, response: ServerResponse, facts: RequestFacts): void {
    const id = facts.headers[SESSION_HEADER];
    const session = this.#sessionOf(facts, {});
    relayRequest(
      this.#door,
      {
        method,
        headers: headersToServer(facts.headers, this.#forwardsCredentials),
        body: body === undefined || body.length === 0 ? undefined : body,
        isRepeatable: true,
        session,
        handover: handoverOf(facts, session),
        status: (status) => {
          if (id === undefined) return;
          const isGood = status >= 200 && status < 300;
          if (isGood) session.isAccepted = true;
          if (status === 404 || (method === "DELETE" && isGood)) this.#sessions.drop(facts.principal, id);
        },
      },
      response,
    );
  }
}

/** A session's name says who calls only once the server has accepted it. */
function handoverOf({ headers, authInfo }: RequestFacts, { isAccepted }: ProxySession): Handover {
  const requestInfo = { headers };
  return {
    extra: authInfo === undefined ? { requestInfo } : { requestInfo, authInfo },
    sessionId: isAccepted ? headers[SESSION_HEADER] : undefined,
  };
}

/** What is no message gets its JSON-RPC error here, since nobody could tell what the server would make of it. */
function answerBadly(response: ServerResponse, body: string): void {
  response.writeHead(400, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** Serves an HTTP upstream to HTTP clients. Host, Origin and caller are checked before. */
export function proxyHandler(state: ContractState, upstream: UrlUpstream): HttpProxy {
  const target = openTarget(upstream.url, upstream.headers);
  const health = new HttpHealth();
  const { hide, callTimeoutMs } = upstream;
  const sessions = new ProxySessions(state, { hide, callTimeoutMs, isRemote: true });
  const door: ProxyDoor = {
    target,
    maxMessageBytes: upstream.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    startTimeoutMs: upstream.startTimeoutMs ?? START_TIMEOUT_MS,
    report: (failure) => health.note(failure),
  };
  const proxy = new HttpServerProxy(door, sessions, upstream.auth === "passthrough");
  return {
    handle: (request, response, facts) => proxy.handle(request, response, facts),
    health: () => health.get(),
    close: async () => {
      await proxy.finish();
      sessions.close();
      target.close();
    },
  };
}
