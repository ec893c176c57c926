import type { IncomingMessage, ServerResponse } from "node:http";
import type { UpstreamHealth } from "../upstream/upstream.ts";

// What the HTTP listener is given by others: who may call, and what serves an upstream behind its path.

/** Headers of one HTTP request, with names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Who calls, in the form in which the SDKs hand it to handlers; only what the gateway verified itself. */
interface AuthInfo {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly extra: { readonly sub: string };
}

interface AdmittedRequest {
  readonly kind: "ok";
  /** Keeps callers apart: each has processes and archives of its own. */
  readonly principal: string;
  readonly authInfo: AuthInfo | undefined;
  /** What may be handed on: without the credentials where the gateway consumed them. */
  readonly headers: RequestHeaders;
}

export interface RefusedRequest {
  readonly kind: "refused";
  readonly status: 401 | 403 | 503;
  /** For the `WWW-Authenticate` header of a 401. */
  readonly wwwAuthenticate: string | undefined;
  /** For the caller: what is wrong and what to do, never the token. */
  readonly message: string;
}

/** Decides about one request before its body is read. What needs no waiting is not waited for. */
export type Authenticate = (
  headers: RequestHeaders,
) => AdmittedRequest | RefusedRequest | Promise<AdmittedRequest | RefusedRequest>;

/** What is known of a request that may pass. */
export interface RequestFacts {
  readonly principal: string;
  readonly authInfo: AuthInfo | undefined;
  readonly headers: RequestHeaders;
  /** The address at the other end of the connection; behind a proxy it is the proxy's. */
  readonly peer: string | undefined;
}

/** Answers one request; Host, Origin and caller are checked already, its body is unread. It never throws. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse, facts: RequestFacts) => void;

/** One upstream, as the listener serves it at `/NAME/mcp`: of a command, or of a URL by `proxyHandler`. */
export interface ServedUpstream {
  readonly authenticate: Authenticate;
  readonly handle: HandleRequest;
  readonly health: () => UpstreamHealth;
}

/** Answers a GET of a page beside the upstreams, such as `/metrics`. */
export type ServePage = (request: IncomingMessage, response: ServerResponse) => void;
