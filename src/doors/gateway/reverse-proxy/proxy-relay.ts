// What reaches the server beside calls: requests that pass, streams of events, and messages of the gateway itself.

import type { ServerResponse } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import { collectBody, mediaTypeOf, readResponseBody } from "../../../engine/transport/http/http-body.ts";
import {
  type HttpFailure,
  brokenOff,
  errorFor,
  isWithheld,
  statusFailure,
  answerTooLarge,
} from "../../../engine/transport/http/http-failure.ts";
import {
  endsOfEvent,
  SseReader,
  type OversizedEvent,
  type SseEvent,
  withData,
} from "../../../engine/transport/http/sse-reader.ts";
import {
  type HttpAnswer,
  type OpenRequest,
  type SentRequest,
  sendRequest,
  type HttpTarget,
} from "../../../engine/transport/http/http-target.ts";
import { HttpReply } from "../listen/http-reply.ts";
import { headersToClient, type ForwardedHeaders, headersOfOwnMessage } from "./proxy-headers.ts";
import type { ProxySession, Passed, Stray } from "./proxy-session.ts";
import type { CalledAddress } from "../../../engine/request/sign-in/protected-resource.ts";
import type { Readable } from "node:stream";
import { messagesIn } from "../../../engine/transport/raw-message.ts";
import { type JsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import type { TellRequest } from "../message/request-lines.ts";
import { lackOfLife } from "../../../engine/transport/http/sign-of-life.ts";
import { readAnswer } from "../../../engine/transport/http/read-answer.ts";

/** An HTTP request without a JSON-RPC request: a notification, an answer, a stream, or the end of a session. */
export interface RelayedRequest extends SentRequest {
  readonly session: ProxySession;
  readonly handover: Handover;
  /** The address at which the client calls the server, if it may sign in there. */
  readonly called: CalledAddress | undefined;
  /** Receives the server's status before anything is sent to the client. */
  readonly status?: ((status: number) => void) | undefined;
}

/** The limit for an answer that is not a message; larger than any error page. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Forwards a request and its answer unchanged; events are read on the way, because late answers arrive as events. */
export function relayRequest(door: ProxyDoor, sent: RelayedRequest, response: ServerResponse): void {
  let request: OpenRequest | undefined;
  const reply = new HttpReply(response, { accept: undefined }, (hasLeft) => {
    if (hasLeft) request?.abort();
  });
  const fail = (failure: HttpFailure): void =>
    reply.answer(Buffer.from(errorFor("null", failure)), failure.status);
  request = sendRequest(door.target, sent, {
    response: (answer) => {
      const { statusCode = 0 } = answer;
      const isStream = statusCode === 200 && mediaTypeOf(answer) === "text/event-stream";
      door.report(lackOfLife(answer));
      sent.status?.(statusCode);
      if (isWithheld(statusCode) && statusCode !== 304) {
        request?.abort();
        return fail(statusFailure(answer));
      }
      if (isStream) return relayStream(door, sent, answer, reply);
      return collectBody(answer, MAX_PAGE_BYTES, {
        bytes: (bytes) =>
          reply.whole(statusCode, headersToClient(sent.session.named(answer.headers), sent.called), bytes),
        tooLarge: () => fail(answerTooLarge(MAX_PAGE_BYTES)),
        broken: () => fail(brokenOff()),
      });
    },
    failed: (failure) => {
      door.report(failure);
      fail(failure);
    },
  });
}

function relayStream(
  door: ProxyDoor,
  { session, handover, called }: RelayedRequest,
  answer: HttpAnswer,
  reply: HttpReply,
): void {
  reply.open(headersToClient(session.named(answer.headers), called));
  const relay = new EventRelay({
    session,
    handover,
    reply,
    // An answer that is unknown here may belong to the other session with the same name.
    stray: session.isNamesake ? "nothing" : "same",
    maxBytes: door.maxMessageBytes,
    oversized: (event) => {
      const { rawId, isResponse } = endsOfEvent(event);
      // A late answer to a tool call is refused on the stream that it came on.
      if (isResponse && rawId !== undefined)
        session.refuseOversized(JSON.parse(rawId), event.bytes, (text) =>
          reply.write(`event: message\ndata: ${text}\n\n`),
        );
    },
  });
  const over = (): void => relay.end(() => reply.end());
  relay.from(readResponseBody(answer, { chunk: (chunk) => relay.chunk(chunk), end: over, broken: over }));
}

export interface RelayUse {
  readonly session: ProxySession;
  /** The handover of the request that opened the stream. */
  readonly handover: Handover;
  readonly reply: HttpReply;
  readonly maxBytes: number;
  readonly stray: Stray;
  readonly oversized: (event: OversizedEvent) => void;
}

/**
 * One stream of the server's events on its way to a client, in order. An unchanged event is forwarded as its bytes.
 * While an event is being rewritten, the server's stream is paused.
 */
export class EventRelay {
  readonly #use: RelayUse;
  readonly #reader: SseReader;
  #source: Readable | undefined;
  /** Events after the one that is being rewritten; undefined if none is. */
  #behind: SseEvent[] | undefined;
  #whenDone: (() => void) | undefined;
  /** The client can request what follows the last event, on another stream. */
  canResume = false;

  constructor(use: RelayUse) {
    this.#use = use;
    this.#reader = new SseReader(use.maxBytes, {
      event: (event) => this.#take(event),
      oversized: use.oversized,
    });
  }

  /** Sets the body that the chunks come from. */
  from(source: Readable): void {
    this.#source = source;
  }

  chunk(chunk: Buffer): void {
    this.#reader.take(chunk);
  }

  /** The stream has ended; `done` runs when all events are sent. */
  end(done: () => void): void {
    if (this.#behind === undefined) done();
    else this.#whenDone = done;
  }

  #take(event: SseEvent): void {
    for (const one of eventsIn(event)) this.#takeOne(one);
  }

  #takeOne(event: SseEvent): void {
    if (event.id !== undefined && event.id !== "") this.canResume = true;
    if (this.#behind !== undefined) return void this.#behind.push(event);
    const passed = this.#pass(event);
    if (!(passed instanceof Promise)) return this.#write(event, passed);
    this.#behind = [];
    this.#source?.pause();
    void passed.then(
      (ready) => this.#goOn(event, ready),
      () => this.#goOn(event, "nothing"),
    );
  }

  #goOn(event: SseEvent, passed: Passed): void {
    const behind = this.#behind ?? [];
    this.#behind = undefined;
    this.#source?.resume();
    this.#write(event, passed);
    for (const next of behind) this.#takeOne(next);
    if (this.#behind === undefined) this.#whenDone?.();
  }

  #pass(event: SseEvent): Passed | Promise<Passed> {
    const data = messageOf(event);
    return data === undefined ? "same" : this.#use.session.pass(data, this.#use.handover, this.#use.stray);
  }

  #write(event: SseEvent, passed: Passed): void {
    if (passed === "nothing") return;
    this.#use.reply.write(passed === "same" ? event.raw : withData(event, passed.text), this.#source);
  }
}

