// Who calls a server over HTTP: what `auth` says of a request, what a client is told so that it can sign in, and which
// calls are refused because their caller lacks a scope.

import { ContractError } from "../../core/contract/contract-error.ts";
import { writeErrorData } from "../../core/contract/error-data.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import { missingScopes } from "../../engine/call/required-scopes.ts";
import { admitBearer, bearerOf } from "../../engine/request/sign-in/admit-bearer.ts";
import type { BearerAuth } from "../../engine/request/sign-in/bearer-auth.ts";
import {
  type CalledAddress,
  calledScheme,
  metadataAddress,
  resourceMetadata,
  withParameters,
} from "../../engine/request/sign-in/protected-resource.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { CHALLENGE, type Refused } from "../../engine/request/sign-in/verdict.ts";
import { HTTP_REFUSAL, type Refusal } from "../../engine/transport/http/refusal.ts";
import { type Contract, stateOf } from "./create-contract.ts";
import { type Authenticate, type Principal, type ServeAuth } from "./sign-in-options.ts";

/** The caller, in the form in which the SDK gives it to handlers. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  extra: Record<string, unknown>;
}

/** Who sent a request, or why it is refused. */
type Sender = { readonly authInfo: AuthInfo | undefined } | { readonly refusal: Refusal };

interface SignInOptions {
  /** The function that the options belong to. */
  readonly owner: string;
  readonly auth: ServeAuth | undefined;
  readonly contract: Contract;
  /** The name that people see. */
  readonly name: string | undefined;
}

export class SignIn {
  readonly #owner: string;
  readonly #ask: Authenticate | undefined;
  readonly #bearer: BearerAuth | undefined;
  readonly #contract: Contract;
  readonly #name: string | undefined;
  /** By the names of the tools that need some. */
  #scopes: ReadonlyMap<string, readonly string[]> = new Map();

  constructor({ owner, auth, contract, name }: SignInOptions) {
    this.#owner = owner;
    this.#contract = contract;
    this.#name = name;
    if (typeof auth === "function") this.#ask = auth;
    else this.#bearer = auth;
    this.follow(contract.tools);
  }

