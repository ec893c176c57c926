// The HTTP listener of `serve`, for Node. It checks where a request comes from and who sends it; the SDK handles the
// content. Serves both eras of the protocol, `/healthz`, and `/metrics` where it is asked for.

import type { IncomingMessage, ServerResponse } from "node:http";
import { ContractError } from "../../core/contract/contract-error.ts";
import { GuardedServer, answerProbe } from "../../engine/transport/http/guarded-server.ts";
import {
  isLoopbackHost,
  requestGuard,
  allowPage,
  MAX_BODY_BYTES,
  receiveBody,
} from "../../engine/transport/http/request-guard.ts";
import { HTTP_REFUSAL, type Refusal, failedRefusal, refuse } from "../../engine/transport/http/refusal.ts";
import { mediaTypeOf } from "../../engine/transport/http/http-body.ts";
import { jsonRpcCodes } from "../../core/protocol/json-rpc-error.ts";
import { isJsonObject, type JsonObject, jsonIn } from "../../core/json/json-value.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";
import { STOP_GRACE_MS, type Reached, type Sdk, type ServeParts } from "./serve-parts.ts";
import type { HttpWay } from "./serve-way.ts";
import type { Principal } from "./serve-options.ts";
import { type MetricsPage, callsPage } from "../../engine/observe/call-metrics.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SseReader } from "../../engine/transport/http/sse-reader.ts";

/** How long written answers may take to be sent after every call has ended. */
const FLUSH_MS = 1_000;

const closing: Refusal = { status: 503, code: HTTP_REFUSAL, message: "The server is shutting down" };
const wrongMethod: Refusal = {
  status: 405,
  code: HTTP_REFUSAL,
  message: "Method not allowed.",
  headers: { allow: "GET, POST, DELETE" },
};

function notFound(path: string): Refusal {
  return { status: 404, code: HTTP_REFUSAL, message: `Not Found: this server answers at ${path}` };
}

/** The methods of the protocol; a web Request cannot even be constructed with some others. */
const methods: ReadonlySet<string> = new Set(["GET", "POST", "DELETE"]);

/** How the SDK's words for a client's mistake begin: a stack of the server would say nothing about it. */
const mistake =
  /^(?:Unsupported Media Type|Not Acceptable|Bad Request|Invalid Request|Parse error|Method not allowed|Conflict|Session not found|Invalid event ID)\b/i;

class HttpServing {
  readonly #way: HttpWay;
  readonly #parts: ServeParts;
  readonly #handler: ReturnType<Sdk["createMcpHandler"]>;
  readonly #guard: ReturnType<typeof requestGuard>;
  readonly #server: GuardedServer;
  /** Requests that a stop waits for: all except subscriptions, which last as long as their client wants. */
  readonly #asked = new PendingRequests<true, ServerResponse>();
  readonly #open = new PendingRequests<true, ServerResponse>();
  readonly #metrics: MetricsPage | undefined;
  #isClosing = false;