function messageOf({ data, type }: SseEvent): Buffer | undefined {
  const isMessage = type === undefined || type === "" || type === "message";
  return isMessage && data !== undefined && data.length > 0 ? data : undefined;
}

/** The event, or one event for each message if it contains a list. */
function eventsIn(event: SseEvent): readonly SseEvent[] {
  const data = messageOf(event);
  const messages = data === undefined ? [] : messagesIn(data);
  if (data === undefined || messages[0] === data) return [event];
  return messages.map((one) => ({ ...event, data: one, raw: Buffer.from(withData(event, one.toString())) }));
}

// The gateway's own requests beside a client's: with the client's credentials, and invisible to the client.

/** The server behind a proxy. */
export interface ProxyDoor {
  readonly target: HttpTarget;
  readonly maxMessageBytes: number;
  /** How long the answer to a greeting may take. */
  readonly startTimeoutMs: number;
  /** How long any request other than a greeting or a tool call may take. */
  readonly requestTimeoutMs: number;
  /** Called after every request, with the failure if the answer is no sign of life. */
  readonly report: (failure: HttpFailure | undefined) => void;
  /** Called when a request was answered, if somebody asked for a line of each. */
  readonly tell?: TellRequest | undefined;
}

/** How long the server may take to list its tools for the gateway; the session stops waiting earlier. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Whether a body is the JSON-RPC response to a request with this id. */
export function answers(bytes: Buffer, id: unknown): boolean {
  const json = jsonObjectIn(bytes.toString("utf8"));
  return (
    json !== undefined && json["id"] === id && (json["error"] !== undefined || json["result"] !== undefined)
  );
}

/** Posts a message. `answered` may read the body; the unread rest is discarded. */
export function postOwnMessage(
  { target }: ProxyDoor,
  headers: ForwardedHeaders,
  asked: JsonObject,
  answered: (response: HttpAnswer | undefined) => void,
): void {
  const { method } = asked;
  const own = headersOfOwnMessage(headers, typeof method === "string" ? method : "");
  sendRequest(
    target,
    {
      method: "POST",
      headers: { ...own, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(asked)),
      isRepeatable: true,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    },
    {
      response: (response) => {
        answered(response);
        response.on("error", () => undefined).resume();
      },
      failed: () => answered(undefined),
    },
  );
}

/** Requests a page of the server's tools; `tell` receives the answer, or an error instead. */
export function listBeside(
  door: ProxyDoor,
  headers: ForwardedHeaders,
  asked: JsonObject,
  tell: (answer: Buffer) => void,
): void {
  const key = JSON.stringify(asked["id"]);
  const none = Buffer.from(errorFor(key, brokenOff()));
  postOwnMessage(door, headers, asked, (response) => {
    const { statusCode = 0 } = response ?? {};
    const isGood = statusCode >= 200 && statusCode < 300;
    // In the modern era a protocol error has its own HTTP status.
    const isJson = response !== undefined && mediaTypeOf(response) === "application/json";
    if (response === undefined || !(isGood || isJson)) return tell(none);
    return readAnswer(response, { key, maxBytes: MAX_LIST_BYTES }, (answer) =>
      tell(answer !== undefined && answers(answer, asked["id"]) ? answer : none),
    );
  });
}
