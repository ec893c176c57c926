// HTTP clients in front of an HTTP server: a reverse proxy around sessions of the engine. Every method, header and
// event passes; only messages that the contract concerns are read. It never follows a redirect, and a client's
// credentials reach only the configured server, and only with `auth: "passthrough"`.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { REQUEST_TIMEOUT_MS, readClientMessage } from "../message/client-message.ts";
import { requestTeller } from "../message/request-lines.ts";
import { oauthOf } from "../auth/auth-options.ts";
import { CallerLogins } from "../login/caller-logins.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import { toolChoiceOf } from "../../../engine/session/tool-names.ts";
import { withoutMark, rawIdOf } from "../../../engine/transport/raw-message.ts";
import { MAX_MESSAGE_BYTES } from "../../../engine/transport/stream-link.ts";
import { HttpHealth, START_TIMEOUT_MS, openHttpUpstream } from "../upstream/http-upstream.ts";
import type { HttpFailure } from "../../../engine/transport/http/http-failure.ts";
import type { HttpAnswer, HttpTarget } from "../../../engine/transport/http/http-target.ts";
import { openMcpTarget } from "../../../engine/transport/http/old-transport/old-transport.ts";
import { modernVersionOf } from "../../../engine/transport/http/message-headers.ts";
import type { Upstream, UpstreamHealth } from "../upstream/upstream.ts";
import type { DescribeUpstream, HandleRequest, RequestFacts } from "../listen/http-listener.ts";
import { type ProxyDoor, relayRequest } from "./proxy-relay.ts";
import type { CalledAddress } from "../../../engine/request/sign-in/protected-resource.ts";
import { calledAddress, describeResource } from "./protected-resource.ts";
import { probeUrl } from "../probe/probe-url.ts";
import { ProxyCall } from "./proxy-call.ts";
import {
  type ForwardedCaller,
  type ForwardedHeaders,
  forwardedCaller,
  headersToServer,
} from "./proxy-headers.ts";
import { type ProxySession, ProxySessions, SESSION_HEADER } from "./proxy-session.ts";
import { MAX_BODY_BYTES, receiveBody } from "../../../engine/transport/http/request-guard.ts";
import { isLoopbackHost } from "../../../core/text/network-address.ts";
import { idToRepeat, refuse, tellRefusal } from "../../../engine/transport/http/refusal.ts";
import { MAX_OPEN_REQUESTS, httpRefusals } from "../listen/refuse-request.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";

export interface HttpProxy {
  readonly handle: HandleRequest;
  readonly describe: DescribeUpstream | undefined;
  readonly health: () => UpstreamHealth;
  /** Asks the server once; resolves with why it cannot be called. */
  readonly probe: (signal: AbortSignal) => Promise<string | undefined>;
  /** The same server for an endpoint of several: each connection is a client of its own. */
  readonly upstream: Upstream;
  /** Lets running requests finish, at most 5 s, then ends every session and connection. */
  readonly close: () => Promise<void>;
}

const CLOSE_WAIT_MS = 5_000;

/** One HTTP request: who sends it, and what its server sees of it. */
interface ProxyVisit {
  readonly response: ServerResponse;
  readonly facts: RequestFacts;
  /** The headers as the server receives them. */
  readonly headers: ForwardedHeaders;
  readonly caller: ForwardedCaller;
  /** Separates sessions: the caller the gateway verified, else the caller as the server may identify it. */
  readonly principal: string;
  /** The address at which the client calls the server, if it may sign in there. */
  readonly called: CalledAddress | undefined;
  /** The server, as this caller reaches it. */
  readonly door: ProxyDoor;
}

interface ProxyOptions {
  readonly forwardsCredentials: boolean;
  /** Signs in to the server for each caller. */
  readonly logins: CallerLogins | undefined;
  /** The operator's own proxy says which scheme clients use. */
  readonly isBehindProxy: boolean;
  readonly maxOpenRequests: number;
}

class HttpServerProxy {
  readonly #door: ProxyDoor;
  readonly #sessions: ProxySessions;
  readonly #options: ProxyOptions;
  readonly #open = new OpenResponses();
  #isClosing = false;

  constructor(door: ProxyDoor, sessions: ProxySessions, options: ProxyOptions) {
    this.#door = door;
    this.#sessions = sessions;
    this.#options = options;
  }

