// The HTTP server of the page, for this machine only. It checks where a request comes from and whether its browser has
// signed in; then it sends a file of the page, an answer of the API, or the stream of events.

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  GuardedServer,
  type GuardedServerOptions,
} from "../../../../engine/transport/http/guarded-server.ts";
import { receiveBody, requestGuard } from "../../../../engine/transport/http/request-guard.ts";
import { sendProblem, sendRefusal } from "./api-answer.ts";
import type { PageFiles } from "./page-files.ts";
import type { GatewayAuth } from "../../gateway-options.ts";
import {
  PLAIN_SHEET_PATH,
  enteredPage,
  notBuiltPage,
  plainSheet,
  signInPage,
  tokenPage,
} from "./plain-pages.ts";
import { LinkSignIn, TokenSignIn } from "./sign-in.ts";

export interface PageListenerOptions {
  /** Default: 3334, or a free port if that is taken; 0 takes a free port. */
  readonly port: number | undefined;
  readonly files: PageFiles;
  /** Answers a request to `/api/…` of a browser that has signed in. */
  readonly api: (request: IncomingMessage, response: ServerResponse, url: URL) => void;
  /** Gives the person who started the gateway a link to sign in with; called when a browser without a link comes. */
  readonly announce: (link: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** For a team: browsers sign in with a token, and there is no link. */
  readonly team?: PageTeam | undefined;
  /** Other limits for slow clients. */
  readonly limits?: GuardedServerOptions | undefined;
}

/** How a team reaches the page, and who it is. */
export interface PageTeam {
  readonly auth: GatewayAuth;
  /** Signs the cookies; the same at every replica. */
  readonly secret: string;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** The names by which browsers call the page, besides those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined;
}

const HOST = "127.0.0.1";
/** The longest token that a form may send. */
const MAX_FORM_BYTES = 32 * 1024;
const DEFAULT_PORT = 3334;
const SIGN_IN_PATH = "/sign-in";
/** For one person and a few pages; slow clients get less time than those of the gateway itself. */
const limits = { maxConnections: 256, headersMs: 10_000, requestMs: 30_000, keepAliveMs: 5_000 } as const;
/** Repeated requests must not fill the log with links. */
const ANNOUNCE_PAUSE_MS = 10_000;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Headers of every answer. */
const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

function isTaken(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "EADDRINUSE";
}

function addSafeHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
}

/** The page with the form may send it to where it came from, and does nothing else. */
function sendForm(response: ServerResponse, status: number, says?: string): void {
  response.setHeader("content-security-policy", policy.replace("form-action 'none'", "form-action 'self'"));
  // Without a referrer browsers send a form with the origin "null", which no page of ours has.
  response.setHeader("referrer-policy", "same-origin");
  sendPage(response, status, tokenPage(says));
}

