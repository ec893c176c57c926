// A server as one function from a web Request to a Response: a route of Hono or Next.js, or the `fetch` of Bun, Deno or a
// Worker. It listens nowhere and changes nothing in its process; limits of connections and TLS are its host's. The SDK is
// not loaded later, as `serve` does it: bundlers for Workers would then leave it, and Zod with it, without a start.

import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import type * as z from "zod/mini";
import { checkToolList, contractKinds } from "../../engine/call/check-options.ts";
import { checkOptions, refuseOptions } from "../../core/options/check-options.ts";
import { list, object, optionsOf, text } from "../../core/options/option-kinds.ts";
import { jsonIn } from "../../core/json/json-value.ts";
import { describedPath } from "../../engine/request/sign-in/protected-resource.ts";
import type { ConfigSource } from "../../engine/settings/contract-options.ts";
import type { AnyTool } from "../../engine/settings/tool-definition.ts";
import {
  MAX_BODY_BYTES,
  headersForPage,
  headersForPreflight,
  requestGuard,
} from "../../engine/transport/http/request-guard.ts";
import {
  HTTP_REFUSAL,
  type Refusal,
  bodyTooLarge,
  failedRefusal,
  idToRepeat,
  refusalBody,
} from "../../engine/transport/http/refusal.ts";
import {
  type Answering,
  type SentBody,
  answerRequest,
  methods,
  reportTo,
  wrongMethod,
} from "./answer-request.ts";
import { type Contract, createContract, isContract, stateOf } from "./create-contract.ts";
import { type ServerAbout, serverBuilder } from "./build-server.ts";
import { type ServeOptions, contractOptionsOf, serveKinds } from "./serve-options.ts";
import { serveWatch } from "./serve-watch.ts";
import { SignIn } from "./sign-in.ts";
import type { ServeAuth } from "./sign-in-options.ts";

/** What a server behind a framework needs beside its contract. */
export interface FetchOptions extends Omit<ServerAbout, "name" | "version" | "reload"> {
  /**
   * Who may call: a function that identifies a sender, or the tokens that are taken. Default: every sender that the framework lets
   * in.
   */
  readonly auth?: ServeAuth | undefined;
  /** The names that the Host header may have. Default: any, because the framework knows where it listens. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Web pages that may call: names, origins, or all of a scheme, such as `vscode://*`. Default: pages of this machine.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
}

/** What a server has that listens by itself. */
type OnlyListening = "http" | "stdio" | "metrics" | "reload";

/** The options of `serveFetch`: all options of a contract, and what a server behind a framework needs. */
export interface ServeFetchOptions<Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends Omit<ServeOptions<Tools>, keyof FetchOptions | OnlyListening | "config">, FetchOptions {
  /** The source of settings. Default: none; no file is read. */
  readonly config?: ConfigSource | undefined;
}

/** Answers a request. It is also what its server is made of, and how that ends. */
export interface FetchServer<Tools extends readonly AnyTool[] = readonly AnyTool[]> {
  (request: Request): Promise<Response>;
  readonly contract: Contract<Tools>;
  /** Ends open streams, and closes the contract if `serveFetch` made it. */
  readonly close: () => Promise<void>;
}

const owner = "serveFetch";

const {
  http: _http,
  stdio: _stdio,
  metrics: _metrics,
  reload: _reload,
  config: _config,
  ...ofServe
} = serveKinds;

const kinds = {
  auth: ofServe.auth,
  title: ofServe.title,
  instructions: ofServe.instructions,
  icons: ofServe.icons,
  websiteUrl: ofServe.websiteUrl,
  register: ofServe.register,
  requestState: ofServe.requestState,
  logging: ofServe.logging,
  allowedHosts: list(text),
  allowedOrigins: list(text),
} satisfies Record<keyof FetchOptions, z.ZodMiniType>;

const fetchOptions = optionsOf<FetchOptions>(kinds);

type Optional = Omit<ServeFetchOptions, "name" | "version" | "tools">;

const allOptions = object({
  ...optionsOf<Optional>({ ...ofServe, ...kinds, config: contractKinds.config }).shape,
  name: text,
  version: text,
  tools: contractKinds.tools,
});

/** The contract of a server, and what it needs beside it. */
interface Given {
  readonly contract: Contract;
  readonly isOurs: boolean;
  readonly options: FetchOptions;
}

function fromOptions(given: ServeFetchOptions): Given {
  checkOptions(owner, allOptions, given);
  const { allowedHosts: _hosts, allowedOrigins: _origins, config, ...others } = given;
  const rest = contractOptionsOf(others);
  if (rest.tools.length === 0) refuseOptions(owner, [{ path: ["tools"], part: "value", message: NO_TOOLS }]);
  checkToolList(owner, rest.tools, rest.retrieve?.name);
  const contract = createContract(config === undefined ? rest : { ...rest, config });
  return { contract, isOurs: true, options: given };
}

const NO_TOOLS = '"tools" is an empty list. Give at least one tool made by defineTool().';

function fromContract(contract: Contract, options: FetchOptions): Given {
  checkOptions(owner, fetchOptions, options);
  for (const key of ["name", "version"] as const)
    if (contract.options[key] === undefined) {
      const message = `The contract has no ${key}, which clients are told. Give createContract({ name, version }).`;
      refuseOptions(owner, [{ path: [key], part: "value", message }]);
    }
  return { contract, isOurs: false, options };
}

const closing: Refusal = { status: 503, code: HTTP_REFUSAL, message: "The server is shutting down" };
const notFound: Refusal = {
  status: 404,
  code: HTTP_REFUSAL,
  message: "Not Found: this server describes no sign-in here",
};

class FetchServing {
  readonly #contract: Contract;
  readonly #guard: ReturnType<typeof requestGuard>;
  readonly #answering: Answering;
  #isClosing = false;

