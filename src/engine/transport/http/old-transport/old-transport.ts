// Servers of the HTTP+SSE transport of 2024-11-05, behind the functions that speak Streamable HTTP: each request gets the
// answer that a server of today would have given, so no other code has to know.

import { DISCOVER, type ServerTransport } from "../../../../core/protocol/names.ts";
import { silentOnDiscover } from "../../link.ts";
import { MAX_MESSAGE_BYTES } from "../../stream-link.ts";
import { type HttpFailure, foreignEndpoint, statusFailure, tooManyStreams } from "../http-failure.ts";
import {
  type Exchange,
  type HttpAnswer,
  type HttpAnswerListener,
  type HttpTarget,
  type OpenRequest,
  type SentRequest,
  openTarget,
  sendDirect,
} from "../http-target.ts";
import { outgoing } from "../message-headers.ts";
import { madeJson } from "./made-answer.ts";
import { OldSession, unknownSession } from "./old-session.ts";
import type { Opening } from "./old-stream.ts";

/** The statuses with which a server of the old transport answers a POST to the address of its stream. */
const oldStatuses: readonly (number | undefined)[] = [400, 404, 405];
/** A server that wants to know who asks says so to the GET too. */
const whoAsks: readonly (number | undefined)[] = [401, 403];
/** How long a server that refused the greeting may take to show that it speaks the old transport. */
const PROBE_MS = 3_000;
const OPEN_MS = 60_000;
/** Each holds a connection to the server. */
const MAX_SESSIONS = 1_000;

export interface McpTargetOptions {
  /** Default: "auto". */
  readonly transport?: ServerTransport | undefined;
  /** The longest message that is read. Default: 128 MiB. */
  readonly maxMessageBytes?: number | undefined;
}

/** Opens an MCP server behind a URL, of either transport. */
export function openMcpTarget(
  address: string,
  headers: Readonly<Record<string, string>> | undefined,
  { transport = "auto", maxMessageBytes = MAX_MESSAGE_BYTES }: McpTargetOptions,
): HttpTarget {
  const target = openTarget(address, headers);
  if (transport === "http") return target;
  const exchange = new OldTransport(transport === "sse", maxMessageBytes);
  return {
    ...target,
    exchange,
    close: () => {
      exchange.close();
      target.close();
    },
  };
}

/** Decides by the first greeting which transport the server speaks, unless that is said. */
class OldTransport implements Exchange {
  readonly #isFixed: boolean;
  readonly #maxBytes: number;
  readonly #sessions = new Map<string, OldSession>();
  /** The server is known to speak the old transport. */
  #isOld: boolean;

  constructor(isFixed: boolean, maxBytes: number) {
    this.#isFixed = isFixed;
    this.#isOld = isFixed;
    this.#maxBytes = maxBytes;
  }

  send(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest {
    const named = sent.headers["mcp-session-id"];
    const session = typeof named === "string" ? this.#sessions.get(named) : undefined;
    if (session !== undefined) return inSession(session, target, sent, answered);
    const isGreeting = named === undefined && greets(sent);
    if (!this.#isOld && !isGreeting) return sendDirect(target, sent, answered);
    if (!isGreeting) return answerLater(answered, () => outside(named !== undefined, sent));
    return this.#isOld ? this.#greetOld(target, sent, answered) : this.#greet(target, sent, answered);
  }

  close(): void {
    for (const session of this.#sessions.values()) session.end();
  }

  /** As the protocol says: a POST first, and if that is refused, a GET whose stream names the address for messages. */
  #greet(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest {
    let current: OpenRequest | undefined;
    let isGone = false;
    const first = sendDirect(target, sent, {
      failed: answered.failed,
      response: (response) => {
        if (!oldStatuses.includes(response.statusCode)) return answered.response(response);
        // It is read only if the GET gives no stream; until then it may break off.
        response.on("error", () => undefined);
        current = this.#open(target, sent, PROBE_MS, answered, (opening) => {
          if (isGone) return discard(response);
          if (opening.is === "failed" && isTelling(opening.failure)) {
            discard(response);
            return answered.failed(opening.failure);
          }
          if (opening.is === "refused" && whoAsks.includes(opening.answer.statusCode)) {
            discard(response);
            return answered.response(opening.answer);
          }
          if (opening.is === "open") return discard(response);
          if (opening.is === "refused") discard(opening.answer);
          return response.destroyed ? answered.failed(statusFailure(response)) : answered.response(response);
        });
      },
    });
    return {
      abort: () => {
        isGone = true;
        first.abort();
        current?.abort();
      },
    };
  }

