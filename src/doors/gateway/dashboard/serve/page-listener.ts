// The HTTP server of the page, for this machine only. It checks where a request comes from and whether its browser has
// signed in; then it sends a file of the page, an answer of the API, or the stream of events.

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  GuardedServer,
  type GuardedServerOptions,
} from "../../../../engine/transport/http/guarded-server.ts";
import { requestGuard } from "../../../../engine/transport/http/request-guard.ts";
import { sendProblem, sendRefusal } from "./api-answer.ts";
import type { PageFiles } from "./page-files.ts";
import { pageLook } from "../../../../core/report/report-page.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { randomBase64url } from "../../../../engine/runtime/random-text.ts";

const SECRET_BYTES = 32;
/** How many browsers are signed in at once; beyond that the first one has to sign in again. */
const MAX_BROWSERS = 50;

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The value of one cookie; browsers send all cookies of a host, regardless of the port that set them. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * Decides who may see the page: a browser that opens the link the gateway printed. The token in the link works once and
 * becomes a cookie, so that a link in a browser's history or in a log opens nothing. There is never more than one
 * unused token.
 */
class SignIn {
  readonly #cookieName: string;
  #token: string | undefined;
  readonly #browsers: Buffer[] = [];

  /** Cookies ignore ports: the port in the name separates two gateways on one machine. */
  constructor(port: number) {
    this.#cookieName = `waybill_dashboard_${port}`;
  }

  /** The unused token of the link, or a new one. */
  token(): string {
    this.#token ??= randomBase64url(SECRET_BYTES);
    return this.#token;
  }

  /** Takes a token; returns the cookie to set, or undefined if the token is wrong or used. */
  enter(token: string): string | undefined {
    if (this.#token === undefined || !timingSafeEqual(digestOf(token), digestOf(this.#token)))
      return undefined;
    this.#token = undefined;
    const secret = randomBase64url(SECRET_BYTES);
    this.#browsers.push(digestOf(secret));
    if (this.#browsers.length > MAX_BROWSERS) this.#browsers.shift();
    return `${this.#cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Whether the browser that sends these cookies has signed in. */
  isIn(cookies: string | undefined): boolean {
    const secret = cookieIn(cookies, this.#cookieName);
    if (secret === undefined) return false;
    const digest = digestOf(secret);
    return this.#browsers.some((known) => timingSafeEqual(known, digest));
  }
}

export interface PageListenerOptions {
  /** Default: 3334, or a free port if that is taken; 0 takes a free port. */
  readonly port: number | undefined;
  readonly files: PageFiles;
  /** Answers a request to `/api/…` of a browser that has signed in. */
  readonly api: (request: IncomingMessage, response: ServerResponse, url: URL) => void;
  /** Gives the person who started the gateway a link to sign in with; called when a browser without a link comes. */
  readonly announce: (link: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** Other limits for slow clients. */
  readonly limits?: GuardedServerOptions | undefined;
}

const HOST = "127.0.0.1";
const DEFAULT_PORT = 3334;
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
  #signIn = new SignIn(0);
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
    const { port } = this.#options;
    const onTaken = (error: unknown): ReturnType<GuardedServer["listen"]> => {
      if (port !== undefined || !isTaken(error)) throw error;
      return this.#server.listen(0, HOST);
    };
    const listening = await this.#server.listen(port ?? DEFAULT_PORT, HOST).catch(onTaken);
    const { port: taken, origin } = listening;
    this.#signIn = new SignIn(taken);
    // Other pages on this machine may belong to other people: only the page itself may send requests.
    const allowedOrigins = [origin, `http://localhost:${taken}`];
    this.#guard = requestGuard({ host: HOST, allowedOrigins });
    this.#address = origin;
    return origin;
  }

  /** The link that signs a browser in, once. */
  link(): string {
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
    const isIn = this.#signIn.isIn(request.headers.cookie);
    if (url.pathname.startsWith("/api/")) return this.#api(request, response, url, isIn);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return sendRefusal(response, 405, "invalid", "The page is only read.", "Open it by its link.");
    }
    if (url.pathname === PLAIN_SHEET_PATH) return sendPage(response, 200, plainSheet, "text/css");
    const token = url.pathname === "/" ? url.searchParams.get("token") : null;
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
        "Open the link that the gateway printed; loading the page again makes it print a new one.",
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

  #refuse(response: ServerResponse): void {
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

// The pages for people who cannot get the real one. They need no script, and one style sheet that is public.

/** The page's policy allows styles only from files. */
const PLAIN_SHEET_PATH = "/plain.css";

const plainSheet = `${pageLook}
main { max-width: 40rem; margin: 0 auto; padding: clamp(2rem, 12vh, 8rem) 1.25rem; }
h1 { margin: 0 0 1rem; font: 600 1.75rem/1.2 var(--sans); }
code { padding: .1em .35em; border-radius: 4px; background: var(--tint); }
`;

function plainPage(title: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Waybill</title>
<link rel="stylesheet" href="${PLAIN_SHEET_PATH}">
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}
</main>
</body>
</html>
`;
}

/** For a browser that is not signed in. */
const signInPage = plainPage("Sign in with a link", [
  "The gateway has just written a new sign-in link to where it writes its messages: the terminal it was started in, or the log that your MCP client keeps of this server. Look for <code>dashboard</code>, and open that link in this browser.",
  'A link works once. Did you sign in with this browser before, since the gateway was started? Then <a href="/">open the page</a>.',
]);

/** After the token was taken, if the browser would not send the new cookie with a redirect. */
const enteredPage = plainPage("Signed in", ['<a href="/">Open the page</a>.']).replace(
  "<title>",
  '<meta http-equiv="refresh" content="0; url=/">\n<title>',
);

/** Shown if the files of the page are missing. */
const notBuiltPage = plainPage("The page is not here", [
  "The gateway runs, but the files of its page are not beside it. In a clone of the repository, <code>npm run build</code> makes them; a program that was bundled needs the folder <code>dist/dashboard</code> of the package <code>waybill</code> beside it.",
]);
