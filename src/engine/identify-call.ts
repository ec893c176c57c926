import { IDEMPOTENCY_META_KEY, REQUEST_ID_META_KEY } from "../contract/wire-names.ts";
import { isRequestId, newRequestId } from "../contract/request-id.ts";
import type { RequestIdOrigin } from "../contract/profile.ts";
import type { CallRequest } from "./call-request.ts";
import type { ContractOptions } from "./contract-options.ts";
import { hashCredential } from "./http-facts.ts";
import { networkOf } from "./peer-address.ts";

export interface CallIdentity {
  readonly requestId: string;
  readonly requestIdFrom: RequestIdOrigin;
  readonly tenant: string;
  /** An anonymous caller: it can open an archive only by its full hash. */
  readonly isAnonymous: boolean;
  /** The verified caller. Limits and flags use it, never what a caller only claims. */
  readonly principal: string | undefined;
  /** What a caller that was not verified is limited by: its address, or the network it can choose addresses from. */
  readonly network: string | undefined;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly idempotencyKey: string | undefined;
}

function textAt(request: CallRequest, key: string): string | undefined {
  const value = request.meta[key];
  return typeof value === "string" && value !== "" && value.length <= 512 ? value : undefined;
}

/** Any key counts; a key that is not text is refused later, because its sender wants protection. */
function idempotencyKeyOf(request: CallRequest): string | undefined {
  const value = request.meta[IDEMPOTENCY_META_KEY];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : "";
}

function principalOf({ auth }: CallRequest): string | undefined {
  if (auth?.subject !== undefined) return `sub:${auth.subject}`;
  if (auth?.token === undefined) return undefined;
  return `token:${hashCredential(auth.token)}`;
}

/**
 * Whose archive a call reads and writes, by the best proof there is; undefined for anonymous callers.
 * An unverified token has a name of its own: it must not open what was kept while it was verified.
 */
function tenantOf(request: CallRequest, principal: string | undefined, name: string): string | undefined {
  if (principal !== undefined) return principal;
  if (request.isHttp !== true) return `local:${name}`;
  if (request.bearerHash !== undefined) return `bearer:${request.bearerHash}`;
  // Whoever has a session's id has the session, so its name is kept as a hash.
  return request.sessionId === undefined ? undefined : `session:${hashCredential(request.sessionId)}`;
}

/** Who calls, under which id, for whom: from what the transport says, never from what a model wrote. */
export function identifyCall(request: CallRequest, options: ContractOptions): CallIdentity {
  const given = textAt(request, REQUEST_ID_META_KEY);
  const isGiven = isRequestId(given);
  const principal = principalOf(request);
  const name = options.name ?? "waybill";
  const tenant = options.tenant?.(request) ?? tenantOf(request, principal, name);
  return {
    requestId: isGiven ? given : (options.requestIds ?? newRequestId)(),
    requestIdFrom: isGiven ? "client" : "server",
    principal,
    tenant: tenant ?? `anonymous:${name}`,
    isAnonymous: tenant === undefined,
    network: request.peer === undefined ? undefined : networkOf(request.peer),
    traceparent: textAt(request, "traceparent"),
    tracestate: textAt(request, "tracestate"),
    idempotencyKey: idempotencyKeyOf(request),
  };
}
