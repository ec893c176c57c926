// One stream of the HTTP+SSE transport of 2024-11-05: a GET opens it, its event `endpoint` says where messages are
// posted, and everything the server says comes on it.

import type { OutgoingHttpHeaders } from "node:http";
import { PROGRESS } from "../../../../core/protocol/names.ts";
import { jsonIn, jsonObjectIn } from "../../../../core/json/json-value.ts";
import { glance, messagesIn, rawIdOf } from "../../raw-message.ts";
import { mediaTypeOf, readResponseBody } from "../http-body.ts";
import {
  type HttpFailure,
  brokenOff,
  foreignEndpoint,
  neverAnswered,
  noEndpoint,
  wrongType,
} from "../http-failure.ts";
import {
  type HttpAnswer,
  type HttpAnswerListener,
  type HttpTarget,
  type OpenRequest,
  type SentRequest,
  sendDirect,
} from "../http-target.ts";
import type { Outgoing } from "../message-headers.ts";
import { type SseEvent, SseReader, endsOfEvent } from "../sse-reader.ts";
import { SharedRoom, WaitingAnswers } from "./made-answer.ts";

export interface OldStreamUse {
  readonly target: HttpTarget;
  /** The headers of the request that needs the stream: its sender also listens. */
  readonly headers: OutgoingHttpHeaders;
  /** The longest event that is read. */
  readonly maxBytes: number;
  /** How long the server may take until it has named the address for messages. */
  readonly timeoutMs: number;
  /** A message of the server that answers no request. */
  readonly told: (bytes: Buffer) => void;
  /** The stream is over; all that waited for an answer was told so. */
  readonly ended: () => void;
}

/** What came of an attempt to open a stream. */
export type Opening =
  | { readonly is: "open"; readonly stream: OldStream }
  /** The server answered, but not with a stream. */
  | { readonly is: "refused"; readonly answer: HttpAnswer }
  | { readonly is: "failed"; readonly failure: HttpFailure };

/** Longer than any address that a server could serve. */
const MAX_ENDPOINT_BYTES = 4_096;
/** An event this many times over the limit may never end, and all others on the stream wait behind it. */
const MAX_EXCESS = 4;
/** Headers of the one request for which a stream is opened, or that belong to Streamable HTTP. */
const notOnStream = new Set(["content-type", "content-length", "mcp-session-id", "last-event-id"]);

function without(headers: OutgoingHttpHeaders, dropped: ReadonlySet<string>): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name.toLowerCase())));
}

const ownName = new Set(["mcp-session-id"]);

/** Opens a stream; `done` is called once, unless the attempt is aborted before. */
export function openOldStream(use: OldStreamUse, done: (opening: Opening) => void): OpenRequest {
  const { target, timeoutMs } = use;
  const headers = {
    ...without(use.headers, notOnStream),
    accept: "text/event-stream",
  };
  let isOver = false;
  const finish = (opening: Opening): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (opening.is === "failed") request.abort();
    done(opening);
  };
  const failed = (failure: HttpFailure): void => finish({ is: "failed", failure });
  const timer = setTimeout(() => failed(noEndpoint(timeoutMs)), timeoutMs).unref();
  const request = sendDirect(
    target,
    { method: "GET", headers, isRepeatable: true, isWaitedFor: true },
    {
      failed,
      response: (answer) => {
        if (isOver) return void answer.on("error", () => undefined).destroy();
        if (answer.statusCode !== 200) return finish({ is: "refused", answer });
        if (mediaTypeOf(answer) !== "text/event-stream") return failed(wrongType(mediaTypeOf(answer)));
        const stream: OldStream = new OldStream(use, request, {
          ready: () => finish({ is: "open", stream }),
          failed,
        });
        return stream.read(answer);
      },
    },
  );
  return {
    abort: () => {
      isOver = true;
      clearTimeout(timer);
      request.abort();
    },
  };
}

interface Named {
  readonly ready: () => void;
  readonly failed: (failure: HttpFailure) => void;
}

export class OldStream {
  readonly #use: OldStreamUse;
  readonly #request: OpenRequest;
  readonly #named: Named;
  readonly #room = new SharedRoom();
  readonly #waiting: WaitingAnswers;
  /** Where messages are posted. */
  #endpoint: URL | undefined;
  #isOpen = true;

