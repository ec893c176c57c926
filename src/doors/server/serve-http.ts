// The HTTP listener of `serve`, for Node. It checks where a request comes from and who sends it; the SDK handles the
// content. Serves both eras of the protocol, `/healthz`, and `/metrics` where it is asked for.

import type { IncomingMessage, ServerResponse } from "node:http";
import { ContractError } from "../../core/contract/contract-error.ts";
import { GuardedServer, answerProbe } from "../../engine/transport/http/guarded-server.ts";
import {
  requestGuard,
  allowPage,
  MAX_BODY_BYTES,
  receiveBody,
} from "../../engine/transport/http/request-guard.ts";
import { frontLine, isBehindFront } from "../../engine/transport/http/behind-front.ts";
import {
  HTTP_REFUSAL,
  type Refusal,
  failedRefusal,
  idToRepeat,
  refuse,
} from "../../engine/transport/http/refusal.ts";
import { isLoopbackHost } from "../../core/text/network-address.ts";
import { describedPath } from "../../engine/request/sign-in/protected-resource.ts";
import { jsonIn } from "../../core/json/json-value.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";
import { STOP_GRACE_MS, type Reached, type Sdk, type ServeParts } from "./serve-parts.ts";
import type { HttpWay } from "./serve-way.ts";
import {
  type McpHandler,
  type SentBody,
  answerRequest,
  isSubscription,
  methods,
  reportTo,
  wrongMethod,
} from "./answer-request.ts";
import { SignIn } from "./sign-in.ts";
import { type MetricsPage, callsPage } from "../../engine/observe/call-metrics.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** How long written answers may take to be sent after every call has ended. */
const FLUSH_MS = 1_000;

const closing: Refusal = { status: 503, code: HTTP_REFUSAL, message: "The server is shutting down" };

function notFound(path: string): Refusal {
  return { status: 404, code: HTTP_REFUSAL, message: `Not Found: this server answers at ${path}` };
}

class HttpServing {
  readonly #way: HttpWay;
  readonly #parts: ServeParts;
  readonly #handler: McpHandler;
  readonly #signIn: SignIn;
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
    const { options, contract, log, build } = parts;
    if (options.metrics === true) this.#metrics = callsPage((listener) => contract.onCall(listener));
    this.#signIn = new SignIn({
      owner: "serve",
      auth: options.auth,
      contract,
      name: options.title ?? options.name,
    });
    this.#handler = sdk.createMcpHandler(build, { onerror: reportTo(log) });
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

  /** `isBehind`: on a free port of this machine, whatever the way says. */
  async listen(isBehind: boolean): Promise<{ readonly url: string; readonly port: number }> {
    const { host, port, path } = isBehind ? { ...this.#way, host: "127.0.0.1", port: 0 } : this.#way;
    const explain = (error: unknown): never => {
      throw explainListen(error as NodeJS.ErrnoException, this.#way);
    };
    const listening = await this.#server.listen(port, host).catch(explain);
    return { url: `${listening.origin}${path}`, port: listening.port };
  }

  /** Server objects are built for each request, with the tools and whatever else there is then. */
  reload(tools: readonly AnyTool[]): void {
    this.#signIn.follow(tools);
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
    const described = describedPath(path);
    if (described === undefined && path !== this.#way.path && path !== `${this.#way.path}/`)
      return refuse(response, notFound(this.#way.path));
    if (!methods.has(request.method ?? "")) return refuse(response, wrongMethod);
    if (described !== undefined) return this.#describe(described, request, response);
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
    const sender = await this.#signIn.identify(asked);
    if ("refusal" in sender) return refuse(response, sender.refusal);
    const body = await readBody(request, response);
    if (body === undefined) return undefined;
    if (isSubscription(body.parsed)) this.#asked.take(response);
    const parts = { handler: this.#handler, signIn: this.#signIn };
    const answer = await this.#parts.contract.withPeer(request.socket.remoteAddress, () =>
      answerRequest(parts, asked, body, sender.authInfo),
    );
    if (answer instanceof Response) return writeResponse(answer, response);
    return refuse(response, answer, idToRepeat(body.parsed));
  }

  /** What a client needs to know to sign in; open to every caller. */
  #describe(path: string, request: IncomingMessage, response: ServerResponse): void {
    const asked = toWebRequest(request, response);
    const metadata = path === this.#way.path ? this.#signIn.metadata(asked, path) : undefined;
    if (metadata === undefined) return refuse(response, notFound(this.#way.path));
    return answerProbe(request, response, true, metadata);
  }
}

/** Why an address cannot be listened on, in words for the person who starts the server. */
export function explainListen(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<HttpWay, "host" | "port">,
): Error {
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

function placeIn({ host, port, path }: HttpWay): Pick<HttpWay, "host" | "port" | "path"> {
  return { host, port, path };
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
  const isBehind = isBehindFront(process.env);
  const { url, port } = await serving.listen(isBehind);
  // The front says it, once it listens too.
  if (isBehind)
    process.stderr.write(frontLine({ title: `${name} ${version}`, behind: port, ...placeIn(way) }));
  else if (logger !== undefined) parts.log.info("serve-listening", { url });
  else if (logLevel !== "silent") process.stderr.write(`${name} ${version} listens on ${url}\n`);
  return { url, reload: (tools) => serving.reload(tools), close: () => serving.close() };
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
