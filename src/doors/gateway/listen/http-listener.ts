// The HTTP server of the gateway: every upstream at `/NAME/mcp`, and pages for operators. It checks where a request
// comes from and who sends it; the upstream's handler deals with the content.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpOptions } from "../gateway-options.ts";
import {
  GuardedServer,
  type GuardedServerOptions,
  answerProbe,
} from "../../../engine/transport/http/guarded-server.ts";
import { requestGuard, allowPage } from "../../../engine/transport/http/request-guard.ts";
import type {
  Refused,
  RequestHeaders,
  SignInVerdict,
  Admitted,
} from "../../../engine/request/sign-in/verdict.ts";
import { describedPath } from "../../../engine/request/sign-in/protected-resource.ts";
import { type Refusal, idToRepeat, onRefusal, refuse } from "../../../engine/transport/http/refusal.ts";
import { noPath, httpRefusals } from "./refuse-request.ts";
import { type ReadyPart, readinessOf } from "../probe/readiness.ts";
import type { UpstreamHealth } from "../upstream/upstream.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";

export interface HttpListenerOptions extends HttpOptions {
  /** The current upstreams by name: a reload may change them. */
  readonly upstreams: () => ReadonlyMap<string, ServedUpstream>;
  /** Endpoints of several upstreams, by name; the one without a name is at `/mcp`. */
  readonly merged?: (() => ReadonlyMap<string, ServedUpstream>) | undefined;
  /** Pages beside the upstreams by their paths, such as `/metrics`. */
  readonly pages?: ReadonlyMap<string, ServePage> | undefined;
  /** Limits for clients that are slow, on purpose or not. */
  readonly limits?: GuardedServerOptions | undefined;
  /** Is told of each request that is refused before it becomes a call. */
  readonly refused?: NoteRefusal | undefined;
  /** Receives notes on errors that cannot be reported to a caller. */
  readonly note?: ((text: string) => void) | undefined;
}

/** What is known of a refused request: its caller only if the token was accepted. */
export interface RefusedRequest {
  readonly method: string;
  /** Without its query; undefined on stdio. */
  readonly path: string | undefined;
  /** The name of a tool that no server has, at an address of several. */
  readonly tool?: string | undefined;
  readonly upstream?: string | undefined;
  readonly caller?: string | undefined;
  readonly durationMs: number;
}

export type NoteRefusal = (refusal: Refusal, known: RefusedRequest) => void;

interface Addresses {
  readonly urls: Readonly<Record<string, string>>;
  readonly merged: Readonly<Record<string, string>>;
}

export interface HttpListener {
  /** Starts to listen; resolves with the address of each upstream, and of each endpoint of several. */
  listen(): Promise<Addresses>;
  /** Takes no more requests and ends every connection. Handlers are closed first, so that their answers are sent. */
  close(): Promise<void>;
  /** From now on `/readyz` reports not ready, so that load balancers use another instance. */
  drain(): void;
}

const DEFAULT_PORT = 3333;
const DEFAULT_HOST = "127.0.0.1";
const TOO_MANY_FILES =
  "clients are turned away, because too many files are open. Raise the limit (ulimit -n) or let fewer clients in";

