import { isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { collectBody, mediaTypeOf, readResponseBody } from "./http-body.ts";
import {
  type HttpFailure,
  brokenOff,
  statusFailure,
  unreadableBody,
  wrongType,
  neverAnswered,
} from "./http-failure.ts";
import type { HttpAnswer, OpenRequest, HttpAnswerListener } from "./http-target.ts";
import { type Outgoing, isAnswerTo, spliceError } from "./message-headers.ts";
import { messagesIn } from "../raw-message.ts";
import { endsOfEvent, type OversizedEvent, SseReader } from "./sse-reader.ts";

/** Handles a server's answer to one POST. */
export interface PostUse extends Pick<StreamUse, "maxBytes" | "canResume" | "isDone" | "resume"> {
  /** The server has accepted a message that gets no answer. */
  readonly accepted: () => void;
  /** A message of the server: the answer, or one that belongs to the same request. */
  readonly message: (bytes: Buffer) => void;
  readonly oversized: (bytes: number) => void;
  readonly failed: (failure: HttpFailure) => void;
  /** The server does not know the session any more; undefined without a session, or if a new one did not help. */
  readonly forgotten: (() => void) | undefined;
}

/** The limit of an error's body: more than any JSON-RPC error needs. */
const MAX_ERROR_BYTES = 256 * 1024;

/** Reads a server's answer to a POST. Returns the stream, if the answer is one. */
export function readPostAnswer(
  sent: Outgoing,
  response: HttpAnswer,
  request: OpenRequest,
  use: PostUse,
): StreamSource | undefined {
  const { statusCode = 0 } = response;
  if (statusCode < 200 || statusCode >= 300) readRefusal(sent, response, use);
  else if (sent.key === undefined) {
    response.on("error", () => undefined).resume();
    use.accepted();
  } else {
    const type = mediaTypeOf(response);
    if (type === "text/event-stream") return readStream(response, request, use);
    if (type === "application/json") readJson(sent, response, use);
    else {
      request.abort();
      use.failed(statusCode === 202 ? unreadableBody() : wrongType(type));
    }
  }
  return undefined;
}

function readStream(response: HttpAnswer, request: OpenRequest, use: PostUse): StreamSource {
  return followStream(
    { response, request },
    {
      ...use,
      oversized: (event) => {
        if (endsOfEvent(event).isResponse) use.oversized(event.bytes);
      },
      over: use.failed,
    },
  );
}

function readJson(sent: Outgoing, response: HttpAnswer, use: PostUse): void {
  collectBody(response, use.maxBytes, {
    bytes: (bytes) => {
      for (const message of messagesFor(sent, bytes)) use.message(message);
      if (!use.isDone()) use.failed(unreadableBody());
    },
    tooLarge: () => use.oversized(use.maxBytes + 1),
    broken: () => use.failed(brokenOff()),
  });
}

/** The messages of a body: one, or several as in 2025-03-26. An error without an id belongs to this request. */
function messagesFor(sent: Outgoing, body: Buffer): readonly Buffer[] {
  const [bytes = body, ...more] = messagesIn(body);
  if (more.length > 0 || isAnswerTo(sent, bytes)) return [bytes, ...more];
  const error = spliceError(bytes, sent.rawId ?? "null");
  return error === undefined ? [] : [error];
}

/** A status that is not an answer. Its body may still be a JSON-RPC error, which then is the answer. */
function readRefusal({ rawId }: Outgoing, response: HttpAnswer, use: PostUse): void {
  const failure = statusFailure(response);
  const giveUp = (): void => use.failed(failure);
  if (rawId === undefined || mediaTypeOf(response) !== "application/json") {
    response.on("error", () => undefined).resume();
    return giveUp();
  }
  return collectBody(response, MAX_ERROR_BYTES, {
    bytes: (bytes) => {
      const error = spliceError(bytes, rawId);
      if (use.forgotten !== undefined && response.statusCode === 400 && saysNoSession(bytes)) use.forgotten();
      else if (error === undefined) giveUp();
      else use.message(error);
    },
    tooLarge: giveUp,
    broken: giveUp,
  });
}

/** Many servers, written after an example of the SDK, answer 400 with a text although the protocol requires 404. */
function saysNoSession(bytes: Buffer): boolean {
  const { error } = jsonObjectIn(bytes.toString("utf8")) ?? {};
  const message = isJsonObject(error) ? error["message"] : undefined;
  return (
    typeof message === "string" &&
    /\b(?:no valid|invalid|unknown|missing) session\b|\bsession not found\b/i.test(message)
  );
}

export interface StreamUse {
  readonly maxBytes: number;
  /** Modern streams cannot be resumed; older ones may continue on another stream. */
  readonly canResume: boolean;
  /** True once no further message is expected. */
  readonly isDone: () => boolean;
  /** Requests the events after an event id, or a new stream without one. */
  readonly resume: (lastEventId: string | undefined, answered: HttpAnswerListener) => OpenRequest;
  readonly message: (bytes: Buffer) => void;
  readonly oversized: (event: OversizedEvent) => void;
  /** The stream has ended for good. */
  readonly over: (failure: HttpFailure) => void;
}

export interface StreamSource {
  stop(): void;
}

/** A stream that is already open. */
interface FirstStream {
  readonly response: HttpAnswer;
  readonly request: OpenRequest;
}

const RETRY_MS = 1_000;
const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 30_000;
/** How many attempts in a row may give no stream, if a request waits for it. */
const MAX_FAILURES = 5;

/**
 * Reads a stream of events to its end, and continues where it broke off: an answer may come on a later
 * stream, requested with the id of the last event. Without a first stream, it opens the one for the server's
 * own messages.
 */
export function followStream(first: FirstStream | undefined, use: StreamUse): StreamSource {
  let lastEventId: string | undefined;
  let retryMs = RETRY_MS;
  let failures = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current = first?.request;

  const over = (failure: HttpFailure): void => {
    if (!isStopped && !use.isDone()) use.over(failure);
    isStopped = true;
  };
  const later = (): void => {
    if (isStopped || use.isDone()) return;
    const isLost = first !== undefined && (lastEventId === undefined || failures > MAX_FAILURES);
    if (!use.canResume || isLost) return over(neverAnswered());
    const waitMs = Math.min(Math.max(retryMs, MIN_RETRY_MS) * 2 ** Math.min(failures, 10), MAX_RETRY_MS);
    timer = setTimeout(connect, waitMs).unref();
  };
  const failed = (): void => {
    failures += 1;
    later();
  };
  const read = (response: HttpAnswer): void => {
    failures = 0;
    const reader = new SseReader(use.maxBytes, {
      event: ({ data, id, type, retryMs: asked }) => {
        if (isStopped) return;
        if (id !== undefined) lastEventId = id === "" ? undefined : id;
        if (asked !== undefined) retryMs = asked;
        const isMessage = type === undefined || type === "message" || type === "";
        if (data === undefined || data.length === 0 || !isMessage) return;
        for (const message of messagesIn(data)) use.message(message);
      },
      oversized: (event) => {
        if (!isStopped) use.oversized(event);
      },
    });
    readResponseBody(response, { chunk: (chunk) => reader.take(chunk), end: later, broken: later });
  };
  const connect = (): void => {
    current = use.resume(lastEventId, {
      response: (response) => {
        const { statusCode = 0 } = response;
        if (statusCode === 200 && mediaTypeOf(response) === "text/event-stream") return read(response);
        response.on("error", () => undefined).resume();
        if (statusCode >= 500) return failed();
        return over(statusCode === 200 ? wrongType(mediaTypeOf(response)) : statusFailure(response));
      },
      failed,
    });
  };

  if (first === undefined) connect();
  else read(first.response);
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      current?.abort();
    },
  };
}

/**
 * The one response that the gateway's own POST waits for, from a body or from a stream; other messages on the
 * stream are dropped. Undefined if no answer came, or if it is too large.
 */
export function readAnswer(
  response: HttpAnswer,
  { key, maxBytes }: { readonly key: string; readonly maxBytes: number },
  done: (answer: Buffer | undefined) => void,
): void {
  let isOver = false;
  const finish = (answer: Buffer | undefined): void => {
    if (isOver) return;
    isOver = true;
    done(answer);
  };
  const none = (): void => finish(undefined);
  if (mediaTypeOf(response) !== "text/event-stream") {
    collectBody(response, maxBytes, { bytes: finish, tooLarge: none, broken: none });
    return;
  }
  const reader = new SseReader(maxBytes, {
    event: ({ data }) => {
      if (data === undefined || !isAnswerTo({ key }, data)) return;
      finish(data);
      // A server may keep the stream open; it is no longer read.
      response.destroy();
    },
    oversized: none,
  });
  readResponseBody(response, { chunk: (chunk) => reader.take(chunk), end: none, broken: none });
}
