// One request of a client over HTTP, on its way to an HTTP server and back. The engine may answer it, ask the server
// first, or let it pass; in every case the client gets exactly one answer, in the form of its stream.

import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type Handover, withPeer } from "../../../engine/request/call-request.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { messagesIn } from "../../../engine/transport/raw-message.ts";
import { bytesForServer, timeFor } from "../message/client-message.ts";
import { collectBody, mediaTypeOf, readResponseBody } from "../../../engine/transport/http/http-body.ts";
import {
  type HttpFailure,
  brokenOff,
  errorFor,
  isWithheld,
  lateAnswer,
  neverAnswered,
  statusFailure,
  unansweredDiscover,
  answerTooLarge,
  unreadableBody,
  wrongType,
} from "../../../engine/transport/http/http-failure.ts";
import { lackOfLife } from "../../../engine/transport/http/sign-of-life.ts";
import { signInFailure } from "../login/stand-in.ts";
import { internalFault, refusal } from "../message/faults.ts";
import {
  type HttpAnswer,
  type OpenRequest,
  sendRequest,
} from "../../../engine/transport/http/http-target.ts";
import { type ProxyDoor, answers, listBeside, postOwnMessage, EventRelay } from "./proxy-relay.ts";
import { HttpReply } from "../listen/http-reply.ts";
import { type ForwardedHeaders, headersFor, headersToClient } from "./proxy-headers.ts";
import type { AskingHandover, Passed, ProxySession } from "./proxy-session.ts";
import type { CalledAddress } from "../../../engine/request/sign-in/protected-resource.ts";
import { DISCOVER, INVALID_REQUEST } from "../../../core/protocol/names.ts";
import { DISCOVER_MS } from "../../../engine/transport/link.ts";

/** A request as it was received. */
export interface ReceivedRequest {
  readonly bytes: Buffer;
  readonly message: JsonObject;
  readonly rawId: string;
  /** The headers as the server receives them. */
  readonly headers: ForwardedHeaders;
  readonly handover: Handover;
  readonly peer: string | undefined;
  readonly isModern: boolean;
  /** The address at which the client calls the server, if it may sign in there. */
  readonly called: CalledAddress | undefined;
}

/** How long to wait for an answer whose client has left but may request it on another stream. */
const RESUME_MS = 300_000;
/** The statuses that a server, or a proxy in front of it, sends instead of the tool's answer. */
const unansweredStatuses: readonly number[] = [408, 429];

