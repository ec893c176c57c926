import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { type MaybePromise, isPromiseLike } from "../../resilience/maybe-promise.ts";

/** Why a request is not served: an HTTP status, and the JSON-RPC error of its body. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue | undefined;
  readonly headers?: OutgoingHttpHeaders | undefined;
}

/** The code for what HTTP itself refuses, as the SDKs have it. */
const HTTP_REFUSAL = -32000;

/** Requests without an answer that one session, or one caller of the modern era, may have at once. */
export const MAX_OPEN_REQUESTS = 1_000;

const RETRY_SECONDS = 5;

/** Something is used up that will be free again: the words, and the same for programs. */
function unavailable(status: number, message: string): Refusal {
  return {
    status,
    code: HTTP_REFUSAL,
    message,
    data: { error_code: "UNAVAILABLE", retry_after_seconds: RETRY_SECONDS, executed: "no" },
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

export const refusals = {
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
  notJson: { status: 400, code: -32700, message: "Parse error: Invalid JSON" },
  noMessage: {
    status: 400,
    code: -32600,
    message: "Bad Request: the request body is not a valid JSON-RPC message",
  },
  noSession: {
    status: 400,
    code: HTTP_REFUSAL,
    message: "Bad Request: Mcp-Session-Id header is required",
  },
  unknownSession: { status: 404, code: -32001, message: "Session not found" },
  secondGreeting: { status: 400, code: -32600, message: "Invalid Request: Server already initialized" },
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
    code: -32600,
    message: "Invalid Request: a request with this id is still being answered",
  },
  failed: { status: 500, code: -32603, message: "Internal server error" },
  closing: { status: 503, code: HTTP_REFUSAL, message: "The gateway is shutting down" },
  full: unavailable(503, "Every process of this upstream is in use. Try again in a few seconds"),
  share: unavailable(
    503,
    "You use all processes of this upstream that one caller may have. End a session, or try again in a few seconds",
  ),
  tooManyOpen: unavailable(429, "Too many of your requests wait for an answer. Try again in a few seconds"),
} as const satisfies Readonly<Record<string, Refusal>>;

const MAX_SHOWN_PATHS = 10;

/** The names are no secret: `/readyz` tells them too. */
export function noPath(paths: readonly string[]): Refusal {
  const more = paths.length - MAX_SHOWN_PATHS;
  const shown = [...paths.slice(0, MAX_SHOWN_PATHS), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const message = `Not Found: no upstream has this path. ${shown === "" ? "There are none" : `There are: ${shown}`}`;
  return { status: 404, code: HTTP_REFUSAL, message };
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return {
    status: 413,
    code: HTTP_REFUSAL,
    message: `Payload Too Large: Request body must not exceed ${maxBytes} bytes`,
  };
}

/** The id that a refusal repeats: that of a single request, where it can be read. */
export function idToRepeat(body: unknown): string | number | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { method, id } = body as JsonObject;
  if (typeof method !== "string") return null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** The response that says why a request is not served. */
export function refusalBody(
  { status, code, message, data, headers }: Refusal,
  id: string | number | null = null,
): { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: string } {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message, data }, id });
  const length = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return { status, headers: { ...length, ...headers }, body };
}

/** What fails later ends one request, as what fails at once does. */
export function refuseFailed(serving: MaybePromise<void>, response: ServerResponse): void {
  if (isPromiseLike(serving)) serving.catch(() => refuse(response, refusals.failed));
}

/** Answers a request that is not served. */
export function refuse(response: ServerResponse, refusal: Refusal, id: string | number | null = null): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, headers, body } = refusalBody(refusal, id);
  response.writeHead(status, headers);
  response.end(body);
}