  handle(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): void {
    const { method = "GET" } = request;
    if (this.#isClosing) return refuse(response, httpRefusals.closing);
    // A server that answers TRACE repeats the whole request, including the operator's own headers.
    if (method === "TRACE") return refuse(response, httpRefusals.methodNotAllowed);
    const visit = this.#visit(request, response, facts);
    if (method === "GET" || method === "HEAD") return this.#relay(method, undefined, visit);
    const take = (body: Buffer): void =>
      method === "POST" ? this.#post(withoutMark(body), visit) : this.#relay(method, body, visit);
    return receiveBody(request, response, MAX_BODY_BYTES, take, { failed: facts.failed });
  }

  /** Takes no more requests, and waits until running ones are answered, at most 5 s. */
  async finish(): Promise<void> {
    this.#isClosing = true;
    await this.#open.whenAnswered(CLOSE_WAIT_MS);
  }

  /** Answers with what a client needs to sign in to the server. */
  readonly describe: DescribeUpstream = (headers, path, response) =>
    describeResource(this.#door.target, calledAddress(headers, path, this.#options.isBehindProxy), response);

  #visit({ url = "/" }: IncomingMessage, response: ServerResponse, facts: RequestFacts): ProxyVisit {
    const { forwardsCredentials, isBehindProxy } = this.#options;
    const [path = "/"] = url.split("?");
    const called = forwardsCredentials ? calledAddress(facts.headers, path, isBehindProxy) : undefined;
    const headers = headersToServer(facts.headers, forwardsCredentials);
    const { authorization } = facts.headers;
    // A token that is not forwarded still tells callers apart.
    const shown = authorization === undefined ? headers : { ...headers, authorization };
    const caller = forwardedCaller(shown, this.#door.target.headers);
    const hash = caller.callerHash ?? caller.variantHash;
    const isVerified = facts.authInfo !== undefined || hash === undefined;
    const principal = isVerified ? facts.principal : `caller:${hash}`;
    const named = this.#inServersName(headers, principal);
    return { response, facts, headers: named, caller, principal, called, door: this.#doorOf(principal) };
  }

  #doorOf(principal: string): ProxyDoor {
    const credentials = this.#options.logins?.credentialsOf(principal);
    if (credentials === undefined) return this.#door;
    return { ...this.#door, target: { ...this.#door.target, credentials } };
  }

  /** Uses the name that the server itself gave the session. */
  #inServersName(headers: ForwardedHeaders, principal: string): ForwardedHeaders {
    const named = headers[SESSION_HEADER];
    if (named === undefined) return headers;
    return { ...headers, [SESSION_HEADER]: this.#sessions.serverName(principal, named) };
  }

  #post(bytes: Buffer, visit: ProxyVisit): void {
    const read = readClientMessage(bytes);
    if (read.kind === "answer") return answerBadly(visit.response, JSON.stringify(read.answer));
    if (read.kind === "nothing") return this.#relay("POST", bytes, visit);
    const { message } = read;
    const { id, method } = message;
    if (method !== undefined && id !== undefined) return this.#call(bytes, message, visit);
    if (method !== undefined) this.#sessionOf(visit, message).messages.notified(message);
    return this.#relay("POST", bytes, visit);
  }

  #call(bytes: Buffer, message: JsonObject, visit: ProxyVisit): void {
    const { response, facts, headers, principal, called, door } = visit;
    const { maxOpenRequests } = this.#options;
    const session = this.#sessionOf(visit, message);
    if (this.#open.countOf(principal) >= maxOpenRequests || session.openCalls >= maxOpenRequests)
      return refuse(response, httpRefusals.tooManyOpen, idToRepeat(message));
    this.#open.add(principal, response, message["method"] !== "subscriptions/listen");
    const received = {
      bytes,
      message,
      rawId: rawIdOf(bytes) ?? JSON.stringify(message["id"]),
      headers,
      handover: handoverOf(visit, session),
      peer: facts.peer,
      isModern: modernVersionOf(message) !== undefined,
      called,
    };
    return new ProxyCall(door, session, received, response, (answer) =>
      this.#accepted(session, message, visit, answer),
    ).run();
  }

  /** The server accepts requests under this session name, or has just assigned it. */
  #accepted(
    session: ProxySession,
    { method }: JsonObject,
    { facts, principal }: ProxyVisit,
    answer: HttpAnswer,
  ): void {
    const given = answer.headers[SESSION_HEADER];
    if (method === "initialize" && typeof given === "string") this.#sessions.add(principal, given, session);
    if (facts.headers[SESSION_HEADER] !== undefined || given !== undefined) session.isAccepted = true;
  }

  #sessionOf({ principal, facts }: ProxyVisit, message: JsonObject): ProxySession {
    const id = facts.headers[SESSION_HEADER];
    const isAlone =
      id === undefined || message["method"] === "initialize" || modernVersionOf(message) !== undefined;
    return isAlone ? this.#sessions.create() : this.#sessions.find(principal, id);
  }

  #relay(method: string, body: Buffer | undefined, visit: ProxyVisit): void {
    const { principal, facts, headers, response, called, door } = visit;
    const id = facts.headers[SESSION_HEADER];
    const session = this.#sessionOf(visit, {});
    relayRequest(
      door,
      {
        method,
        headers,
        body: body === undefined || body.length === 0 ? undefined : body,
        isRepeatable: true,
        // A stream may stay silent for any time.
        answerTimeoutMs: method === "GET" ? undefined : this.#door.requestTimeoutMs,
        session,
        handover: handoverOf(visit, session),
        called,
        status: (status) => {
          if (id === undefined) return;
          const isGood = status >= 200 && status < 300;
          if (isGood) session.isAccepted = true;
          if (status === 404 || (method === "DELETE" && isGood)) this.#sessions.drop(principal, id);
        },
      },
      response,
    );
  }
}

