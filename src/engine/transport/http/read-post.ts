import type { IncomingMessage } from "node:http";
import { isJsonObject, jsonObjectIn } from "../../../core/json/json-value.ts";
import { collectBody, mediaTypeOf } from "./http-body.ts";
import { type HttpFailure, brokenOff, statusFailure, unreadable, wrongType } from "./http-failure.ts";
import { type StreamSource, type StreamUse, followStream } from "./http-stream.ts";
import type { OpenRequest } from "./http-target.ts";
import { type Outgoing, isAnswerTo, spliceError } from "./outgoing.ts";
import { messagesIn } from "../server-answers.ts";
import { endsOfEvent } from "./sse-reader.ts";

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
  /** The server refuses the greeting; the caller must find out whether it speaks another transport. */
  readonly greetingRefused: (failure: HttpFailure) => void;
}

/** The limit of an error's body: more than any JSON-RPC error needs. */
const MAX_ERROR_BYTES = 256 * 1024;
/** The statuses with which a server of the 2024 transport answers a POST to its stream's address. */
const oldStatuses: readonly number[] = [400, 404, 405];

/** Reads a server's answer to a POST. Returns the stream, if the answer is one. */
export function readPost(
  sent: Outgoing,
  response: IncomingMessage,
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
      use.failed(statusCode === 202 ? unreadable() : wrongType(type));
    }
  }
  return undefined;
}

function readStream(response: IncomingMessage, request: OpenRequest, use: PostUse): StreamSource {
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

function readJson(sent: Outgoing, response: IncomingMessage, use: PostUse): void {
  collectBody(response, use.maxBytes, {
    bytes: (bytes) => {
      for (const message of messagesFor(sent, bytes)) use.message(message);
      if (!use.isDone()) use.failed(unreadable());
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
function readRefusal({ method, rawId }: Outgoing, response: IncomingMessage, use: PostUse): void {
  const failure = statusFailure(response);
  const mayBeOld = method === "initialize" && oldStatuses.includes(response.statusCode ?? 0);
  const giveUp = (): void => (mayBeOld ? use.greetingRefused(failure) : use.failed(failure));
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
