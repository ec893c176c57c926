// A connection to an MCP server from the client's side: it greets in either era, asks with a time limit, follows the
// pages of a list, and answers what the server asks. It has no roots and no model, and cannot ask a person.

import { MAX_JSON_DEPTH, isCleanJson } from "../../core/json/find-non-json.ts";
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  jsonIn,
  mapObject,
} from "../../core/json/json-value.ts";
import {
  LEGACY_REVISION,
  MAX_LIST_PAGES,
  METHOD_NOT_FOUND,
  MODERN_REVISION,
  UNSUPPORTED_VERSION,
  mcpMeta,
} from "../../core/protocol/names.ts";
import { PendingRequests } from "../../core/protocol/pending-requests.ts";
import type { Era, RecordedReply } from "../../core/rules/server-record.ts";
import type { Link, Outage, OversizedMessage } from "./link.ts";

/** The answer to a request. */
export interface McpAnswer {
  readonly reply: RecordedReply;
  /** The whole response, with its id. */
  readonly response: JsonObject | undefined;
  /** The response's own text, which keeps numbers that JavaScript cannot represent; undefined for one of a batch. */
  readonly text: string | undefined;
  readonly durationMs: number;
}

export interface AskLimits {
  /** Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  /** Tells the server when its answer is late; an abort always tells it. */
  readonly tellsLate?: boolean | undefined;
  readonly meta?: JsonObject | undefined;
  readonly id?: Id | undefined;
}

/** What a server answered to its greeting, and in which era. */
export interface Greeting {
  readonly era: Era;
  readonly reply: RecordedReply;
}

/** The era of a server can only be found by trying: a modern server answers `server/discover`, a legacy one `initialize`. */
export type GreetingOrder = Era | "legacy-first" | "modern-first";

/** Hears what a connection does, each time before the client itself takes notice. */
export interface McpClientListener {
  readonly sent?: (line: string, message: JsonObject | undefined) => void;
  /** One line of the server. `value` is undefined if the line is not JSON. */
  readonly received?: (bytes: Buffer, value: JsonValue | undefined) => void;
  /** JSON that is not a message. */
  readonly odd?: (text: string) => void;
  /** A response to no open request, such as an error without an id. */
  readonly unmatched?: (response: JsonObject) => void;
  readonly oversized?: (bytes: number) => void;
  readonly notified?: (method: string) => void;
  readonly interrupted?: (outage: Outage) => void;
  readonly lost?: (why: string) => void;
  /** The connection has ended, for whatever reason. */
  readonly closed?: () => void;
}

export interface McpClientOptions {
  readonly link: Link;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** For a server that need not be greeted. Default: the era of the greeting. */
  readonly era?: Era | undefined;
  readonly listener?: McpClientListener | undefined;
  /** Reads a response. Default: `toReply`. */
  readonly readReply?: ((response: JsonObject) => RecordedReply) | undefined;
}

type Id = number | string;

/** How long only the modern greeting waits. Servers that take no notice of methods they do not know answer the other. */
const MODERN_FIRST_MS = 3_000;

/** A connection is never reopened: a new client is made when it is gone. */
export class McpClient {
  readonly #options: McpClientOptions;
  readonly #listener: McpClientListener;
  readonly #waiting = new PendingRequests<
    (reply: RecordedReply, response?: JsonObject, text?: string) => void
  >();
  #era: Era | undefined;
  #lastId = 0;
  #closedBy: string | undefined;

  constructor(options: McpClientOptions) {
    this.#options = options;
    this.#listener = options.listener ?? {};
    this.#era = options.era;
    options.link.listen({
      message: (bytes) => this.#take(bytes),
      oversized: (message) => this.#takeOversized(message),
      closed: (why) => {
        this.#listener.lost?.(why);
        this.close(why);
      },
      // The server may come back, but it has then forgotten its open requests.
      interrupted: (outage) => {
        this.#listener.interrupted?.(outage);
        this.close(outage.reason);
      },
    });
  }

  /** Why the connection ended; undefined while it is open. */
  get closedBy(): string | undefined {
    return this.#closedBy;
  }

