// One client over standard input and output, by the SDK's `serveStdio`. Asked to stop, it takes no more requests and
// answers those it has; a client that closes its end ends the server.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { OpenWork, STOP_GRACE_MS } from "./open-work.ts";
import type { Reached, ServeParts } from "./serve-parts.ts";
import { type StdioTransport, stdioTransport } from "./stdio-transport.ts";

type Id = string | number;

function idOf(value: unknown): Id | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** A subscription is answered when it ends, so nobody waits for it. */
const SUBSCRIBE = "subscriptions/listen";

/** A transport that knows which requests are still to be answered. */
class CountedTransport implements StdioTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: StdioTransport;
  readonly #open = new OpenWork<Id>();
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
    if (answered !== undefined) this.#open.end(answered);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Takes no more requests, and resolves when those it has are answered. Answers of the client still come in. */
  drain(): Promise<void> {
    this.#isStopping = true;
    return this.#open.settled(STOP_GRACE_MS);
  }

  #take(message: unknown, extra: unknown): void {
    const { id, method, params } = message as JsonObject;
    const asked = method === undefined ? undefined : idOf(id);
    if (asked !== undefined && this.#isStopping) {
      const error = { code: -32000, message: "The server is shutting down" };
      this.#inner.send({ jsonrpc: "2.0", id: asked, error }).catch(() => undefined);
      return;
    }
    if (asked !== undefined && method !== SUBSCRIBE) this.#open.begin(asked);
    // A cancelled request gets no answer.
    const cancelled =
      method === "notifications/cancelled" && isJsonObject(params) && idOf(params["requestId"]);
    if (cancelled !== undefined && cancelled !== false) this.#open.end(cancelled);
    this.onmessage?.(message, extra);
  }
}

export async function openStdio({ options, build, log, end }: ServeParts): Promise<Reached> {
  const streams = typeof options.stdio === "object" ? options.stdio : {};
  if (streams.stdin === undefined && process.stdin.isTTY && options.logLevel !== "silent")
    process.stderr.write(
      `${options.name} ${options.version} speaks MCP on standard input and output. A client starts it; by hand, add --http 3000 and call http://127.0.0.1:3000/mcp.\n`,
    );
  const transport = new CountedTransport(stdioTransport(streams), end);
  const connection = serveStdio(build, {
    transport,
    onerror: (error) => log.error("serve-error", { err: error }),
  });
  return {
    close: async () => {
      await transport.drain();
      await connection.close();
    },
  };
}
