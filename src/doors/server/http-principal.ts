import { ContractError } from "../../core/contract/contract-error.ts";
import { HTTP_REFUSAL, type Refusal } from "../../engine/transport/http/refusal.ts";
import type { Principal } from "./serve-options.ts";

/** Who calls, in the form in which the SDK hands it to handlers. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  extra: Record<string, unknown>;
}

function bearerOf(request: Request): string {
  return /^Bearer +(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

/** A request whose sender nobody knows. Clients that have a way to sign in start it when they read this. */
export function nobody(request: Request): Refusal {
  const hasTried = request.headers.has("authorization");
  return {
    status: 401,
    code: HTTP_REFUSAL,
    message: hasTried ? "Unauthorized: these credentials are not valid" : "Unauthorized: sign in first",
    headers: { "www-authenticate": hasTried ? 'Bearer error="invalid_token"' : "Bearer" },
  };
}

/** A subject that is no text would put all callers together, so it serves nobody. */
export function toAuthInfo(principal: Principal, request: Request): AuthInfo {
  const given = typeof principal === "string" ? { subject: principal } : principal;
  const { subject, clientId, scopes, extra } = Object(given) as Partial<Exclude<Principal, string>>;
  if (typeof subject !== "string" || subject === "")
    throw new ContractError(
      "INVALID_OPTION",
      "serve: auth gave neither undefined nor a principal. Return a subject that is not empty, or { subject, clientId, scopes, extra }.",
      { option: "auth" },
    );
  return {
    token: bearerOf(request),
    clientId: clientId ?? subject,
    scopes: [...(scopes ?? [])],
    extra: { ...extra, sub: subject },
  };
}