  get openRequests(): number {
    return this.#waiting.size;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Greets the server. If a greeting breaks the connection, the caller may try the other on a new connection. */
  async greet(order: GreetingOrder, timeoutMs?: number): Promise<Greeting> {
    const greeting = await this.#greet(order, timeoutMs);
    this.#era = greeting.era;
    return greeting;
  }

  /** Sends a request with what every request of the era carries. Never rejects. */
  ask(method: string, params: JsonObject, limits: AskLimits = {}): Promise<McpAnswer> {
    return this.#request(method, this.dressed(params, limits.meta), limits);
  }

  /** All tools that the server lists, and the reply that ended the list early, if one did. */
  async listTools(
    limits: AskLimits = {},
  ): Promise<{ readonly tools: readonly JsonValue[]; readonly failed?: RecordedReply }> {
    const tools: JsonValue[] = [];
    let cursor: JsonValue | undefined;
    for (let page = 0; page < MAX_LIST_PAGES; page++) {
      const { reply } = await this.ask("tools/list", cursor === undefined ? {} : { cursor }, limits);
      // A server without tools need not know the method.
      if (reply.kind === "error" && reply.error["code"] === METHOD_NOT_FOUND) break;
      if (reply.kind !== "result") return { tools, failed: reply };
      const { tools: listed, nextCursor } = reply.result;
      if (Array.isArray(listed)) tools.push(...(listed as readonly JsonValue[]));
      if (typeof nextCursor !== "string" || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    return { tools };
  }

  notify(method: string, params?: JsonObject): void {
    this.#send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  /** Sends a line unchanged, whatever it is. */
  sendLine(line: string): void {
    this.#listener.sent?.(line, undefined);
    this.#options.link.send(line);
  }

  /** The parameters with what every request of the era carries. */
  dressed(params: JsonObject, extra: JsonObject = {}): JsonObject {
    const meta = this.#era === "modern" ? { ...this.#modernMeta(), ...extra } : extra;
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  /** Ends the connection; open requests get the reason. */
  close(why: string): void {
    if (this.#closedBy !== undefined) return;
    this.#closedBy = why;
    for (const [, settle] of this.#waiting.takeAll()) settle({ kind: "closed", reason: why });
    this.#options.link.close();
    this.#listener.closed?.();
  }

  #modernMeta(): JsonObject {
    return {
      [mcpMeta.protocolVersion]: MODERN_REVISION,
      [mcpMeta.clientCapabilities]: {},
      [mcpMeta.clientInfo]: { ...this.#options.clientInfo },
    };
  }

  async #greet(order: GreetingOrder, timeoutMs: number | undefined): Promise<Greeting> {
    if (order === "modern") return this.#discover(timeoutMs);
    if (order === "modern-first") return this.#discoverFirst(timeoutMs);
    const legacy = await this.#initialize(timeoutMs);
    if (order === "legacy" || legacy.reply.kind !== "error") return legacy;
    const modern = await this.#discover(timeoutMs);
    return modern.reply.kind === "error" ? legacy : modern;
  }

  async #initialize(timeoutMs: number | undefined): Promise<Greeting> {
    const clientInfo = { ...this.#options.clientInfo };
    const params = { protocolVersion: LEGACY_REVISION, capabilities: {}, clientInfo };
    const { reply } = await this.#request("initialize", params, { timeoutMs });
    if (reply.kind === "result") this.notify("notifications/initialized");
    return { era: "legacy", reply };
  }

  async #discover(timeoutMs: number | undefined): Promise<Greeting> {
    const params = { _meta: this.#modernMeta() };
    const { reply } = await this.#request("server/discover", params, { timeoutMs });
    return { era: "modern", reply };
  }

  /** The modern greeting first. If it is refused, or unanswered for a while, the legacy greeting. */
  async #discoverFirst(timeoutMs = 2 * MODERN_FIRST_MS): Promise<Greeting> {
    const modern = this.#discover(timeoutMs);
    const early = await Promise.race([modern, late(Math.min(MODERN_FIRST_MS, timeoutMs / 2))]);
    if (early !== undefined) {
      const isOver = isModernAnswer(early.reply) || early.reply.kind === "closed";
      return isOver ? early : this.#initialize(timeoutMs);
    }
    const legacy = this.#initialize(timeoutMs);
    const first = await Promise.race([modern, legacy]);
    const isUsed = first.era === "modern" ? isModernAnswer(first.reply) : first.reply.kind === "result";
    if (isUsed) return first;
    const answered = await modern;
    return isModernAnswer(answered.reply) ? answered : legacy;
  }

  #request(
    method: string,
    params: JsonObject,
    { timeoutMs, signal, tellsLate = false, id = this.nextId() }: AskLimits,
  ): Promise<McpAnswer> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const settle = (reply: RecordedReply, response?: JsonObject, text?: string): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve({ reply, response, text, durationMs: performance.now() - startedAt });
      };
      const cancel = (reason: string): void =>
        this.notify("notifications/cancelled", { requestId: id, reason });
      const giveUp = (): void => {
        const reason = "was not waited for";
        if (this.#waiting.take(id) !== undefined) cancel(reason);
        settle({ kind: "closed", reason });
      };
      if (this.#closedBy !== undefined) return settle({ kind: "closed", reason: this.#closedBy });
      const expire = (ms: number) => (): void => {
        if (tellsLate) cancel(`did not answer within ${ms / 1_000} s`);
        settle({ kind: "timeout", afterMs: ms });
      };
      this.#waiting.add(
        id,
        settle,
        timeoutMs === undefined ? undefined : { ms: timeoutMs, late: expire(timeoutMs) },
      );
      this.#send({ jsonrpc: "2.0", id, method, params });
      signal?.addEventListener("abort", giveUp, { once: true });
      return signal?.aborted === true ? giveUp() : undefined;
    });
  }

  #send(message: JsonObject): void {
    if (this.#closedBy !== undefined) return;
    const line = JSON.stringify(message);
    this.#listener.sent?.(line, message);
    this.#options.link.send(line);
  }

  #take(bytes: Buffer): void {
    const line = bytes.toString("utf8");
    const value = parseMessage(line);
    this.#listener.received?.(bytes, value);
    if (Array.isArray(value))
      for (const one of value as readonly JsonValue[]) this.#takeMessage(one, undefined, line);
    else if (value !== undefined) this.#takeMessage(value, line, line);
  }

