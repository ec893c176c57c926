import type { IncomingMessage, ServerResponse } from "node:http";
import type { MaybePromise } from "../../../core/pipeline/maybe-promise.ts";
import type { Admitted, RequestHeaders, Verdict } from "../auth/verdict.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";

// What the HTTP listener is given by others: who may call, and what serves an upstream behind its path.

/** Decides about one request before its body is read. What needs no waiting is not waited for. */
export type Authenticate = (headers: RequestHeaders) => MaybePromise<Verdict>;

/** What is known of a request that may pass. */
export interface RequestFacts extends Omit<Admitted, "kind"> {
  /** The address at the other end of the connection; behind a proxy it is the proxy's. */
  readonly peer: string | undefined;
  /** Answers and tells of a request that fails later, by a fault of ours. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/** Answers one request; Host, Origin and caller are checked already, its body is unread. It never throws. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse, facts: RequestFacts) => void;

/** Answers with what a client needs to know to sign in to the server at this path; anybody may ask. */
export type DescribeUpstream = (headers: RequestHeaders, path: string, response: ServerResponse) => void;

/** One upstream, as the listener serves it at `/NAME/mcp`: of a command, or of a URL by `proxyHandler`. */
export interface ServedUpstream {
  readonly authenticate: Authenticate;
  readonly handle: HandleRequest;
  /** Undefined where clients do not sign in to the server itself. */
  readonly describe?: DescribeUpstream | undefined;
  readonly health: () => UpstreamHealth;
}

/** Answers a GET of a page beside the upstreams, such as `/metrics`. */
export type ServePage = (request: IncomingMessage, response: ServerResponse) => void;
