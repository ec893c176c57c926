// The HTTP server under all our listeners. It handles what a single request cannot show: connections whose
// client is deliberately slow or stays after a refusal, too many connections, and requests that name two
// hosts.

import {
  type IncomingMessage,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  createServer,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type FileRoom, roomAt } from "../open-files.ts";
import { HTTP_REFUSAL, type Refusal, refuse } from "./refusal.ts";

export interface GuardedServerOptions {
  /** How long the headers of a request may take. Default: 20,000. */
  readonly headersMs?: number | undefined;
  /** How long a whole request may take. Default: 60,000. */
  readonly requestMs?: number | undefined;
  /** How long a connection may wait for its next request. Default: 65,000. */
  readonly keepAliveMs?: number | undefined;
  /** How long a refused client may keep its connection. Default: 1,000. */
  readonly lingerMs?: number | undefined;
  /** How often connections are checked. Default: 5,000. */
  readonly checkMs?: number | undefined;
  /** Default: 10,000. */
  readonly maxConnections?: number | undefined;
  /** Answers a request that is not passed on. Default: with a JSON-RPC error. */
  readonly refuse?: ((response: ServerResponse, refusal: Refusal) => void) | undefined;
  /** Headers of every answer that the server itself gives. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called when clients are refused because too many files are open; again only after a minute without a refusal. */
  readonly onFull?: (() => void) | undefined;
  /** Whether there is room for a connection. Default: by the limit of open files. */
  readonly roomFor?: ((socket: Socket) => FileRoom) | undefined;
}

const HEADERS_MS = 20_000;
const REQUEST_MS = 60_000;
const KEEP_ALIVE_MS = 65_000;
const LINGER_MS = 1_000;
const CHECK_MS = 5_000;
const MAX_CONNECTIONS = 10_000;
const MAX_HEADER_BYTES = 16_384;
const RETRY_SECONDS = 5;
const FULL_PAUSE_MS = 60_000;

const twoHosts: Refusal = {
  status: 400,
  code: HTTP_REFUSAL,
  message: "Bad Request: there must be one Host header, and there are several",
};
const full: Refusal = {
  status: 503,
  code: HTTP_REFUSAL,
  message: "Too many connections are open. Try again in a few seconds",
  data: { error_code: "UNAVAILABLE", retry_after_seconds: RETRY_SECONDS, executed: "no" },
  headers: { "retry-after": String(RETRY_SECONDS), connection: "close" },
};

/** The status for bytes that are not a valid request. */
function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code === "HPE_HEADER_OVERFLOW") return 431;
  return 400;
}

/** Node uses the first Host header; a proxy in front may use another. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

function roomForSocket(socket: Socket): FileRoom {
  return roomAt((socket as { readonly _handle?: { readonly fd?: number } })._handle?.fd);
}

/** The use of a connection: a client may send its next request before the last one is answered. */
interface Use {
  readonly open: Set<ServerResponse>;
  idleSince: number;
}

/** The connections of one server. */
class Connections {
  readonly #options: GuardedServerOptions;
  readonly #room: (socket: Socket) => FileRoom;
  readonly #used = new Map<Socket, Use>();
  /** Connections that came when there was no room. */
  readonly #refused = new WeakSet<Socket>();
  #sweeper: NodeJS.Timeout | undefined;
  #toldFullAt = -FULL_PAUSE_MS;

  constructor(options: GuardedServerOptions) {
    this.#options = options;
    this.#room = options.roomFor ?? roomForSocket;
  }

