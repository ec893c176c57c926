import type { IncomingMessage } from "node:http";
import { mediaTypeOf, readBody } from "./http-body.ts";
import { type HttpFailure, neverAnswered, statusFailure, wrongType } from "./http-failure.ts";
import type { Answered, OpenRequest } from "./http-target.ts";
import { messagesIn } from "../server-answers.ts";
import { type OversizedEvent, SseReader } from "./sse-reader.ts";

export interface StreamUse {
  readonly maxBytes: number;
  /** Modern streams cannot be resumed; older ones may continue on another stream. */
  readonly canResume: boolean;
  /** True once no further message is expected. */
  readonly isDone: () => boolean;
  /** Requests the events after an event id, or a new stream without one. */
  readonly resume: (lastEventId: string | undefined, answered: Answered) => OpenRequest;
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
  readonly response: IncomingMessage;
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
  const read = (response: IncomingMessage): void => {
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
    readBody(response, { chunk: (chunk) => reader.take(chunk), end: later, broken: later });
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