/** The name in `/NAME/mcp`, "" for `/mcp`; undefined for every other path. */
function upstreamName(path: string): string | undefined {
  if (path === "/mcp" || path === "/mcp/") return "";
  const name = /^\/([^/]+)\/mcp\/?$/.exec(path)?.[1];
  if (name === undefined || !name.includes("%")) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function toPath(name: string): string {
  if (name === "") return "/mcp";
  return `/${encodeURIComponent(name)}/mcp`;
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

/** Node returns a list only for headers that our clients never repeat. */
function headersOf(request: IncomingMessage): RequestHeaders {
  const { headers } = request;
  if (headers["set-cookie"] === undefined) return headers as RequestHeaders;
  const { "set-cookie": _cookies, ...rest } = headers;
  return rest as RequestHeaders;
}

function refuseCaller(response: ServerResponse, { status, message, wwwAuthenticate }: Refused): void {
  const headers = wwwAuthenticate === undefined ? undefined : { "www-authenticate": wwwAuthenticate };
  refuse(response, { status, code: CONNECTION_CLOSED, message, headers }, idToRepeat(undefined));
}

interface KnownOfRequest {
  upstream?: string | undefined;
  caller?: string | undefined;
}

class HttpGate implements HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #server: GuardedServer;
  readonly #guard: ReturnType<typeof requestGuard>;
  readonly #host: string;
  #isDraining = false;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#host = options.host ?? DEFAULT_HOST;
    this.#guard = requestGuard({ ...options, host: this.#host });
    const { limits, note } = options;
    const onFull = (): void => note?.(TOO_MANY_FILES);
    this.#server = new GuardedServer(
      { onFull, ...limits },
      {
        take: (request, response) => this.#take(request, response),
        failed: (error, response) => this.#failed(response, error),
        troubled: (error) => note?.(`the HTTP server reports: ${error.message}`),
      },
    );
  }

  async listen(): Promise<Addresses> {
    const { upstreams, merged } = this.#options;
    const { origin } = await this.#server.listen(this.#options.port ?? DEFAULT_PORT, this.#host);
    const urlsOf = (served: ReadonlyMap<string, unknown>): Readonly<Record<string, string>> =>
      Object.fromEntries([...served.keys()].map((name) => [name, `${origin}${toPath(name)}`]));
    return { urls: urlsOf(upstreams()), merged: urlsOf(merged?.() ?? new Map()) };
  }

  /** What is served under a name. With one upstream, `/mcp` is its alias. */
  #find(
    name: string,
    upstreams: ReadonlyMap<string, ServedUpstream>,
  ): readonly [string, ServedUpstream] | undefined {
    const [only] = upstreams;
    if (name === "" && upstreams.size === 1 && only !== undefined) return only;
    const served = upstreams.get(name) ?? this.#options.merged?.().get(name);
    return served && [name, served];
  }

  drain(): void {
    this.#isDraining = true;
  }

  close(): Promise<void> {
    this.#isDraining = true;
    return this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? "/");
    const upstreams = this.#options.upstreams();
    // Probes of an orchestrator call by address, and the health answer is not secret.
    if (serveHealth(path, request, response, { upstreams, isDraining: this.#isDraining })) return;
    const known = this.#watchRefusal(request, response);
    const headers = headersOf(request);
    const page = this.#options.pages?.get(path);
    const refusal = this.#guard(headers, page !== undefined);
    if (refusal !== undefined) return refuse(response, refusal);
    if (allowPage(request, response)) return;
    if (page !== undefined) return page(request, response);
    const described = describedPath(path);
    const name = upstreamName(described ?? path);
    const [found, served] = (name === undefined ? undefined : this.#find(name, upstreams)) ?? [];
    if (served === undefined || (described !== undefined && served.describe === undefined)) {
      // While the gateway closes, upstreams disappear one by one, although their paths are correct.
      if (this.#isDraining) return refuse(response, httpRefusals.closing);
      const names = [...upstreams.keys(), ...(this.#options.merged?.().keys() ?? [])];
      return refuse(response, noPath(names.map(toPath)));
    }
    // The address of all servers has no name; its line has the path.
    if (found !== "") known.upstream = found;
    if (described !== undefined) return served.describe?.(headers, described, response);
    const peer = request.socket.remoteAddress;
    const verdict = await served.authenticate(headers);
    // The client may have left while keys were fetched: a handler would wait forever for the end of its response.
    if (response.destroyed) return undefined;
    if (verdict.kind === "refused") return refuseCaller(response, verdict);
    known.caller = verdict.authInfo === undefined ? undefined : `sub:${verdict.authInfo.extra.sub}`;
    const failed = (error: unknown): void => this.#failed(response, error);
    return served.handle(request, response, { ...verdict, peer, failed });
  }

  /** What becomes known of a request until it is refused, if the option `refused` listens. */
  #watchRefusal(request: IncomingMessage, response: ServerResponse): KnownOfRequest {
    const { refused } = this.#options;
    const known: KnownOfRequest = {};
    if (refused === undefined) return known;
    const startedAt = performance.now();
    const { method = "", url = "/" } = request;
    onRefusal(response, (refusal) =>
      refused(refusal, { ...known, method, path: pathOf(url), durationMs: performance.now() - startedAt }),
    );
    return known;
  }

  /** A failure here ends one request, not the process with all other requests. */
  #failed(response: ServerResponse, error: unknown): void {
    this.#options.note?.(`a request could not be served: ${String(error)}`);
    refuse(response, httpRefusals.failed);
  }
}

/** An HTTP server for these upstreams; nothing is opened before `listen`. */
export function createHttpListener(options: HttpListenerOptions): HttpListener {
  return new HttpGate(options);
}

interface HealthFacts {
  readonly upstreams: ReadonlyMap<string, ServedUpstream>;
  readonly isDraining: boolean;
}

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve; false while it shuts down, and as `readinessOf` says. The
 * answer has the state of each server.
 */
function serveHealth(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { upstreams, isDraining }: HealthFacts,
): boolean {
  if (path !== "/healthz" && path !== "/readyz") return false;
  if (path === "/healthz") {
    answerProbe(request, response, true, { status: "ok" });
    return true;
  }
  const states: Record<string, UpstreamHealth & { readonly required: boolean }> = {};
  for (const [name, served] of upstreams)
    states[name] = { ...served.health(), required: served.isRequired ?? false };
  const status = isDraining ? "closing" : readinessOf(upstreams);
  answerProbe(request, response, status === "ready", { status, upstreams: states });
  return true;
}

// What other modules give to the HTTP listener: who may call, and what serves an upstream behind its path.

/** Decides about one request before its body is read. */
export type AuthenticateHeaders = (headers: RequestHeaders) => Promise<SignInVerdict>;

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
export interface ServedUpstream extends ReadyPart {
  readonly authenticate: AuthenticateHeaders;
  readonly handle: HandleRequest;
  /** Undefined if clients do not sign in to the server itself. */
  readonly describe?: DescribeUpstream | undefined;
}

/** Answers a GET of a page beside the upstreams, such as `/metrics`. */
type ServePage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
