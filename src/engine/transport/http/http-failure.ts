// What went wrong between the gateway and an HTTP server, in words for people and for the model. The words
// contain no address, no header and no text of the server except its own error text.

import type { IncomingMessage } from "node:http";
import { silentOnDiscover } from "../link.ts";

/** Whether the tool may have run, as far as the connection shows. */
type Executed = "no" | "unknown" | "yes";

export interface HttpFailure {
  /** The code of the JSON-RPC error. Default: that of the transport's own errors. */
  readonly code?: number;
  readonly message: string;
  readonly executed: Executed;
  /** The HTTP status that a client gets. */
  readonly status: number;
  /** True if the server itself cannot be reached; its health shows this. */
  readonly isDown: boolean;
  /** How a person lets the gateway in, if that is what is missing. */
  readonly signIn?: SignInAdvice | undefined;
}

/** How a person signs in, so that later requests are let in. */
export interface SignInAdvice {
  /** Where, if a sign-in is open. */
  readonly address: string | undefined;
  /** What the person or the model should do, with the address in it. */
  readonly advice: string;
}

const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;

/** An error of the connection. `hasSent`: the server may have got the request. */
export function connectionFailure(error: NodeJS.ErrnoException, hasSent: boolean): HttpFailure {
  const code = error.code ?? "unknown reason";
  const executed: Executed = hasSent ? "unknown" : "no";
  if (code === "ETIMEDOUT" && hasSent) return lateAnswer();
  const what = hasSent ? "closed the connection before it answered" : "could not be reached";
  return { message: `The server ${what} (${code})`, executed, status: BAD_GATEWAY, isDown: true };
}

export function lateAnswer(): HttpFailure {
  return {
    message: "The server did not answer in time (ETIMEDOUT)",
    executed: "unknown",
    status: GATEWAY_TIMEOUT,
    isDown: false,
  };
}

/** The server has opened a stream for `server/discover`, and says nothing on it. */
export function unansweredDiscover(): HttpFailure {
  return { ...silentOnDiscover, executed: "no", status: 404, isDown: false };
}

/** The connection broke, or ended, in the middle of an answer. */
export function brokenOff(): HttpFailure {
  return {
    message: "The server broke off its answer (ECONNRESET)",
    executed: "unknown",
    status: BAD_GATEWAY,
    isDown: false,
  };
}

export function neverAnswered(): HttpFailure {
  return {
    message: "The server ended its answer without the result (ECONNRESET)",
    executed: "unknown",
    status: BAD_GATEWAY,
    isDown: false,
  };
}

/** The server of the old transport has opened its stream, and does not say where messages go. */
export function noEndpoint(ms: number): HttpFailure {
  return {
    message: `The server opened its stream of events, but did not name an address for messages in ${ms} ms`,
    executed: "no",
    status: GATEWAY_TIMEOUT,
    isDown: false,
  };
}

/** Messages carry credentials, which belong to the configured server alone. */
export const foreignEndpoint: HttpFailure = {
  message:
    "The server names an address for messages that is not at its own origin, or no address at all. " +
    "Nothing was sent there. Configure the address at which the server itself is reached",
  executed: "no",
  status: BAD_GATEWAY,
  isDown: false,
};

export function tooManyStreams(max: number): HttpFailure {
  return {
    message: `${max} streams to this server are open already: try again later`,
    executed: "no",
    status: 503,
    isDown: false,
  };
}

export function answerTooLarge(maxBytes: number): HttpFailure {
  return {
    message: `The server's answer is larger than ${maxBytes} bytes, and was dropped`,
    executed: "yes",
    status: BAD_GATEWAY,
    isDown: false,
  };
}

export function wrongType(type: string): HttpFailure {
  const named = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : "none that can be read";
  return {
    message: `The server answered with content type ${named} where application/json or text/event-stream belongs`,
    executed: "unknown",
    status: BAD_GATEWAY,
    isDown: false,
  };
}

export function unreadableBody(): HttpFailure {
  return {
    message: "The server's answer is not a JSON-RPC message",
    executed: "unknown",
    status: BAD_GATEWAY,
    isDown: false,
  };
}

const hints: Readonly<Record<number, string>> = {
  401: "it wants other credentials. Set the upstream's headers, or sign in with `waybill login <url>`",
  403: "these credentials are not allowed to do that",
  404: "there is no MCP server at this address, or the session is gone",
  405: "there is no MCP server at this address, or it speaks another transport",
  413: "the request is too large for it",
};

/** Statuses that no client sees: redirects, which are never followed, and those below 200, which are not final. */
export function isWithheld(status: number): boolean {
  return status < 200 || (status >= 300 && status < 400);
}

/** The failure for a status that is not an answer. */
export function statusFailure({
  statusCode = 0,
  headers,
}: Pick<IncomingMessage, "statusCode" | "headers">): HttpFailure {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const hint = isRedirect
    ? "redirects are not followed. Configure the address it points to"
    : hints[statusCode];
  const wait = /^\d{1,6}$/.exec(headers["retry-after"] ?? "")?.[0];
  const retry = wait === undefined ? "" : `, retry after ${wait} seconds`;
  // Sent by a proxy in front of the server, or by the server before it read the request.
  const isBefore = statusCode === 429 || statusCode === 503 || (statusCode < 500 && statusCode !== 408);
  return {
    message: `The server answered HTTP ${statusCode}${hint === undefined ? "" : `: ${hint}`}${retry}`,
    executed: isBefore ? "no" : "unknown",
    status: isWithheld(statusCode) ? BAD_GATEWAY : statusCode,
    isDown: statusCode === 502 || statusCode === 503 || statusCode === 504,
  };
}

/** The code of JSON-RPC errors that the transport makes, as in the SDKs. */
const TRANSPORT_ERROR = -32_000;

/** The JSON-RPC error for a failure; `rawId` is the JSON text of the request's id. */
export function errorFor(
  rawId: string,
  { code = TRANSPORT_ERROR, message, executed, signIn }: HttpFailure,
): string {
  const said = signIn === undefined ? message : `${message}. ${signIn.advice}`;
  const error = { code, message: said, data: { executed } };
  return `{"jsonrpc":"2.0","id":${rawId},"error":${JSON.stringify(error)}}`;
}
