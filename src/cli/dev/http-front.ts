// Keeps the HTTP connections of clients while the process of their server is replaced: it listens where the server would,
// and passes each request on to the process of the moment. While a new process starts, requests wait; a subscription is
// taken up again there, and its client sees no end.

import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as askHttp,
} from "node:http";
import { isJsonObject, jsonIn } from "../../core/json/json-value.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";
import { GuardedServer } from "../../engine/transport/http/guarded-server.ts";
import {
  HTTP_REFUSAL,
  type Refusal,
  failedRefusal,
  idToRepeat,
  refuse,
} from "../../engine/transport/http/refusal.ts";
import { MAX_BODY_BYTES, receiveBody } from "../../engine/transport/http/request-guard.ts";
import { SseReader } from "../../engine/transport/http/sse-reader.ts";
import { CUT_OFF, REPLACED, lostError } from "./gone-process.ts";

/** How long a request waits for a process that takes it. */
const WAIT_MS = 60_000;
/** How long after a broken connection the end of its process may become known. */
const EXIT_MS = 2_000;
/** More requests than a developer's clients have; they would only fill the memory. */
const MAX_WAITING = 1_000;

const down: Refusal = {
  status: 503,
  code: HTTP_REFUSAL,
  message: "The server does not run: see where it was started.",
};
/** They are about one connection, and there are two. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** One request of a client, until it is answered. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly method: string | undefined;
  readonly id: string | number | null;
}

interface FrontState {
  readonly port: number;
  readonly down: string;
  readonly isClosed: boolean;
}

/**
 * How a process took a request. `refused`: not at all; `lost`: it was gone before its answer began; `ended`: before the
 * answer's end.
 */
type Taken = "answered" | "refused" | "lost" | "ended";

export class HttpFront {
  readonly #server: GuardedServer;
  /** The port of the process that takes requests; undefined while there is none. */
  #port: number | undefined;
  /** Why the last process ended by itself; no other is to come before a file changes. */
  #down: string | undefined;
  #isClosed = false;
  /** What waits for another state. */
  readonly #checks = new Set<() => void>();
  /** What a process was asked and has not answered. */
  readonly #asked = new PendingRequests<true, Exchange>();

  constructor(troubled: (error: unknown) => void) {
    this.#server = new GuardedServer(
      {},
      {
        take: (request, response) => this.#take(request, response),
        failed: (error, response) => {
          troubled(error);
          refuse(response, failedRefusal);
        },
        troubled,
      },
    );
  }

  listen(port: number, host: string): ReturnType<GuardedServer["listen"]> {
    return this.#server.listen(port, host);
  }

  /** A process takes requests at this port of 127.0.0.1. */
  ready(port: number): void {
    this.#becomes({ port });
  }

  /** The process is to be replaced: requests wait. Those that it has it may still answer. */
  leave(): void {
    this.#becomes({});
  }

  /** Resolves when the process has answered what it was asked, or when the time is over. */
  async settled(limitMs: number): Promise<void> {
    await this.#asked.idle(limitMs);
  }

  /** The process has ended by itself: requests are refused. `why` is a sentence for clients whose requests it had. */
  down(why: string): void {
    this.#becomes({ down: why });
  }

  close(): Promise<void> {
    this.#becomes({ isClosed: true });
    return this.#server.close();
  }

  #becomes({ port, down: why, isClosed = this.#isClosed }: Partial<FrontState>): void {
    [this.#port, this.#down, this.#isClosed] = [port, why, isClosed];
    for (const check of this.#checks) check();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    receiveBody(request, response, MAX_BODY_BYTES, (body) => {
      const message = body.length === 0 ? undefined : jsonIn(body.toString());
      const method = isJsonObject(message) ? message["method"] : undefined;
      const named = typeof method === "string" ? method : undefined;
      return this.#deliver({ request, response, body, method: named, id: idToRepeat(message) });
    });
  }

  async #deliver(exchange: Exchange): Promise<void> {
    const { response, method, id } = exchange;
    // It has no answer to wait for, so it stays open while the code is half an edit.
    const isPatient = method === SUBSCRIBE;
    const isAwaited = id !== null && !isPatient;
    for (let tries = 1; !response.destroyed; tries += 1) {
      if (this.#checks.size >= MAX_WAITING) return giveUp(exchange, down);
      const isOver = (): boolean =>
        this.#port !== undefined || this.#isClosed || (this.#down !== undefined && !isPatient);
      await this.#until(isOver, exchange, isPatient ? undefined : WAIT_MS);
      const port = this.#port;
      if (port === undefined) return giveUp(exchange, down);
      const isReplaced = (): boolean => this.#port !== port;
      if (isAwaited) this.#asked.add(exchange, true);
      const taken = await forward(port, exchange, isReplaced);
      this.#asked.take(exchange);
      if (taken === "answered") return undefined;
      // The connection ends a moment before it is known that the process has.
      await this.#until(isReplaced, exchange, EXIT_MS);
      // What changes nothing is asked again; a call may have done its work.
      const isHarmless = taken === "refused" || (taken === "lost" && method !== "tools/call");
      if (!isReplaced() || !(isPatient || (isHarmless && tries < MAX_TRIES)))
        return giveUp(exchange, id === null ? down : this.#lost(isReplaced()));
    }
    return undefined;
  }

  /** The answer to a request that was lost with its process. */
  #lost(isReplaced: boolean): Refusal {
    const why = isReplaced && !this.#isClosed ? REPLACED : CUT_OFF;
    return { status: 200, ...lostError(this.#down ?? why) };
  }

  /** Resolves when this holds, when the time is over, or when the client has left. */
  #until(holds: () => boolean, { response }: Exchange, ms?: number): Promise<void> {
    if (holds() || response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
        response.off("close", end);
        resolve();
      };
      const check = (): void => {
        if (holds()) end();
      };
      const timer = ms === undefined ? undefined : setTimeout(end, ms);
      this.#checks.add(check);
      response.once("close", end);
    });
  }
}