  #greetOld(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest {
    let current: OpenRequest | undefined;
    const opened = this.#open(target, sent, sent.answerTimeoutMs ?? OPEN_MS, answered, (opening) => {
      if (opening.is === "open") return undefined;
      if (opening.is === "failed") return answered.failed(opening.failure);
      if (this.#isFixed || !oldStatuses.includes(opening.answer.statusCode))
        return answered.response(opening.answer);
      // Another server is at this address now.
      discard(opening.answer);
      this.#isOld = false;
      current = sendDirect(target, sent, answered);
      return undefined;
    });
    return {
      abort: () => {
        opened.abort();
        current?.abort();
      },
    };
  }

  /** Opens a session, and greets in it. `done` is called before, with what came of it. */
  #open(
    target: HttpTarget,
    sent: SentRequest,
    timeoutMs: number,
    answered: HttpAnswerListener,
    done: (opening: Opening) => void,
  ): OpenRequest {
    const message = sent.body === undefined ? undefined : outgoing(sent.body);
    if (this.#sessions.size >= MAX_SESSIONS || message === undefined) {
      process.nextTick(() => done({ is: "failed", failure: tooManyStreams(MAX_SESSIONS) }));
      return { abort: () => undefined };
    }
    const session = new OldSession(this.#maxBytes, ({ id }) => void this.#sessions.delete(id));
    let current: OpenRequest | undefined;
    const opened = session.begin(target, sent, timeoutMs, (opening) => {
      done(opening);
      if (opening.is !== "open") return session.end();
      this.#isOld = true;
      this.#sessions.set(session.id, session);
      current = session.post(target, sent, message, {
        response: answered.response,
        failed: (failure) => {
          session.end();
          answered.failed(failure);
        },
      });
      return undefined;
    });
    return {
      abort: () => {
        opened.abort();
        current?.abort();
      },
    };
  }
}

function inSession(
  session: OldSession,
  target: HttpTarget,
  sent: SentRequest,
  answered: HttpAnswerListener,
): OpenRequest {
  if (sent.method === "GET") return session.listen(target, sent, answered);
  if (sent.method === "DELETE") {
    session.end();
    return answerLater(answered, () => madeJson(200, Buffer.from("{}")));
  }
  const message = sent.body === undefined ? undefined : outgoing(sent.body);
  if (message === undefined) return answerLater(answered, () => madeJson(400, notOne));
  return session.post(target, sent, message, answered);
}

const notOne = Buffer.from(
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: one JSON-RPC message belongs here"}}',
);

/** A failure that says more than the refusal of the POST. */
function isTelling(failure: HttpFailure): boolean {
  return failure === foreignEndpoint || failure.signIn !== undefined;
}

/** Whether a request greets the server. Most others are known without being parsed. */
function greets({ method, body }: SentRequest): boolean {
  if (method !== "POST" || body === undefined) return false;
  if (!Buffer.from(body.buffer, body.byteOffset, body.length).includes('"initialize"')) return false;
  return outgoing(body)?.method === "initialize";
}

/** The answer to a request in no session that is open here: there is nothing of the later revisions at this server. */
function outside(isNamed: boolean, { method, body }: SentRequest): HttpAnswer {
  if (isNamed) return unknownSession();
  const asked = method === "POST" && body !== undefined ? outgoing(body) : undefined;
  const id = asked?.rawId ?? "null";
  if (asked?.method === DISCOVER)
    return madeJson(
      404,
      Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(silentOnDiscover)}}`),
    );
  const error = {
    code: -32_000,
    message: "Bad Request: the server must be greeted first, with initialize",
  };
  return madeJson(
    method === "POST" ? 400 : 405,
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`),
  );
}

function answerLater(answered: HttpAnswerListener, make: () => HttpAnswer): OpenRequest {
  let isGone = false;
  process.nextTick(() => {
    if (!isGone) answered.response(make());
  });
  return { abort: () => void (isGone = true) };
}

function discard(response: HttpAnswer): void {
  response.on("error", () => undefined).resume();
}