  opened(socket: Socket): void {
    const room = this.#room(socket);
    if (room === "low" || room === "out") this.#tellFull();
    // Not even enough room to answer the request.
    if (room === "out") return void socket.destroy();
    if (room === "low") {
      this.#refused.add(socket);
      this.#cutLater(socket);
    }
    this.#used.set(socket, { open: new Set(), idleSince: Date.now() });
    socket.once("close", () => this.#closed(socket));
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#options.checkMs ?? CHECK_MS).unref();
    return undefined;
  }

  #tellFull(): void {
    const now = Date.now();
    if (now - this.#toldFullAt >= FULL_PAUSE_MS) this.#options.onFull?.();
    this.#toldFullAt = now;
  }

  #closed(socket: Socket): void {
    this.#used.delete(socket);
    if (this.#used.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** Why a request is not passed on; undefined if it is passed on. */
  asked(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    const { socket } = request;
    const use = this.#used.get(socket);
    if (use !== undefined) {
      use.open.add(response);
      response.once("close", () => {
        use.open.delete(response);
        use.idleSince = Date.now();
      });
    }
    if (this.#refused.has(socket)) return full;
    return namesTwoHosts(request) ? twoHosts : undefined;
  }

  /** Handles bytes that are not a request, or a request that took too long. */
  broken(error: NodeJS.ErrnoException, socket: Socket): void {
    const open = [...(this.#used.get(socket)?.open ?? [])];
    const isAnswering = open.some(({ headersSent, writableFinished }) => headersSent && !writableFinished);
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    // Anything written after half an answer would be read as part of it.
    if (isAnswering) socket.end();
    else socket.end(this.#words(statusOf(error)));
    return this.#cutLater(socket);
  }

  #words(status: number): string {
    const headers = { ...this.#options.headers, "content-length": "0", connection: "close" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`;
  }

  /** A refused client may keep its side open for ever; our side closes soon. */
  #cutLater(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), this.#options.lingerMs ?? LINGER_MS).unref();
    socket.once("close", () => clearTimeout(timer));
  }

  /** Closes idle connections. Line ends between two requests do not start a request, so Node would wait for ever. */
  #sweep(): void {
    const { keepAliveMs = KEEP_ALIVE_MS, headersMs = HEADERS_MS } = this.#options;
    const before = Date.now() - keepAliveMs - headersMs;
    for (const [socket, { open, idleSince }] of this.#used)
      if (open.size === 0 && idleSince < before) socket.destroy();
  }
}

/** What becomes of requests, and of errors that no request shows. */
export interface RequestTaker {
  readonly take: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Answers a request whose `take` failed: that ends one request, not the process with all other requests. */
  readonly failed: (error: unknown, response: ServerResponse) => void;
  /** Called with each error of a server that listens. */
  readonly troubled: (error: Error) => void;
}

/** An HTTP server that passes requests on; nothing is opened before `listen`. */
export class GuardedServer {
  readonly #server: Server;
  readonly #troubled: RequestTaker["troubled"];

  constructor(options: GuardedServerOptions, { take, failed, troubled }: RequestTaker) {
    const connections = new Connections(options);
    const refuseAs = options.refuse ?? refuse;
    this.#troubled = troubled;
    this.#server = createServer(
      {
        headersTimeout: options.headersMs ?? HEADERS_MS,
        requestTimeout: options.requestMs ?? REQUEST_MS,
        keepAliveTimeout: options.keepAliveMs ?? KEEP_ALIVE_MS,
        connectionsCheckingInterval: options.checkMs ?? CHECK_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        noDelay: true,
      },
      (request, response) => {
        // A client that disconnects while it is answered is not our error.
        response.on("error", () => undefined);
        const refusal = connections.asked(request, response);
        if (refusal !== undefined) return refuseAs(response, refusal);
        try {
          const taken = take(request, response);
          if (taken instanceof Promise) taken.catch((error: unknown) => failed(error, response));
        } catch (error) {
          failed(error, response);
        }
        return undefined;
      },
    );
    this.#server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
    this.#server.on("connection", (socket) => connections.opened(socket));
    this.#server.on("clientError", (error, socket) => connections.broken(error, socket as Socket));
  }

  /** Starts to listen; resolves with the port and the address: `http://127.0.0.1:3333`. */
  async listen(port: number, host: string): Promise<{ readonly port: number; readonly origin: string }> {
    const bare = host.replace(/^\[(.*)\]$/, "$1");
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, bare, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    this.#server.on("error", this.#troubled);
    const { port: taken } = this.#server.address() as AddressInfo;
    return { port: taken, origin: `http://${bare.includes(":") ? `[${bare}]` : bare}:${taken}` };
  }

  /** Takes no more connections, waits for `finish`, then ends those that are left. */
  async close(finish?: () => Promise<void>): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    await finish?.();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Answers a probe of an orchestrator, which asks by address; the answer is not secret. */
export function answerProbe(
  { method }: IncomingMessage,
  response: ServerResponse,
  isServing: boolean,
  body: object,
): void {
  if (method !== "GET" && method !== "HEAD")
    return void response.writeHead(405, { allow: "GET, HEAD" }).end();
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return void response.writeHead(isServing ? 200 : 503, headers).end(`${JSON.stringify(body)}\n`);
}