const SUBSCRIBE = "subscriptions/listen";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const MAX_TRIES = 3;
const UNAVAILABLE = 503;

function giveUp({ response, id }: Exchange, refusal: Refusal): void {
  if (!response.headersSent) return refuse(response, refusal, id);
  const { code, message, data } = refusal;
  if (id !== null) response.write(eventOf({ jsonrpc: "2.0", id, error: { code, message, data } }));
  response.end();
  return undefined;
}

function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Passes a request on. `isReplaced`: whether another process is to take over what this one leaves open. */
function forward(port: number, exchange: Exchange, isReplaced: () => boolean): Promise<Taken> {
  const { request, response, body } = exchange;
  const headers: OutgoingHttpHeaders = {};
  for (const [name, values = []] of Object.entries(request.headersDistinct))
    if (!ofConnection.has(name)) headers[name] = values.length === 1 ? (values[0] ?? "") : values;
  if (body.length > 0) headers["content-length"] = String(body.length);
  return new Promise((resolve) => {
    const asked: ClientRequest = askHttp({
      host: "127.0.0.1",
      port,
      method: request.method,
      path: request.url,
      headers,
      agent: false,
    });
    const leave = (): void => void asked.destroy();
    response.once("close", leave);
    const end = (taken: Taken): void => {
      response.off("close", leave);
      resolve(response.destroyed ? "answered" : taken);
    };
    asked.once("error", ({ code }: NodeJS.ErrnoException) =>
      end(code === "ECONNREFUSED" ? "refused" : "lost"),
    );
    asked.once("response", (answer) => void pass(answer, exchange, isReplaced).then(end));
    asked.end(body);
  });
}

function isEvents({ headers }: IncomingMessage): boolean {
  return headers["content-type"]?.startsWith("text/event-stream") === true;
}

/** Writes the answer of a process; a broken one ends as the connection to it did. */
async function pass(answer: IncomingMessage, exchange: Exchange, isReplaced: () => boolean): Promise<Taken> {
  const { response } = exchange;
  if (isEvents(answer)) return passEvents(answer, exchange, isReplaced);
  // As `serve` answers while it ends; or a subscription that was open already is not taken up again.
  const isEnding = answer.statusCode === UNAVAILABLE && isReplaced();
  if (isEnding || response.headersSent) {
    answer.resume();
    return isEnding ? "refused" : "ended";
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
  } catch {
    return "ended";
  }
  writeHead(answer, response);
  response.end(Buffer.concat(chunks));
  return "answered";
}

function writeHead({ statusCode = 502, headersDistinct }: IncomingMessage, response: ServerResponse): void {
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!ofConnection.has(name)) response.setHeader(name, values);
  response.writeHead(statusCode);
}

/** Events as they come. What a replaced process says to the end of a subscription is not passed on. */
function passEvents(answer: IncomingMessage, exchange: Exchange, isReplaced: () => boolean): Promise<Taken> {
  const { response, method, id } = exchange;
  const isTakenUp = response.headersSent;
  if (!isTakenUp) {
    writeHead(answer, response);
    response.flushHeaders();
  }
  let isAnswered = id === null;
  const reader = new SseReader(Number.MAX_SAFE_INTEGER, {
    event: ({ raw, data }) => {
      const message = data === undefined ? undefined : jsonIn(data.toString());
      const said = isJsonObject(message) ? message : {};
      if (isTakenUp && said["method"] === ACKNOWLEDGED) return;
      const isAnswer = said["method"] === undefined && said["id"] === id && id !== null;
      if (isAnswer && method === SUBSCRIBE && isReplaced()) return;
      isAnswered ||= isAnswer;
      response.write(raw);
    },
    oversized: () => undefined,
  });
  return new Promise((resolve) => {
    answer.on("data", (chunk: Buffer) => reader.take(chunk));
    answer.once("error", () => undefined);
    answer.once("close", () => {
      if (isAnswered) response.end();
      resolve(isAnswered ? "answered" : "ended");
    });
  });
}