  constructor({ contract, options }: Given) {
    const { auth, title, allowedHosts, allowedOrigins } = options;
    this.#contract = contract;
    this.#guard = requestGuard({ host: ANY_ADDRESS, allowedHosts, allowedOrigins });
    const signIn = new SignIn({ owner, auth, contract, name: title ?? contract.options.name });
    const onerror = reportTo(stateOf(contract).log);
    const { name = "", version = "" } = contract.options;
    const build = serverBuilder({ ...options, name, version }, contract, { McpServer });
    this.#answering = { handler: createMcpHandler(() => build(contract.tools), { onerror }), signIn };
  }

  /** Never rejects: a host may show an exception to the client. */
  async fetch(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      stateOf(this.#contract).log.error("serve-error", { err: error });
      return refused(failedRefusal);
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#answering.handler.close();
  }

  async #answer(request: Request): Promise<Response> {
    const origin = request.headers.get("origin") ?? undefined;
    const refusal = this.#guard({ host: new URL(request.url).host, origin });
    if (refusal !== undefined) return refused(refusal);
    const page = origin === undefined ? {} : headersForPage(origin);
    if (request.method === "OPTIONS" && request.headers.has("access-control-request-method")) {
      const asked = request.headers.get("access-control-request-headers");
      return new Response(null, { status: 204, headers: { ...page, ...headersForPreflight(asked) } });
    }
    const answer = await this.#take(request);
    const headers = new Headers(answer.headers);
    for (const [name, value] of Object.entries(page)) headers.set(name, value);
    return new Response(answer.body, { status: answer.status, headers });
  }

  async #take(request: Request): Promise<Response> {
    if (!methods.has(request.method)) return refused(wrongMethod);
    if (this.#isClosing) return refused(closing);
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/.well-known/")) return this.#describe(request, pathname);
    const sender = await this.#answering.signIn.identify(request);
    if ("refusal" in sender) return refused(sender.refusal);
    const text = await bodyOf(request);
    if (text === undefined) return refused(bodyTooLarge(MAX_BODY_BYTES));
    const body: SentBody = { text, parsed: jsonIn(text) };
    const answer = await answerRequest(this.#answering, withoutBody(request), body, sender.authInfo);
    return answer instanceof Response ? answer : refused(answer, idToRepeat(body.parsed));
  }

  /** What a client needs to know to sign in; open to every caller. */
  #describe(request: Request, pathname: string): Response {
    const described = describedPath(pathname);
    const metadata =
      described === undefined ? undefined : this.#answering.signIn.metadata(request, described);
    if (metadata === undefined || request.method !== "GET") return refused(notFound);
    return Response.json(metadata, { headers: { "cache-control": "no-store" } });
  }
}

/** For the guard: the host decides where it listens. */
const ANY_ADDRESS = "0.0.0.0";

function refused(refusal: Refusal, id: string | number | null = null): Response {
  const { status, headers, body } = refusalBody(refusal, id);
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(body, { status, headers: named });
}

/** The text of a body of at most 4 MiB; undefined for a longer one, which is not read further. */
async function bodyOf({ method, headers, body }: Request): Promise<string | undefined> {
  if (method !== "POST" || body === null) return "";
  if (Number(headers.get("content-length")) > MAX_BODY_BYTES) return undefined;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > MAX_BODY_BYTES) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Its body is read: a request with a used body cannot be copied. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  return new Request(url, { method, headers, signal });
}

/** It is not held: nothing is opened yet. Without a source of settings none is looked for. */
function tellWatch({ options, tools }: Contract): void {
  const { name = "", version = "", config = false } = options;
  serveWatch()?.called?.({ ...options, name, version, tools, config });
}

/**
 * A server as a function from a Request to a Response, for a route of a framework or the `fetch` of a runtime.
 *
 * @example
 * export default { fetch: serveFetch({ name: "tasks", version: "1.0.0", tools: [taskGet] }) };
 */
export function serveFetch<const Tools extends readonly AnyTool[]>(
  options: ServeFetchOptions<Tools>,
): FetchServer<Tools>;
export function serveFetch<Tools extends readonly AnyTool[]>(
  contract: Contract<Tools>,
  options?: FetchOptions,
): FetchServer<Tools>;
export function serveFetch(given: Contract | ServeFetchOptions, options: FetchOptions = {}): FetchServer {
  const parts = isContract(given as Contract)
    ? fromContract(given as Contract, options)
    : fromOptions(given as ServeFetchOptions);
  const { contract, isOurs } = parts;
  tellWatch(contract);
  const serving = new FetchServing(parts);
  const close = async (): Promise<void> => {
    await serving.close();
    if (isOurs) await contract.close();
  };
  return Object.assign((request: Request) => serving.fetch(request), { contract, close });
}