  #takeMessage(message: JsonValue, text: string | undefined, line: string): void {
    if (!isJsonObject(message)) return this.#listener.odd?.(line);
    const { id, method, result, error } = message;
    if (typeof method === "string") {
      if (id === undefined || id === null) this.#listener.notified?.(method);
      else this.#answer(id, method);
      return undefined;
    }
    if (result === undefined && error === undefined) return this.#listener.odd?.(JSON.stringify(message));
    const settle = this.#waiting.take(id);
    if (settle === undefined) return this.#listener.unmatched?.(message);
    const { readReply = toReply } = this.#options;
    return settle(readReply(message), message, text);
  }

  /** A client without capabilities may only be sent `ping`. */
  #answer(id: JsonValue, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `This client does not support ${method}` };
    this.#send(method === "ping" ? { jsonrpc: "2.0", id, result: {} } : { jsonrpc: "2.0", id, error });
  }

  #takeOversized({ bytes, rawId, isResponse }: OversizedMessage): void {
    this.#listener.oversized?.(bytes);
    if (isResponse) this.#waiting.takeOversized(rawId)?.({ kind: "oversized", bytes });
  }
}

/** The content of a response. Without a result and without an error object, it counts as an error with no message. */
export function toReply({ result, error }: JsonObject): RecordedReply {
  if (isJsonObject(result)) return { kind: "result", result };
  return { kind: "error", error: isJsonObject(error) ? error : {} };
}

function isModernAnswer(reply: RecordedReply): boolean {
  return reply.kind === "result" || (reply.kind === "error" && reply.error["code"] === UNSUPPORTED_VERSION);
}

function late(ms: number): Promise<undefined> {
  // The timer must not keep the process alive once the answer is there.
  return new Promise((resolve) => void setTimeout(resolve, ms, undefined).unref());
}

/**
 * The JSON of a line; undefined if it is not JSON. Values nested too deeply are cut off; a listener that needs them has
 * the text.
 */
function parseMessage(text: string): JsonValue | undefined {
  const value = jsonIn(text);
  return value === undefined || isCleanJson(value) ? value : withoutDepths(value, 0);
}

/** The value with null in place of anything nested deeper: code that walks it would overflow the stack. */
function withoutDepths(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) return null;
  if (isJsonObject(value)) return mapObject(value, (inner) => withoutDepths(inner, depth + 1));
  return value.map((inner) => withoutDepths(inner, depth + 1));
}
