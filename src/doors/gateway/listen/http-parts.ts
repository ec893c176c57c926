import type { IncomingMessage, ServerResponse } from "node:http";
import type { MaybePromise } from "../../../core/pipeline/maybe-promise.ts";
import type { Admitted, RequestHeaders, Verdict } from "../auth/verdict.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";

// What other modules give to the HTTP listener: who may call, and what serves an upstream behind its path.

/** Decides about one request before its body is read. Synchronous whenever possible. */
export type Authenticate = (headers: RequestHeaders) => MaybePromise<Verdict>;

/** The facts about a request that may pass. */
export interface RequestFacts extends Omit<Admitted, "kind"> {
  /** The address at the other end of the connection; behind a proxy it is the proxy's address. */
  readonly peer: string | undefined;
  /** Answers and logs a request that fails later because of a bug of ours. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/** Answers one request; Host, Origin and caller are already checked, its body is unread. It never throws. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse, facts: RequestFacts) => void;

/** Answers with what a client needs to know to sign in to the server at this path; open to every caller. */
export type DescribeUpstream = (headers: RequestHeaders, path: string, response: ServerResponse) => void;

/** One upstream, as the listener serves it at `/NAME/mcp`: a command, or a URL by `proxyHandler`. */
export interface ServedUpstream {
  readonly authenticate: Authenticate;
  readonly handle: HandleRequest;
  /** Undefined if clients do not sign in to the server itself. */
  readonly describe?: DescribeUpstream | undefined;
  readonly health: () => UpstreamHealth;
}

/** Answers a GET of a page beside the upstreams, such as `/metrics`. */
export type ServePage = (request: IncomingMessage, response: ServerResponse) => void;
