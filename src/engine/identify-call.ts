import { createHash } from "node:crypto";
import { isRequestId, newRequestId } from "../contract/request-id.ts";
import type { RequestIdOrigin } from "../contract/profile.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractOptions } from "./contract-options.ts";

const REQUEST_ID_KEY = "waybill/request_id";
const IDEMPOTENCY_KEY = "waybill/idempotency_key";

export interface CallIdentity {
  readonly requestId: string;
  readonly requestIdFrom: RequestIdOrigin;
  readonly tenant: string;
  /** Who is limited: the principal, else the session, else this connection. */
  readonly principal: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly idempotencyKey: string | undefined;
}

function textAt(request: CallRequest, key: string): string | undefined {
  const value = request.meta[key];
  return typeof value === "string" && value !== "" && value.length <= 512 ? value : undefined;
}

/** Any key counts: one that is no text is refused later, since unprotected is not what its sender meant. */
function idempotencyKeyOf(request: CallRequest): string | undefined {
  const value = request.meta[IDEMPOTENCY_KEY];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

function principalOf({ auth }: CallRequest): string | undefined {
  if (auth?.subject !== undefined) return `sub:${auth.subject}`;
  if (auth?.token === undefined) return undefined;
  return `token:${createHash("sha256").update(auth.token).digest("hex").slice(0, 32)}`;
}

/** Who calls, under which id, for whom: from what the transport verified, never from what a model wrote. */
export function identifyCall(request: CallRequest, options: ContractOptions): CallIdentity {
  const given = textAt(request, REQUEST_ID_KEY);
  const isGiven = isRequestId(given);
  const principal = principalOf(request);
  return {
    requestId: isGiven ? given : (options.requestIds ?? newRequestId)(),
    requestIdFrom: isGiven ? "client" : "server",
    principal,
    tenant: options.tenant?.(request) ?? principal ?? `local:${options.name ?? "waybill"}`,
    traceparent: textAt(request, "traceparent"),
    tracestate: textAt(request, "tracestate"),
    idempotencyKey: idempotencyKeyOf(request),
  };
}