export class ProxyCall {
  readonly #door: ProxyDoor;
  readonly #session: ProxySession;
  readonly #received: ReceivedRequest;
  readonly #reply: HttpReply;
  /** Called with the headers of the server's first good answer. */
  readonly #accepted: (response: HttpAnswer) => void;
  #verdict: Promise<JsonObject | undefined> | undefined;
  #request: OpenRequest | undefined;
  #relay: EventRelay | undefined;
  /** The id of the request at the server. */
  #serverId: unknown;
  #isSettled = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    door: ProxyDoor,
    session: ProxySession,
    received: ReceivedRequest,
    response: ServerResponse,
    accepted: (response: HttpAnswer) => void,
  ) {
    this.#door = door;
    this.#session = session;
    this.#received = received;
    this.#accepted = accepted;
    this.#reply = new HttpReply(response, { accept: undefined }, (hasLeft) => {
      if (hasLeft) this.#left();
    });
  }

  run(): void {
    const { message, handover, peer } = this.#received;
    const asking: AskingHandover = { ...handover, ask: (asked, given) => this.#ask(asked, given) };
    const verdict = withPeer(peer, () => this.#session.messages.request(message, asking));
    if (verdict === "forward") return this.#post(message, handover);
    this.#verdict = verdict;
    void this.#keptAlive(verdict, message)
      .then((answer) => this.#answered(answer))
      .catch(() => this.#last(200, refusal(this.#received.rawId, internalFault)));
  }

  #keptAlive<Answer>(answer: Promise<Answer>, message: JsonObject): Promise<Answer> {
    const { alive, messages } = this.#session;
    // A client that takes no stream can be told nothing before the answer.
    const takesStream = this.#received.headers["accept"]?.includes("text/event-stream") === true;
    if (alive === undefined || !takesStream) return answer;
    return alive.during(answer, message, {
      tell: (notification) => this.#reply.event(Buffer.from(notification)),
      giveUp: (id, fault) => messages.giveUp(id, fault),
    });
  }

  /** Sends what the session asks on behalf of this request. */
  #ask(asked: JsonObject, given: Handover): void {
    const { method, params } = asked;
    const { headers, handover } = this.#received;
    if (method === "tools/list")
      return listBeside(this.#door, headers, asked, (answer) => void this.#session.pass(answer, handover));
    if (method !== "notifications/cancelled") return this.#post(asked, given);
    const isThis = isJsonObject(params) && params["requestId"] === this.#serverId;
    // In the modern era, closing the stream is the cancellation.
    if (this.#received.isModern) {
      if (isThis) this.#request?.abort();
      return undefined;
    }
    return postOwnMessage(this.#door, headers, asked, () => undefined);
  }

  /** The answer has arrived, or is no longer expected. */
  #settle(): void {
    this.#isSettled = true;
    clearTimeout(this.#timer);
  }

  /** The server has not answered in time. */
  #late(): void {
    if (this.#isSettled) return;
    const { message, isModern, headers } = this.#received;
    const params = { requestId: this.#serverId as JsonValue, reason: "The request took too long" };
    this.#request?.abort();
    // A greeting cannot be cancelled, and in the modern era closing the stream is the cancellation.
    if (!isModern && message["method"] !== "initialize")
      postOwnMessage(
        this.#door,
        headers,
        { jsonrpc: "2.0", method: "notifications/cancelled", params },
        () => undefined,
      );
    this.#fail(lateAnswer());
  }

  /** The server has opened a stream for `server/discover`, and says nothing on it. */
  #silent(): void {
    if (this.#isSettled) return;
    this.#fail(unansweredDiscover());
    this.#request?.abort();
  }

  #post(sent: JsonObject, given: Handover): void {
    const { message, rawId, headers, bytes } = this.#received;
    const { trace } = given;
    const timeMs = timeFor(message["method"], this.#door.requestTimeoutMs);
    if (timeMs !== undefined) this.#timer = setTimeout(() => this.#late(), timeMs).unref();
    // The server's own HTTP layer reads the span from the header.
    const traced = trace === undefined ? headers : { ...headers, traceparent: trace.traceparent };
    this.#serverId = sent["id"];
    const startedAt = performance.now();
    this.#session.opened(sent["id"], {
      rawId,
      // The session may send a request before it has returned its promise.
      verdict: () => this.#verdict,
      settled: (error) => {
        this.#settle();
        this.#door.tell?.(sent["method"], startedAt, error);
      },
    });
    this.#request = sendRequest(
      this.#door.target,
      {
        method: "POST",
        headers: sent["params"] === message["params"] ? traced : headersFor(traced, sent),
        body: bytesForServer(sent, { ...given, message, bytes }),
        isRepeatable: message["method"] !== "tools/call",
        repeated: () => this.#session.messages.repeated(sent["id"]),
        answerTimeoutMs: isGreeting(message) ? this.#door.startTimeoutMs : undefined,
      },
      {
        response: (response) => this.#receive(response),
        failed: (failure) => {
          this.#door.report(failure);
          this.#fail(failure);
        },
      },
    );
  }

  #receive(response: HttpAnswer): void {
    const { statusCode = 0 } = response;
    const isGood = statusCode >= 200 && statusCode < 300;
    this.#door.report(lackOfLife(response));
    if (!isGood) return this.#refused(response);
    this.#accepted(response);
    const type = mediaTypeOf(response);
    if (type === "text/event-stream") return this.#follow(response);
    if (type !== "application/json") {
      this.#request?.abort();
      return this.#fail(wrongType(type));
    }
    const { maxMessageBytes } = this.#door;
    return collectBody(response, maxMessageBytes, {
      bytes: (bytes) => this.#sendWhole(statusCode, response, bytes),
      tooLarge: () => this.#oversized(maxMessageBytes + 1),
      broken: () => this.#fail(brokenOff()),
    });
  }

  #sendWhole(status: number, response: HttpAnswer, body: Buffer): void {
    const messages = messagesIn(body);
    // Without a stream the client gets one message: from a list, the answer.
    const bytes = messages.find((one) => one === body || answers(one, this.#serverId)) ?? body;
    const headers = this.#headersOf(response);
    const send = (passed: Passed): void => {
      if (this.#reply.isStreaming) return this.#sendLast(passed, bytes);
      if (passed === "same") return this.#reply.whole(status, headers, bytes);
      if (passed === "nothing") return this.#reply.whole(202, {}, Buffer.alloc(0));
      return this.#reply.whole(passed.isResult ? 200 : status, headers, Buffer.from(passed.text));
    };
    const passed = this.#session.pass(bytes, this.#received.handover);
    // A body that answers another request, or none, would leave the session waiting forever.
    if (!this.#isSettled) return this.#fail(unreadableBody());
    if (passed instanceof Promise) return void passed.then(send);
    return send(passed);
  }

  /** Ends a stream that the gateway began, for progress of its own. */
  #sendLast(passed: Passed, bytes: Buffer): void {
    if (passed === "nothing") return this.#reply.end();
    return this.#reply.answer(passed === "same" ? bytes : Buffer.from(passed.text));
  }

  #headersOf({ headers }: HttpAnswer): OutgoingHttpHeaders {
    return headersToClient(this.#session.named(headers), this.#received.called);
  }

  #follow(response: HttpAnswer): void {
    if (this.#received.message["method"] === DISCOVER) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#silent(), DISCOVER_MS).unref();
    }
    // A good answer with a body has only this status.
    this.#reply.open(this.#headersOf(response));
    const relay = new EventRelay({
      session: this.#session,
      handover: this.#received.handover,
      reply: this.#reply,
      stray: "nothing",
      maxBytes: this.#door.maxMessageBytes,
      oversized: ({ bytes }) => this.#oversized(bytes),
    });
    this.#relay = relay;
    const over = (): void => relay.end(() => this.#streamOver(relay.canResume));
    relay.from(readResponseBody(response, { chunk: (chunk) => relay.chunk(chunk), end: over, broken: over }));
  }

  #streamOver(canResume: boolean): void {
    if (this.#isSettled || !this.#reply.isOpen) return this.#reply.end();
    // The client requests the rest on another stream, where the answer is recognised by its id.
    if (canResume && !this.#received.isModern) {
      this.#reply.end();
      return this.#waitForResume();
    }
    return this.#fail(neverAnswered());
  }

  /** The server, or a proxy in front of it, refuses. What the client must act on is forwarded unchanged. */
  #refused(response: HttpAnswer): void {
    const { statusCode = 0 } = response;
    const failure = statusFailure(response);
    const isHidden = isWithheld(statusCode);
    const isCall = this.#received.message["method"] === "tools/call";
    const isJson = !isHidden && mediaTypeOf(response) === "application/json";
    const isUnanswered =
      isHidden || (isCall && (statusCode >= 500 || unansweredStatuses.includes(statusCode)));
    const giveUp = (): void => this.#fail(failure);
    collectBody(response, this.#door.maxMessageBytes, {
      bytes: (bytes) => {
        if (isJson && answers(bytes, this.#serverId)) return this.#sendWhole(statusCode, response, bytes);
        // A stream that has begun has its status.
        if (isUnanswered || this.#reply.isStreaming) return giveUp();
        this.#release();
        return this.#reply.whole(statusCode, this.#headersOf(response), bytes);
      },
      tooLarge: giveUp,
      broken: giveUp,
    });
  }

  /** The session stops waiting: the client gets its answer without the session. */
  #release(): void {
    this.#settle();
    const fault = { code: INVALID_REQUEST, message: "The server refused the request" };
    const text = refusal(JSON.stringify(this.#serverId), fault);
    void this.#session.pass(Buffer.from(text), this.#received.handover);
  }

  #oversized(bytes: number): void {
    if (this.#isSettled) return;
    const isCall = this.#session.messages.refuseOversized(this.#serverId, bytes);
    // The session answers a tool call, as with its other faults.
    if (!isCall) this.#fail(answerTooLarge(this.#door.maxMessageBytes));
  }

  /** The server gives no answer: the session makes one for a tool call; any other request gets a JSON-RPC error. */
  #fail(failure: HttpFailure): void {
    if (this.#isSettled) return this.#reply.end();
    const { signIn, message } = failure;
    const isCall = this.#received.message["method"] === "tools/call";
    const id = JSON.stringify(this.#serverId);
    const answer =
      signIn !== undefined && isCall
        ? signInFailure(id, signIn, message)
        : Buffer.from(errorFor(id, failure));
    const send = (passed: Passed): void => {
      if (passed === "nothing") return this.#reply.end();
      if (passed === "same")
        return this.#reply.answer(Buffer.from(errorFor(this.#received.rawId, failure)), failure.status);
      return this.#reply.answer(Buffer.from(passed.text), passed.isResult ? 200 : failure.status);
    };
    const passed = this.#session.pass(answer, this.#received.handover);
    this.#settle();
    if (passed instanceof Promise) void passed.then(send);
    else send(passed);
    return undefined;
  }

  /** The engine answers itself, before the server did. */
  #answered(answer: JsonObject | undefined): void {
    if (this.#isSettled) return undefined;
    if (answer !== undefined) {
      const { result, error } = answer;
      const said = result === undefined ? { error: error ?? null } : { result };
      // Serialised first: an answer that cannot be written must not settle the request.
      const text = `{"jsonrpc":"2.0","id":${this.#received.rawId},${JSON.stringify(said).slice(1)}`;
      this.#settle();
      this.#reply.answer(Buffer.from(text), 200);
      return this.#request?.abort();
    }
    // Cancelled. Further messages on the server's stream may still be for the client.
    if (this.#request !== undefined) return undefined;
    return this.#reply.isStreaming ? this.#reply.end() : this.#reply.whole(202, {}, Buffer.alloc(0));
  }

  #last(status: number, text: string): void {
    if (this.#isSettled) return;
    this.#settle();
    this.#reply.answer(Buffer.from(text), status);
    this.#request?.abort();
  }

  /** The client is gone. In the modern era this cancels; in the legacy era the client may come back for the answer. */
  #left(): void {
    const { message, isModern } = this.#received;
    // A call with an id of ours is shared: other callers wait for it.
    const isShared = this.#serverId !== undefined && this.#serverId !== message["id"];
    if (isModern) {
      this.#session.messages.notified({
        method: "notifications/cancelled",
        params: { requestId: message["id"] ?? null },
      });
      const unfinished = this.#session.messages.closed();
      if (unfinished === undefined) this.#request?.abort();
      else void unfinished.then(() => this.#request?.abort());
      return;
    }
    if (isShared) return;
    this.#request?.abort();
    if (this.#isSettled || this.#request === undefined) return;
    if (this.#relay?.canResume === true) this.#waitForResume();
    else this.#fail(neverAnswered());
  }

  #waitForResume(): void {
    setTimeout(() => this.#fail(neverAnswered()), RESUME_MS).unref();
  }
}

/** The first request of a client. */
function isGreeting({ method }: JsonObject): boolean {
  return method === "initialize" || method === DISCOVER;
}
