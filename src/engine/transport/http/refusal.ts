// The answer of our listeners to a request that is not served: an HTTP status, and a JSON-RPC error for
// clients that read the body.

import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { JsonObject, JsonValue } from "../../../core/json/json-value.ts";
import { CONNECTION_CLOSED, INTERNAL_ERROR } from "../../../core/protocol/names.ts";

/** Why a request is not served: an HTTP status, and the JSON-RPC error of its body. */
export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue | undefined;
  readonly headers?: OutgoingHttpHeaders | undefined;
}

/** The code for refusals of HTTP itself, as in the SDKs. */
export const HTTP_REFUSAL = CONNECTION_CLOSED;

/** For a request that fails because of our own error. */
export const failedRefusal: Refusal = { status: 500, code: INTERNAL_ERROR, message: "Internal server error" };

export function bodyTooLarge(maxBytes: number): Refusal {
  return {
    status: 413,
    code: HTTP_REFUSAL,
    message: `Payload Too Large: Request body must not exceed ${maxBytes} bytes`,
  };
}

/** The id that a refusal repeats: the id of a single request, if it can be read. */
export function idToRepeat(body: unknown): string | number | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { method, id } = body as JsonObject;
  if (typeof method !== "string") return null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** The body that says why a request is not served. */
export function refusalBody(
  { status, code, message, data, headers }: Refusal,
  id: string | number | null = null,
): { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: string } {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message, data }, id });
  const bytes = new TextEncoder().encode(body).byteLength;
  const length = { "content-type": "application/json", "content-length": bytes };
  return { status, headers: { ...length, ...headers }, body };
}

/** Answers a request that is not served. */
export function refuse(response: ServerResponse, refusal: Refusal, id: string | number | null = null): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  tellRefusal(response, refusal);
  const { status, headers, body } = refusalBody(refusal, id);
  response.writeHead(status, headers);
  response.end(body);
}

const REFUSED = "waybill:refused";

/** Calls `listener` if the request of this response is refused, wherever that is decided. */
export function onRefusal(response: ServerResponse, listener: (refusal: Refusal) => void): void {
  response.once(REFUSED, listener);
}

export function tellRefusal(response: ServerResponse, refusal: Refusal): void {
  response.emit(REFUSED, refusal);
}