  constructor(way: HttpWay, sdk: Sdk, parts: ServeParts) {
    this.#way = way;
    this.#parts = parts;
    this.#guard = requestGuard(way);
    const { contract, options } = parts;
    if (options.metrics === true) this.#metrics = callsPage((listener) => contract.onCall(listener));
    const onerror = (error: Error): void =>
      parts.log.warn("serve-error", mistake.test(error.message) ? { reason: error.message } : { err: error });
    this.#handler = sdk.createMcpHandler(parts.build, { onerror });
    const onFull = (): void => parts.log.warn("serve-full", { reason: "too many files are open" });
    const troubled = (error: unknown): void => parts.log.error("serve-error", { err: error });
    this.#server = new GuardedServer(
      { onFull },
      {
        take: (request, response) => this.#take(request, response),
        failed: (error, response) => {
          troubled(error);
          refuse(response, failedRefusal);
        },
        troubled,
      },
    );
  }

  async listen(): Promise<string> {
    const { host, port, path } = this.#way;
    const explain = (error: unknown): never => {
      throw explainListen(error as NodeJS.ErrnoException, this.#way);
    };
    const { origin } = await this.#server.listen(port, host).catch(explain);
    return `${origin}${path}`;
  }

  /** Server objects are built for each request, with the tools and whatever else there is then. */
  reload(): void {
    const { notify } = this.#handler;
    notify.toolsChanged();
    if (this.#parts.options.register === undefined) return;
    notify.resourcesChanged();
    notify.promptsChanged();
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#server.close(async () => {
      await this.#asked.idle(STOP_GRACE_MS, true);
      await this.#handler.close();
      await this.#open.idle(FLUSH_MS, true);
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    if (path === "/healthz")
      return answerProbe(request, response, !this.#isClosing, { status: this.#isClosing ? "closing" : "ok" });
    const { host, origin } = request.headers;
    const page = path === "/metrics" ? this.#metrics : undefined;
    const refusal = this.#guard({ host, origin }, page !== undefined);
    if (refusal !== undefined) return refuse(response, refusal);
    if (page !== undefined) return page(request, response);
    if (allowPage(request, response)) return undefined;
    if (path !== this.#way.path && path !== `${this.#way.path}/`)
      return refuse(response, notFound(this.#way.path));
    if (!methods.has(request.method ?? "")) return refuse(response, wrongMethod);
    if (this.#isClosing) return refuse(response, { ...closing, headers: { connection: "close" } });
    this.#asked.add(response, true);
    this.#open.add(response, true);
    response.once("close", () => {
      this.#asked.take(response);
      this.#open.take(response);
    });
    return this.#serve(request, response);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = toWebRequest(request, response);
    const { auth } = this.#parts.options;
    let authInfo: AuthInfo | undefined;
    if (auth !== undefined) {
      const principal = await auth(asked);
      if (principal === undefined || principal === null) return refuse(response, nobody(asked));
      authInfo = toAuthInfo(principal, asked);
    }
    const body = await readBody(request, response);
    if (body === undefined) return;
    const { parsed, text } = body;
    const isPost = request.method === "POST";
    if (isPost && parsed === undefined && mediaTypeOf(request) === "application/json")
      return refuse(response, { status: 400, ...jsonRpcCodes.parseError });
    const isSubscription = isJsonObject(parsed) && parsed["method"] === "subscriptions/listen";
    if (isSubscription) this.#asked.take(response);
    // JSON is already parsed; for any other body the SDK reports the error itself.
    const whole = parsed !== undefined || text === "" ? asked : withBody(asked, text);
    const given = { ...(authInfo && { authInfo }), ...(parsed !== undefined && { parsedBody: parsed }) };
    const peer = request.socket.remoteAddress;
    const { json, events } = acceptedBy(asked.headers.get("accept"));
    const isPlain = isPost && json && !events && !isSubscription;
    const put = isPlain || (json && events) ? acceptingBoth(whole) : whole;
    const answer = await this.#parts.contract.withPeer(peer, () => this.#handler.fetch(put, given));
    if (!isPlain) return writeResponse(answer, response);
    const plain = await withoutEvents(answer, { isBatch: Array.isArray(parsed), gone: asked.signal });
    return plain === undefined ? refuse(response, failedRefusal) : writeResponse(plain, response);
  }
}

function explainListen(error: NodeJS.ErrnoException, { host, port }: HttpWay): Error {
  const choose = "or choose another port: 0 takes a free one.";
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Something else listens on port ${port} of ${host} already. Stop it, ${choose}`,
    EACCES: `This user may not listen on port ${port} of ${host}. Take a port above 1023, ${choose}`,
    EADDRNOTAVAIL: `This machine has no address ${host}. 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses.`,
    ENOTFOUND: `This machine has no address ${host}. 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses.`,
  };
  const sentence = sentences[error.code ?? ""];
  if (sentence === undefined) return error;
  const explained = new ContractError("INVALID_OPTION", `serve: ${sentence}`, { option: "http" });
  // The person who starts the program needs the sentence; a stack trace into our code does not help with a port.
  explained.stack = `${explained.name}: ${explained.message}`;
  return explained;
}

/** Listens, and logs the address on stderr. An address that other machines can reach requires `auth`. */
export async function listenHttp(way: HttpWay, sdk: Sdk, parts: ServeParts): Promise<Reached> {
  const { auth, name, version, logger, logLevel } = parts.options;
  if (auth === undefined && !isLoopbackHost(way.host))
    throw new ContractError(
      "INVALID_OPTION",
      `serve: Other machines can reach ${JSON.stringify(way.host)}, but the server does not check who calls. Give auth, or listen on 127.0.0.1.`,
      { option: "auth" },
    );
  const serving = new HttpServing(way, sdk, parts);
  const url = await serving.listen();
  if (logger !== undefined) parts.log.info("serve-listening", { url });
  else if (logLevel !== "silent") process.stderr.write(`${name} ${version} listens on ${url}\n`);
  return { url, reload: () => serving.reload(), close: () => serving.close() };
}

/** The caller, in the form in which the SDK gives it to handlers. */
interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  extra: Record<string, unknown>;
}

function bearerOf(request: Request): string {
  return /^Bearer +(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

/** The refusal of an unknown sender. A client that can sign in starts to do so when it reads this. */
function nobody(request: Request): Refusal {
  const hasTried = request.headers.has("authorization");
  return {
    status: 401,
    code: HTTP_REFUSAL,
    message: hasTried ? "Unauthorized: these credentials are not valid" : "Unauthorized: sign in first",
    headers: { "www-authenticate": hasTried ? 'Bearer error="invalid_token"' : "Bearer" },
  };
}

/** Only a text is a valid subject; anything else would merge all callers into one, so the request is refused. */
function toAuthInfo(principal: Principal, request: Request): AuthInfo {
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

// Converts a request of Node's HTTP server to a web Request, and a web Response back: the SDK uses the web types.

/** The request without its body: enough to identify the sender. Its signal aborts when the connection closes. */
function toWebRequest(request: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct))
    for (const each of value ?? []) headers.append(name, each);
  const url = `http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`;
  return new Request(url, { method: request.method ?? "GET", headers, signal: gone.signal });
}

/** The body a client sent: parsed JSON, or a text that the SDK refuses in its own words. */
interface SentBody {
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly parsed: unknown;
}

/** Reads at most 4 MiB of the body, as the SDK does; a longer body is refused with 413, and no tool is called. */
function readBody(request: IncomingMessage, response: ServerResponse): Promise<SentBody | undefined> {
  if (request.method !== "POST") return Promise.resolve({ text: "", parsed: undefined });
  return new Promise((resolve) => {
    response.once("close", () => resolve(undefined));
    receiveBody(request, response, MAX_BODY_BYTES, (bytes) => {
      const text = bytes.toString("utf8");
      resolve({ text, parsed: jsonIn(text) });
    });
  });
}

/** The same request with the body that the client sent. */
function withBody(request: Request, text: string): Request {
  return new Request(request, { method: "POST", body: text });
}

/** Writes a web response; events are sent as they arrive. The response ends when the client disconnects. */
async function writeResponse(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  const { body } = answer;
  const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
  if (response.destroyed) return body?.cancel();
  if (body === null || !isStream) {
    const bytes = body === null ? undefined : Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...headers, "content-length": bytes?.length ?? 0 });
    response.end(bytes);
    return;
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  // Besides ours, a stream takes several listeners for its end; they are not a leak.
  response.setMaxListeners(20);
  await pipeline(Readable.fromWeb(body), response).catch(() => undefined);
}

// Clients that read JSON but not events, such as curl and those of source 003. MCP requires a client to accept both,
// and the SDK refuses other clients. Here the SDK is asked as if they accepted both, and its stream becomes one JSON
// answer.

/** What a client accepts as the answer to a POST. */
interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

/** Without the header a client accepts anything, as in HTTP; events must be named, since few clients read them. */
export function acceptedBy(accept: string | null): Accepted {
  const types = (accept ?? "*/*")
    .split(",")
    .map((range) => range.trim().toLowerCase())
    .filter((range) => range !== "" && !/;\s*q=0(?:\.0*)?$/.test(range))
    .map((range) => range.split(";", 1)[0]?.trim());
  const json = ["application/json", "application/*", "*/*"].some((type) => types.includes(type));
  return { json, events: types.includes("text/event-stream") };
}

/** The same request, changed to accept JSON and events. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request, { headers });
}

function isAnswer(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["method"] === undefined && "id" in value;
}

/** Reads events to their end and returns the answers among them; notifications are left out. */
async function answersIn(body: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<JsonObject[]> {
  const answers: JsonObject[] = [];
  const events = new SseReader(Number.MAX_SAFE_INTEGER, {
    event: ({ data }) => {
      const message: unknown = data === undefined ? undefined : JSON.parse(data.toString("utf8"));
      if (isAnswer(message)) answers.push(message);
    },
    oversized: () => undefined,
  });
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  gone.addEventListener("abort", leave, { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return answers;
    events.take(Buffer.from(value));
  }
}

/** An answer without events: one message, or a list of messages for a batch. Undefined if the stream had no answers. */
export async function withoutEvents(
  answer: Response,
  { isBatch, gone }: { readonly isBatch: boolean; readonly gone: AbortSignal },
): Promise<Response | undefined> {
  const { body, status } = answer;
  if (body === null || answer.headers.get("content-type")?.startsWith("text/event-stream") !== true)
    return answer;
  const answers = await answersIn(body, gone);
  const [first] = answers;
  if (first === undefined) return undefined;
  const headers = new Headers(answer.headers);
  for (const name of ["content-type", "cache-control", "connection", "x-accel-buffering"])
    headers.delete(name);
  return Response.json(isBatch ? answers : first, { status, headers });
}