  constructor(use: OldStreamUse, request: OpenRequest, named: Named) {
    this.#use = use;
    this.#request = request;
    this.#named = named;
    this.#waiting = new WaitingAnswers(use.maxBytes, this.#room);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many requests wait for an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** What is rested while somebody does not read what came over this stream. */
  get room(): SharedRoom {
    return this.#room;
  }

  /** Reads the stream to its end. */
  read(answer: HttpAnswer): void {
    const { maxBytes } = this.#use;
    let sinceEvent = 0;
    const reader = new SseReader(maxBytes, {
      event: (event) => {
        sinceEvent = 0;
        this.#take(event);
      },
      oversized: (event) => {
        sinceEvent = 0;
        const { rawId, isResponse } = endsOfEvent(event);
        if (isResponse && rawId !== undefined) this.#waiting.tooLarge(keyOf(rawId), event.bytes);
      },
    });
    const over = (): void => this.#over(neverAnswered());
    const chunk = (bytes: Buffer): void => {
      sinceEvent += bytes.length;
      reader.take(bytes);
      if (sinceEvent > maxBytes * MAX_EXCESS) this.#over(brokenOff());
    };
    this.#room.of(readResponseBody(answer, { chunk, end: over, broken: over }));
  }

  /** Posts a message; the answer to a request is what comes on the stream. `headers`: of that answer. */
  post(
    target: HttpTarget,
    sent: SentRequest,
    message: Outgoing,
    answered: HttpAnswerListener,
    headers: Readonly<Record<string, string>>,
  ): OpenRequest {
    const url = this.#endpoint ?? target.url;
    const posted = {
      ...sent,
      headers: without(sent.headers, ownName),
      again: undefined,
    };
    if (message.key === undefined) return sendDirect({ ...target, url }, posted, answered);
    const isAdded = this.#waiting.add(message, answered, headers, sent.answerTimeoutMs);
    if (!isAdded) {
      process.nextTick(() => answered.failed(usedId));
      return { abort: () => undefined };
    }
    const request = sendDirect({ ...target, url }, posted, {
      failed: (failure) => {
        if (this.#waiting.forget(message)) answered.failed(failure);
      },
      response: (accepted) => {
        const { statusCode = 0 } = accepted;
        const isGood = statusCode >= 200 && statusCode < 300;
        if (!isGood && this.#waiting.forget(message)) return answered.response(accepted);
        return void accepted.on("error", () => undefined).resume();
      },
    });
    return {
      abort: () => {
        this.#waiting.forget(message);
        request.abort();
      },
    };
  }

  close(): void {
    this.#over(neverAnswered());
  }

  #take({ type, data }: SseEvent): void {
    if (!this.#isOpen || data === undefined) return;
    if (type === "endpoint") return this.#name(data);
    if (type !== undefined && type !== "" && type !== "message") return;
    // Before it is known where the server is, nothing was asked.
    if (this.#endpoint === undefined || data.length === 0) return;
    for (const message of messagesIn(data)) this.#hear(message);
  }

  #name(data: Buffer): void {
    if (this.#endpoint !== undefined) return;
    this.#endpoint = endpointIn(data, this.#use.target.url);
    if (this.#endpoint !== undefined) return this.#named.ready();
    this.#isOpen = false;
    return this.#named.failed(foreignEndpoint);
  }

  #hear(bytes: Buffer): void {
    const seen = glance(bytes);
    if (seen.kind === "response") return this.#waiting.respond(keyOf(seen.rawId), bytes);
    const isProgress = seen.kind === "notification" && seen.method === PROGRESS;
    if (seen.kind !== "unclear" && !isProgress) return this.#use.told(bytes);
    const message = jsonObjectIn(bytes.toString("utf8"));
    if (message === undefined) return undefined;
    const { id, method, params } = message;
    if (method === undefined)
      return this.#waiting.respond(keyOf(rawIdOf(bytes) ?? JSON.stringify(id)), bytes);
    const token = (params as Partial<Record<string, unknown>> | undefined)?.["progressToken"];
    const isTold = method !== PROGRESS || token === undefined || !this.#waiting.progress(token, bytes);
    return isTold ? this.#use.told(bytes) : undefined;
  }

  #over(failure: HttpFailure): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#request.abort();
    // Nothing was sent yet.
    if (this.#endpoint === undefined) return this.#named.failed({ ...failure, executed: "no" });
    this.#waiting.fail(failure);
    this.#use.ended();
  }
}

/** The key of an id as it is written; the id of no request if it cannot be read. */
function keyOf(rawId: string | undefined): string {
  return JSON.stringify(jsonIn(rawId ?? "")) ?? "";
}

/** The address for messages, at the server's own origin; undefined for any other. */
function endpointIn(data: Buffer, server: URL): URL | undefined {
  if (data.length === 0 || data.length > MAX_ENDPOINT_BYTES) return undefined;
  const text = data.toString("utf8");
  if (!URL.canParse(text, server.href)) return undefined;
  const url = new URL(text, server);
  if (url.origin !== server.origin || url.username !== "" || url.password !== "") return undefined;
  return url;
}

const usedId: HttpFailure = {
  message: "A request with this id waits for its answer already, or too many requests wait",
  executed: "no",
  status: 400,
  isDown: false,
};
