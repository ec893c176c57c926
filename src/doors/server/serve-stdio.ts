// One client over standard input and output, by the SDK's `serveStdio`. Asked to stop, the server takes no more
// requests and answers the open ones. The server ends when the client closes its side.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";
import { STOP_GRACE_MS, type Reached, type ServeParts } from "./serve-parts.ts";
import { type StdioTransport, stdioTransport } from "./stdio-transport.ts";
import { type InspectOptions, inspect } from "node:util";
import { isDevelopment } from "../../engine/runtime/edge-runtime.ts";
import type { Log } from "../../engine/observe/log-event.ts";
import type { BuiltServer } from "./build-server.ts";
import { CONNECTION_CLOSED } from "../../core/protocol/names.ts";

type Id = string | number;

function idOf(value: unknown): Id | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** A subscription is answered only when it ends, so a stop does not wait for it. */
const SUBSCRIBE = "subscriptions/listen";

/** A transport that counts unanswered requests. */
class CountedTransport implements StdioTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: StdioTransport;
  readonly #open = new PendingRequests<true, Id>();
  #isStopping = false;

  constructor(inner: StdioTransport, onEnd: () => void) {
    this.#inner = inner;
    const heard: Pick<StdioTransport, "onmessage" | "onclose" | "onerror"> = {
      onmessage: (message, extra) => this.#take(message, extra),
      onclose: () => {
        this.onclose?.();
        onEnd();
      },
      onerror: (error) => this.onerror?.(error),
    };
    Object.assign(inner, heard);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: unknown): Promise<void> {
    await this.#inner.send(message);
    const { id, method } = message as JsonObject;
    const answered = method === undefined ? idOf(id) : undefined;
    if (answered !== undefined) this.#open.take(answered);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Takes no more requests, and resolves when the open ones are answered. The client's answers are still received. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    await this.#open.idle(STOP_GRACE_MS, true);
  }

  #take(message: unknown, extra: unknown): void {
    const { id, method, params } = message as JsonObject;
    const asked = method === undefined ? undefined : idOf(id);
    if (asked !== undefined && this.#isStopping) {
      const error = { code: CONNECTION_CLOSED, message: "The server is shutting down" };
      this.#inner.send({ jsonrpc: "2.0", id: asked, error }).catch(() => undefined);
      return;
    }
    if (asked !== undefined && method !== SUBSCRIBE) this.#open.add(asked, true);
    // A cancelled request gets no answer.
    const cancelled =
      method === "notifications/cancelled" && isJsonObject(params) && idOf(params["requestId"]);
    if (cancelled !== undefined && cancelled !== false) this.#open.take(cancelled);
    this.onmessage?.(message, extra);
  }
}

/** Streams in use, each with the name of its server: two servers on one stream would both answer every request. */
const taken = new Map<object, string>();

/** Reserves streams for one server. Returns a function that frees them. */
function takeStreams(name: string, streams: readonly object[]): () => void {
  const other = streams.map((stream) => taken.get(stream)).find((found) => found !== undefined);
  if (other !== undefined)
    throw new ContractError(
      "INVALID_OPTION",
      `serve: This process serves ${JSON.stringify(other)} over stdio already, which has one client and one server. Give all tools to one serve(), or serve ${JSON.stringify(name)} over HTTP.`,
      { option: "stdio" },
    );
  for (const stream of streams) taken.set(stream, name);
  return () => {
    for (const stream of streams) taken.delete(stream);
  };
}

/** Takes the streams, and redirects the console away from them while the server runs. */
function settleIn({ options, log }: ServeParts, stdin: object, stdout: object): () => void {
  const free = takeStreams(options.name, [stdin, stdout]);
  const restore = stdout === process.stdout ? spareStdout(log) : undefined;
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    restore?.();
    free();
  };
}

export async function openStdio(parts: ServeParts): Promise<Reached> {
  const { options, build, log, end } = parts;
  const streams = typeof options.stdio === "object" ? options.stdio : {};
  const { stdin = process.stdin, stdout = process.stdout } = streams;
  const leave = settleIn(parts, stdin, stdout);
  if (streams.stdin === undefined && process.stdin.isTTY && options.logLevel !== "silent")
    process.stderr.write(
      `${options.name} ${options.version} speaks MCP on standard input and output. A client starts it; by hand, add --http 3000 and call http://127.0.0.1:3000/mcp.\n`,
    );
  const transport = new CountedTransport(stdioTransport(streams), end);
  // The one of the connection, and one that only answered what a client asked before.
  const built = new Set<BuiltServer>();
  const buildKept = (): BuiltServer => {
    const server = build();
    built.add(server);
    return server;
  };
  const connection = serveStdio(buildKept, {
    transport,
    onerror: (error) => log.error("serve-error", { err: error }),
  });
  return {
    reload: (tools) => {
      for (const server of built) server.replace(...tools);
    },
    close: async () => {
      try {
        await transport.drain();
        await connection.close();
      } finally {
        leave();
      }
    },
  };
}

// Standard output belongs to the protocol while a server uses it: any other line breaks clients. Console output of a
// handler goes to standard error during that time.

/** The methods that write to standard output directly; `table`, `group` and `count` print by `log`. */
const printing = ["log", "info", "debug", "dir"] as const;

const hint =
  "Standard output belongs to the protocol, so console.log goes to standard error here. Write console.error.";

/** Sends console output to standard error. Returns a function that restores the console. */
export function spareStdout(log: Log): () => void {
  const printer = globalThis.console;
  let isTold = !isDevelopment();
  const tell = (method: string): void => {
    if (isTold) return;
    isTold = true;
    log.warn("console-on-stdout", { method, hint });
  };
  const before = printing.map((method) => [method, printer[method]] as const);
  const print =
    (method: string) =>
    (...words: unknown[]): void => {
      tell(method);
      printer.error(...words);
    };
  const ours = {
    log: print("log"),
    info: print("info"),
    debug: print("debug"),
    dir: (value: unknown, options?: InspectOptions): void => {
      tell("dir");
      printer.error("%s", inspect(value, { customInspect: false, ...options }));
    },
  };
  Object.assign(printer, ours);
  return () => {
    // A method that other code has replaced since then is kept.
    for (const [method, original] of before)
      if (printer[method] === ours[method]) Object.assign(printer, { [method]: original });
  };
}
