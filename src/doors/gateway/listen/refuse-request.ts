import { jsonRpcCodes } from "../../../core/protocol/json-rpc-error.ts";
import { HTTP_REFUSAL, type Refusal, failedRefusal } from "../../../engine/transport/http/refusal.ts";
import { INVALID_REQUEST, REQUEST_TIMEOUT } from "../../../core/protocol/names.ts";

/** The most open requests of one session, or of one caller of the modern era. */
export const MAX_OPEN_REQUESTS = 1_000;

const RETRY_SECONDS = 5;

/** A resource is used up and will be free again: in words, and in a form for programs. */
function unavailable(status: number, message: string): Refusal {
  return {
    status,
    code: HTTP_REFUSAL,
    message,
    data: { error_code: "UNAVAILABLE", retry_after_seconds: RETRY_SECONDS, executed: "no" },
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

export const httpRefusals = {
  methodNotAllowed: {
    status: 405,
    code: HTTP_REFUSAL,
    message: "Method not allowed.",
    headers: { allow: "GET, POST, DELETE" },
  },
  mediaType: {
    status: 415,
    code: HTTP_REFUSAL,
    message: "Unsupported Media Type: Content-Type must be application/json",
  },
  acceptBoth: {
    status: 406,
    code: HTTP_REFUSAL,
    message: "Not Acceptable: Client must accept both application/json and text/event-stream",
  },
  acceptStream: {
    status: 406,
    code: HTTP_REFUSAL,
    message: "Not Acceptable: Client must accept text/event-stream",
  },
  notJson: { status: 400, ...jsonRpcCodes.parseError },
  noMessage: {
    status: 400,
    code: INVALID_REQUEST,
    message: "Bad Request: the request body is not a valid JSON-RPC message",
  },
  noSession: {
    status: 400,
    code: HTTP_REFUSAL,
    message: "Bad Request: Mcp-Session-Id header is required",
  },
  unknownSession: { status: 404, code: REQUEST_TIMEOUT, message: "Session not found" },
  secondGreeting: {
    status: 400,
    code: INVALID_REQUEST,
    message: "Invalid Request: Server already initialized",
  },
  secondStream: {
    status: 409,
    code: HTTP_REFUSAL,
    message: "Conflict: Only one SSE stream is allowed per session",
  },
  openStream: {
    status: 409,
    code: HTTP_REFUSAL,
    message: "Conflict: Stream already has an active connection",
  },
  unknownEvent: { status: 400, code: HTTP_REFUSAL, message: "Invalid event ID format" },
  usedId: {
    status: 400,
    code: INVALID_REQUEST,
    message: "Invalid Request: a request with this id is still being answered",
  },
  failed: failedRefusal,
  closing: { status: 503, code: HTTP_REFUSAL, message: "The gateway is shutting down" },
  full: unavailable(503, "Every process of this upstream is in use. Try again in a few seconds"),
  share: unavailable(
    503,
    "You use all processes of this upstream that one caller may have. End a session, or try again in a few seconds",
  ),
  exhausted: unavailable(503, "The gateway cannot start another process now. Try again in a few seconds"),
  tooManyOpen: unavailable(429, "Too many of your requests wait for an answer. Try again in a few seconds"),
} as const satisfies Readonly<Record<string, Refusal>>;

const MAX_SHOWN_PATHS = 10;

/** The names are not secret: `/readyz` shows them too. */
export function noPath(paths: readonly string[]): Refusal {
  const more = paths.length - MAX_SHOWN_PATHS;
  const shown = [...paths.slice(0, MAX_SHOWN_PATHS), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const message = `Not Found: no upstream has this path. ${shown === "" ? "There are no upstreams" : `There are: ${shown}`}`;
  return { status: 404, code: HTTP_REFUSAL, message };
}
