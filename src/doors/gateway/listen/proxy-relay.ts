import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handover } from "../../../engine/request/call-request.ts";
import { collectBody, mediaTypeOf, readBody } from "../../../engine/transport/http/http-body.ts";
import {
  type HttpFailure,
  brokenOff,
  errorFor,
  isWithheld,
  statusFailure,
  tooLarge,
} from "../../../engine/transport/http/http-failure.ts";
import { endsOfEvent } from "../../../engine/transport/http/sse-reader.ts";
import {
  type OpenRequest,
  type SentRequest,
  sendRequest,
} from "../../../engine/transport/http/http-target.ts";
import type { ProxyDoor } from "./ask-beside.ts";
import { ClientReply } from "./client-reply.ts";
import { EventRelay } from "./event-relay.ts";
import { headersToClient } from "./proxy-headers.ts";
import type { ProxySession } from "./proxy-session.ts";
import type { CalledAddress } from "./protected-resource.ts";

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
  const reply = new ClientReply(response, () => request?.abort());
  const fail = (failure: HttpFailure): void => reply.json(failure.status, errorFor("null", failure));
  request = sendRequest(door.target, sent, {
    response: (answer) => {
      const { statusCode = 0 } = answer;
      const isStream = statusCode === 200 && mediaTypeOf(answer) === "text/event-stream";
      door.report(statusCode >= 500 ? statusFailure(answer) : undefined);
      sent.status?.(statusCode);
      if (isWithheld(statusCode) && statusCode !== 304) {
        request?.abort();
        return fail(statusFailure(answer));
      }
      if (isStream) return relayStream(door, sent, answer, reply);
      return collectBody(answer, MAX_PAGE_BYTES, {
        bytes: (bytes) =>
          reply.whole(statusCode, headersToClient(sent.session.named(answer.headers), sent.called), bytes),
        tooLarge: () => fail(tooLarge(MAX_PAGE_BYTES)),
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
  answer: IncomingMessage,
  reply: ClientReply,
): void {
  reply.stream(200, headersToClient(session.named(answer.headers), called));
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
  relay.from(readBody(answer, { chunk: (chunk) => relay.chunk(chunk), end: over, broken: over }));
}