  /** Asks for the scopes of these tools from now on. Throws, and changes nothing, where no caller could have them. */
  follow(tools: readonly AnyTool[]): void {
    const scopes = scopesOf(this.#contract, tools);
    const [scoped] = scopes;
    if (scoped !== undefined && this.#ask === undefined) {
      if (this.#bearer === undefined) throw nobodyChecks(this.#owner, ...scoped);
      if (this.#bearer.jwt === undefined) throw noScopesGiven(this.#owner, ...scoped);
    }
    this.#scopes = scopes;
  }

  /** The metadata of the server at a path, which any client may read; undefined if its callers have no issuer. */
  metadata(request: Request, path: string): object | undefined {
    const issuer = this.#bearer?.jwt?.issuer;
    if (issuer === undefined) return undefined;
    const scopes = [...new Set([...this.#scopes.values()].flat())];
    return resourceMetadata(this.#called(request, path), { issuer, scopes, name: this.#name });
  }

  /** Identifies the sender by the headers; the body is not read yet. */
  async identify(request: Request): Promise<Sender> {
    const authorization = request.headers.get("authorization");
    const token = bearerOf(authorization) ?? "";
    if (this.#ask !== undefined) {
      const principal = await this.#ask(request);
      if (principal === undefined || principal === null)
        return { refusal: missingSignIn(authorization !== null) };
      return { authInfo: toAuthInfo(this.#owner, principal, token) };
    }
    if (this.#bearer === undefined) return { authInfo: undefined };
    const verdict = await admitBearer(authorization === null ? {} : { authorization }, this.#bearer);
    if (verdict.kind === "refused") return { refusal: this.#refusalOf(verdict, request) };
    const { principal: sub } = verdict;
    const { clientId, scopes, extra } = verdict.authInfo ?? { clientId: sub, scopes: [], extra: { sub } };
    return { authInfo: { token, clientId, scopes: [...scopes], extra: { ...extra } } };
  }

  /** Why a message is refused: it calls a tool that needs a scope which its sender lacks. One of a batch refuses all. */
  lacking(parsed: unknown, authInfo: AuthInfo | undefined, request: Request): Refusal | undefined {
    if (this.#scopes.size === 0) return undefined;
    for (const message of Array.isArray(parsed) ? (parsed as readonly unknown[]) : [parsed]) {
      const name = calledTool(message);
      const needed = name === undefined ? undefined : this.#scopes.get(name);
      if (name === undefined || needed === undefined) continue;
      const fault = missingScopes(name, needed, authInfo && { scopes: authInfo.scopes });
      if (fault === undefined) continue;
      const challenge = withParameters(CHALLENGE, {
        error: "insufficient_scope",
        // All that the call needs: the client adds what it was granted before.
        scope: needed.join(" "),
        resource_metadata: this.#metadataAddress(request),
        error_description: fault.message,
      });
      const data = { ...writeErrorData(fault.fault), executed: "no" };
      const headers = { "www-authenticate": challenge };
      return { status: 403, code: HTTP_REFUSAL, message: `Forbidden: ${fault.message}`, data, headers };
    }
    return undefined;
  }

  #refusalOf({ status, message, wwwAuthenticate }: Refused, request: Request): Refusal {
    if (wwwAuthenticate === undefined) return { status, code: HTTP_REFUSAL, message };
    const challenge = withParameters(wwwAuthenticate, { resource_metadata: this.#metadataAddress(request) });
    return { status, code: HTTP_REFUSAL, message, headers: { "www-authenticate": challenge } };
  }

  #metadataAddress(request: Request): string | undefined {
    const { pathname } = new URL(request.url);
    if (this.#bearer?.jwt === undefined) return undefined;
    return metadataAddress(this.#called(request, pathname.replace(/(.)\/$/, "$1")));
  }

  #called({ url, headers }: Request, path: string): CalledAddress {
    const { protocol, host } = new URL(url);
    const isBehindProxy = Number(this.#contract.options.trustProxy ?? 0) > 0;
    const forwarded = calledScheme(headers.get("x-forwarded-proto"), isBehindProxy);
    return { origin: `${protocol === "https:" ? "https" : forwarded}://${host}`, path };
  }
}

function scopesOf(contract: Contract, tools: readonly AnyTool[]): ReadonlyMap<string, readonly string[]> {
  const { effective } = stateOf(contract);
  const needed = tools.map(({ name, config }) => [name, effective.codeOf({ name, config }).scopes]);
  return new Map(needed.filter((entry): entry is [string, readonly string[]] => entry[1] !== undefined));
}

/** Tokens that are written in the code or a file have no scopes. */
function noScopesGiven(owner: string, tool: string, scopes: readonly string[]): ContractError {
  const message = `${owner}: Tool ${tool} needs ${scopes.join(" ")}, which no caller can have: auth.tokens gives no scopes. Give auth.jwt, or a function that returns { subject, scopes }.`;
  return new ContractError("INVALID_OPTION", message, { option: "auth" });
}

function nobodyChecks(owner: string, tool: string, scopes: readonly string[]): ContractError {
  const message = `${owner}: Tool ${tool} needs ${scopes.join(" ")}, but no setting checks who calls over HTTP. Give auth, or leave "scopes" out.`;
  return new ContractError("INVALID_OPTION", message, { option: "auth" });
}

/** The name of the tool that a message calls. */
function calledTool(message: unknown): string | undefined {
  if (!isJsonObject(message) || message["method"] !== "tools/call") return undefined;
  const name = isJsonObject(message["params"]) ? message["params"]["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** The refusal of a sender whom the author's function does not know. A client that can sign in starts to do so now. */
function missingSignIn(hasTried: boolean): Refusal {
  return {
    status: 401,
    code: HTTP_REFUSAL,
    message: hasTried ? "Unauthorized: these credentials are not valid" : "Unauthorized: sign in first",
    headers: { "www-authenticate": hasTried ? 'Bearer error="invalid_token"' : "Bearer" },
  };
}

/** Only a text is a valid subject; anything else would merge all callers into one, so the request is refused. */
function toAuthInfo(owner: string, principal: Principal, token: string): AuthInfo {
  const given = typeof principal === "string" ? { subject: principal } : principal;
  const { subject, clientId, scopes, extra } = Object(given) as Partial<Exclude<Principal, string>>;
  if (typeof subject !== "string" || subject === "")
    throw new ContractError(
      "INVALID_OPTION",
      `${owner}: auth gave neither undefined nor a principal. Return a subject that is not empty, or { subject, clientId, scopes, extra }.`,
      { option: "auth" },
    );
  return {
    token,
    clientId: clientId ?? subject,
    scopes: [...(scopes ?? [])],
    extra: { ...extra, sub: subject },
  };
}