function sendPage(response: ServerResponse, status: number, text: string, type = "text/html"): void {
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** The URL of a request; undefined if it is not valid. */
function urlOf({ url = "/" }: IncomingMessage): URL | undefined {
  // A path that begins with two slashes would be read as a host name.
  return url.startsWith("/") && URL.canParse(`http://${HOST}${url}`)
    ? new URL(`http://${HOST}${url}`)
    : undefined;
}

export class PageListener {
  readonly #options: PageListenerOptions;
  readonly #server: GuardedServer;
  #guard: ReturnType<typeof requestGuard> = requestGuard({ host: HOST, allowedOrigins: [] });
  #signIn = new LinkSignIn(0);
  #team: TokenSignIn | undefined;
  #address = "";
  #announcedMs = -ANNOUNCE_PAUSE_MS;

  constructor(options: PageListenerOptions) {
    this.#options = options;
    const own: GuardedServerOptions = {
      ...limits,
      ...options.limits,
      headers: safeHeaders,
      refuse: (response, { status, message }) => {
        addSafeHeaders(response);
        sendRefusal(response, status, status === 503 ? "busy" : "invalid", message, "Load the page again.");
      },
    };
    this.#server = new GuardedServer(own, {
      take: (request, response) => this.#take(request, response),
      failed: (error, response) => {
        options.onFailure(error);
        sendProblem(response, error);
      },
      troubled: options.onFailure,
    });
  }

  /** Starts to listen; resolves with the address, `http://127.0.0.1:3334`. */
  async listen(): Promise<string> {
    const { port, team } = this.#options;
    const { host = HOST, allowedHosts = [] } = team ?? {};
    const onTaken = (error: unknown): ReturnType<GuardedServer["listen"]> => {
      if (port !== undefined || !isTaken(error)) throw error;
      return this.#server.listen(0, host);
    };
    const listening = await this.#server.listen(port ?? DEFAULT_PORT, host).catch(onTaken);
    const { port: taken, origin } = listening;
    this.#signIn = new LinkSignIn(taken);
    this.#team = team && new TokenSignIn(taken, team.auth, team.secret);
    // Other pages on this machine may belong to other people: only the page itself may send requests.
    const own = [origin, `http://localhost:${taken}`, `http://127.0.0.1:${taken}`];
    this.#guard = requestGuard({ host, allowedHosts, allowedOrigins: [...own, ...allowedHosts] });
    this.#address = origin;
    return origin;
  }

  /** The link that signs a browser in, once; for a team the address alone. */
  link(): string {
    if (this.#team !== undefined) return `${this.#address}/`;
    return `${this.#address}/?token=${this.#signIn.token()}`;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    addSafeHeaders(response);
    const refusal = this.#guard(request.headers);
    if (refusal !== undefined)
      return sendRefusal(
        response,
        403,
        "invalid",
        refusal.message,
        "Open the page by the link of the gateway.",
      );
    const url = urlOf(request);
    if (url === undefined)
      return sendRefusal(response, 400, "invalid", "This is no address.", "Open the page by its link.");
    const isIn = (this.#team ?? this.#signIn).isIn(request.headers.cookie);
    if (url.pathname.startsWith("/api/")) return this.#api(request, response, url, isIn);
    if (url.pathname === SIGN_IN_PATH && request.method === "POST" && this.#team !== undefined)
      return this.#enterTeam(this.#team, request, response);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return sendRefusal(response, 405, "invalid", "The page is only read.", "Open it by its link.");
    }
    if (url.pathname === PLAIN_SHEET_PATH) return sendPage(response, 200, plainSheet, "text/css");
    // For a team a token never stands in an address.
    const isLink = url.pathname === "/" && this.#team === undefined;
    const token = isLink ? url.searchParams.get("token") : null;
    if (token !== null) return this.#enter(token, isIn, request, response);
    if (!isIn) return this.#refuse(response);
    return this.#file(url.pathname, request, response);
  }

  #api(request: IncomingMessage, response: ServerResponse, url: URL, isIn: boolean): void {
    // Browsers say which page sends a request; a page on another port of this machine would send our cookie too.
    const site = request.headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none")
      return sendRefusal(
        response,
        403,
        "invalid",
        "Another page asks.",
        "Open the page of the gateway itself.",
      );
    if (!isIn)
      return sendRefusal(
        response,
        401,
        "sign-in",
        "This browser is not signed in.",
        this.#team === undefined
          ? "Open the link that the gateway printed; loading the page again makes it print a new one."
          : "Load the page again and sign in with your token.",
      );
    return this.#options.api(request, response, url);
  }

  #enter(token: string, isIn: boolean, request: IncomingMessage, response: ServerResponse): void {
    const cookie = this.#signIn.enter(token);
    if (cookie === undefined && !isIn) return this.#refuse(response);
    if (cookie !== undefined) response.setHeader("set-cookie", cookie);
    // After a click on another site, a browser does not send a strict cookie with a redirect.
    if (request.headers["sec-fetch-site"] === "cross-site") return sendPage(response, 200, enteredPage);
    response.writeHead(303, { location: "/" });
    response.end();
    return undefined;
  }

  #enterTeam(team: TokenSignIn, request: IncomingMessage, response: ServerResponse): void {
    const isSecure = request.headers["x-forwarded-proto"] === "https";
    receiveBody(request, response, MAX_FORM_BYTES, async (body) => {
      const token = new URLSearchParams(body.toString("utf8")).get("token")?.trim() ?? "";
      const entered = await team.enter(token, isSecure);
      if (entered.kind === "busy") {
        response.setHeader("retry-after", "60");
        return sendForm(response, 429, "Too many wrong tokens came. Wait a minute and try again.");
      }
      if (entered.kind === "refused") return sendForm(response, 401, entered.says);
      response.setHeader("set-cookie", entered.cookie);
      response.writeHead(303, { location: "/" });
      return response.end();
    });
  }

  #refuse(response: ServerResponse): void {
    if (this.#team !== undefined) return sendForm(response, 401);
    const now = performance.now();
    if (now - this.#announcedMs >= ANNOUNCE_PAUSE_MS) {
      this.#announcedMs = now;
      this.#options.announce(this.link());
    }
    sendPage(response, 401, signInPage);
  }

  #file(path: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const { files } = this.#options;
    if (path === "/" && files.size === 0) return sendPage(response, 503, notBuiltPage);
    const file = files.get(path === "/" ? "/index.html" : path);
    if (file === undefined)
      return sendRefusal(response, 404, "not-found", "There is no such file.", "Open the page at /.");
    const { type, isLasting } = file;
    const isGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
      headers["accept-encoding"]?.toString() ?? "",
    );
    const bytes = isGzip ? file.gzipped : file.bytes;
    response.setHeader("vary", "accept-encoding");
    if (isGzip) response.setHeader("content-encoding", "gzip");
    if (isLasting) response.setHeader("cache-control", "private, max-age=31536000, immutable");
    response.writeHead(200, { "content-type": type, "content-length": bytes.length });
    response.end(bytes);
    return undefined;
  }
}