/** A session's name identifies the caller only after the server has accepted it. */
function handoverOf({ facts, caller }: ProxyVisit, { isAccepted }: ProxySession): Handover {
  const { headers, authInfo } = facts;
  return {
    extra: { requestInfo: { headers }, authInfo, ...caller },
    sessionId: isAccepted ? headers[SESSION_HEADER] : undefined,
  };
}

/** A body that is not a message gets its JSON-RPC error here, since it is unknown what the server would make of it. */
function answerBadly(response: ServerResponse, body: string): void {
  tellRefusal(response, httpRefusals.noMessage);
  response.writeHead(400, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** How the gateway serves an upstream: under which name, and at which address it listens. */
export interface ServedAs {
  readonly name: string;
  /** Default: this machine alone. */
  readonly host?: string | undefined;
}

/** Why a server cannot be called, as its callers reach it; undefined if it answers. */
async function probeServer(
  target: HttpTarget,
  { auth }: UrlUpstream,
  signal: AbortSignal,
): Promise<HttpFailure | undefined> {
  if (oauthOf(auth) !== undefined) {
    const { probeSignIn } = await import("../login/probe-sign-in.ts");
    return probeSignIn(target, signal);
  }
  const { failure, refusal } = await probeUrl(target, signal);
  // Callers show credentials of their own.
  return auth === "passthrough" && refusal !== undefined ? undefined : failure;
}

/** Serves an HTTP upstream to HTTP clients. Host, Origin and caller are already checked. */
export function proxyHandler(
  state: ContractState,
  upstream: UrlUpstream,
  { name, host = "127.0.0.1" }: ServedAs,
): HttpProxy {
  const target = openMcpTarget(upstream.url, upstream.headers, upstream);
  const health = new HttpHealth();
  const { callTimeoutMs, progressEveryMs } = upstream;
  const limits = { callTimeoutMs, progressEveryMs };
  const sessions = new ProxySessions(state, { ...toolChoiceOf(upstream), ...limits, isRemote: true });
  const door: ProxyDoor = {
    target,
    maxMessageBytes: upstream.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    startTimeoutMs: upstream.startTimeoutMs ?? START_TIMEOUT_MS,
    requestTimeoutMs: upstream.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    report: (failure) => health.note(failure),
    tell: requestTeller(state),
  };
  const own = oauthOf(upstream.auth);
  const isBehindProxy = Number(state.options.trustProxy ?? 0) > 0;
  const isLocal = isLoopbackHost(host) && !isBehindProxy;
  const { url, headers } = upstream;
  const logins = own && new CallerLogins({ name, url, headers, own, log: state.log, isLocal });
  const proxy = new HttpServerProxy(door, sessions, {
    logins,
    forwardsCredentials: upstream.auth === "passthrough",
    isBehindProxy,
    maxOpenRequests: upstream.maxOpenRequests ?? MAX_OPEN_REQUESTS,
  });
  const connections = openHttpUpstream(name, upstream, {
    signInOf: logins && ((principal) => logins.signInOf(principal)),
    health,
  });
  return {
    upstream: connections,
    handle: (request, response, facts) => proxy.handle(request, response, facts),
    describe: upstream.auth === "passthrough" ? proxy.describe : undefined,
    health: () => {
      const now = health.get();
      return now.state === "starting" ? { ...now, state: "idle" } : now;
    },
    probe: async (signal) => {
      const failure = await probeServer(target, upstream, signal);
      // Newer than what the last call has shown. Here a late answer counts too: nothing was computed for it.
      if (!signal.aborted) health.note(failure && { ...failure, isDown: true });
      return failure?.message;
    },
    close: async () => {
      await proxy.finish();
      await connections.close();
      logins?.close();
      sessions.close();
      target.close();
    },
  };
}

/** Incomplete responses, by the caller that waits for them. */
class OpenResponses {
  readonly #counts = new Map<string, number>();
  /** Streams that a client keeps open to listen are not included. */
  readonly #answers = new PendingRequests<string, ServerResponse>();

  countOf(principal: string): number {
    return this.#counts.get(principal) ?? 0;
  }

  /** `isAnswer`: the client waits for an answer, and does not only listen. */
  add(principal: string, response: ServerResponse, isAnswer: boolean): void {
    this.#counts.set(principal, this.countOf(principal) + 1);
    if (isAnswer) this.#answers.add(response, principal);
    response.once("close", () => {
      const left = this.countOf(principal) - 1;
      if (left > 0) this.#counts.set(principal, left);
      else this.#counts.delete(principal);
      this.#answers.take(response);
    });
  }

  /** Waits until every request is answered, at most this long. */
  async whenAnswered(maxMs: number): Promise<void> {
    await this.#answers.idle(maxMs);
  }
}
