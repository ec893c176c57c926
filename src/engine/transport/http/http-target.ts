import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import { type Credentials, sendWithCredentials } from "./credentials.ts";
import { type HttpFailure, connectionFailure } from "./http-failure.ts";

/** One HTTP server behind the gateway: its address, the headers of every request, and its open connections. */
export interface HttpTarget {
  readonly url: URL;
  /** The operator's own headers, in lower case; they override all others. */
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: http.Agent;
  /** Shown with every request, unless the operator's own headers show something already. */
  readonly credentials?: Credentials | undefined;
  /** Takes each request in place of this module, for a server of another transport. */
  readonly exchange?: Exchange | undefined;
  /** Ends all connections, idle or in use. */
  close(): void;
}

/**
 * Below the 5 s after which Node's own servers close an idle connection, so that no request is sent while it
 * closes.
 */
const IDLE_SOCKET_MS = 4_000;
const MAX_IDLE_SOCKETS = 64;
const CONNECT_TIMEOUT_MS = 10_000;

/** A password in a URL may contain a % that does not start an escape; the % is then taken literally. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A name and password in the address are sent as Basic authorization, as every client does, and removed from
 * the URL.
 */
function basicOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

export function openTarget(address: string, headers: Readonly<Record<string, string>> = {}): HttpTarget {
  const url = new URL(address);
  const basic = basicOf(url);
  url.username = "";
  url.password = "";
  const fixed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (basic !== undefined) fixed["authorization"] ??= basic;
  const settings = { keepAlive: true, timeout: IDLE_SOCKET_MS, maxFreeSockets: MAX_IDLE_SOCKETS };
  const agent = url.protocol === "https:" ? new https.Agent(settings) : new http.Agent(settings);
  return { url, headers: fixed, agent, close: () => agent.destroy() };
}

export interface SentRequest {
  readonly method: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body?: Uint8Array | undefined;
  /** True if the request may be sent twice without harm, should a kept connection turn out to be closed. */
  readonly isRepeatable: boolean;
  /** How long the server may take to answer with a status. Default: no limit. */
  readonly answerTimeoutMs?: number | undefined;
  /** Called when it is sent once more, because the server did not accept its credentials. */
  readonly repeated?: (() => void) | undefined;
  /** Sends it again with other credentials. Default: it is sent as it was. */
  readonly again?: (() => void) | undefined;
  /** Somebody waits for the answer, and may sign in for it. Default: true for a POST. */
  readonly isWaitedFor?: boolean | undefined;
}

/** A server's answer to one request, as far as its status and headers; the body is read from it. */
export interface HttpAnswer extends Readable, Pick<http.IncomingMessage, "headers" | "complete"> {
  readonly statusCode?: number | undefined;
}

/** Exactly one of the two is called, once. */
export interface HttpAnswerListener {
  /** The status and headers have arrived; the caller reads the body. Redirects come here like any other status. */
  readonly response: (response: HttpAnswer) => void;
  readonly failed: (failure: HttpFailure) => void;
}

export interface OpenRequest {
  /** Closes the connection, even during the body; after that only the body's own reader is called. */
  abort(): void;
}

/** Makes the answers of Streamable HTTP out of what a server of another transport sends. */
export interface Exchange {
  send(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest;
}

/** Errors of a kept connection that the server closes at the same moment. */
const staleCodes: readonly (string | undefined)[] = ["ECONNRESET", "EPIPE"];

/** Sends one request, or gives it to the target's exchange. It never follows a redirect, and it never throws. */
export function sendRequest(
  target: HttpTarget,
  sent: SentRequest,
  answered: HttpAnswerListener,
): OpenRequest {
  return target.exchange === undefined
    ? sendDirect(target, sent, answered)
    : target.exchange.send(target, sent, answered);
}

/** Sends one request over HTTP as it is. */
export function sendDirect(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest {
  const { credentials, headers } = target;
  if (credentials === undefined || headers["authorization"] !== undefined)
    return sendOnce(target, sent, answered);
  return sendWithCredentials(credentials, sent, answered, (shown, heard) => sendOnce(target, shown, heard));
}

function sendOnce(target: HttpTarget, sent: SentRequest, answered: HttpAnswerListener): OpenRequest {
  const { url, agent } = target;
  let isOver = false;
  let current: http.ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  const once = (run: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    run();
  };
  const give = (error: NodeJS.ErrnoException, hasSent: boolean): void =>
    once(() => answered.failed(connectionFailure(error, hasSent)));

  const start = (isAgain: boolean): void => {
    const { method, body, isRepeatable } = sent;
    const length = body === undefined ? {} : { "content-length": body.length };
    const headers = { ...sent.headers, ...target.headers, ...length };
    const open = url.protocol === "https:" ? https.request : http.request;
    // A new connection for the second attempt: other kept connections may be closed too.
    const request = open(url, { method, headers, agent: isAgain ? false : agent });
    current = request;
    let isConnected = false;
    request.on("socket", (socket) => {
      if (!socket.connecting) {
        isConnected = true;
        return;
      }
      const late = setTimeout(() => request.destroy(timeoutError("connect")), CONNECT_TIMEOUT_MS);
      const ready = (): void => {
        isConnected = true;
        clearTimeout(late);
      };
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", ready);
      socket.once("close", () => clearTimeout(late));
    });
    request.on("response", (response) => once(() => answered.response(response)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && staleCodes.includes(error.code);
      if (isStale && isRepeatable && !isAgain && !isOver) start(true);
      else give(error, isConnected);
    });
    request.end(body);
  };

  try {
    start(false);
  } catch (error) {
    // A header that no request may carry; nothing was sent.
    process.nextTick(() => give(error as NodeJS.ErrnoException, false));
  }
  const { answerTimeoutMs } = sent;
  if (answerTimeoutMs !== undefined && !isOver)
    timer = setTimeout(() => current?.destroy(timeoutError("answer")), answerTimeoutMs);
  return {
    abort: () => {
      isOver = true;
      clearTimeout(timer);
      current?.destroy();
    },
  };
}

function timeoutError(what: "connect" | "answer"): NodeJS.ErrnoException {
  return Object.assign(new Error(`No ${what} in time`), { code: "ETIMEDOUT", syscall: what });
}
