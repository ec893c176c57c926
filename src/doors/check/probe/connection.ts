// One connection to a server, from the client's side: requests with their answers, a time limit on each, and an answer
// to every request of the server. All messages are recorded.

import { isUtf8 } from "node:buffer";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../core/json/json-value.ts";
import type { Link, OversizedMessage } from "../../../engine/transport/link.ts";
import type { Reply } from "../../../core/rules/server-record.ts";
import type { Recorder } from "./recorder.ts";
import { MAX_JSON_DEPTH, isCleanJson } from "../../../core/json/find-non-json.ts";

/** The answer to a request. */
export interface Answer {
  readonly reply: Reply;
  /** The whole response, with its id. */
  readonly response: JsonValue | undefined;
  readonly durationMs: number;
}

interface Waiting {
  readonly settle: (reply: Reply, response?: JsonObject) => void;
}

type Id = number | string;

/** How much of a line that is not a message is shown. */
const SHOWN_CHARACTERS = 120;
const METHOD_NOT_FOUND = -32_601;

/** The reason in an error that the link made for a failure of HTTP; undefined for the server's own errors. */
function transportFailure({ code, message, data }: JsonObject): string | undefined {
  const isOurs = code === -32_000 && isJsonObject(data) && typeof data["executed"] === "string";
  return isOurs && typeof message === "string" ? message : undefined;
}

function isOwnError(value: JsonValue | undefined): boolean {
  const error = isJsonObject(value) ? value["error"] : undefined;
  return isJsonObject(error) && transportFailure(error) !== undefined;
}

/** The content of a response. Without a result and without an error object, it counts as an error with no message. */
export function toReply({ result, error }: JsonObject): Reply {
  if (isJsonObject(result)) return { kind: "result", result };
  if (!isJsonObject(error)) return { kind: "error", error: {} };
  const reason = transportFailure(error);
  return reason === undefined ? { kind: "error", error } : { kind: "closed", reason };
}

export class Connection {
  readonly #link: Link;
  readonly #recorder: Recorder;
  readonly #waiting = new Map<Id, Waiting>();
  /** Receives responses that belong to no request, such as errors without an id. */
  #stray: ((response: JsonObject) => void) | undefined;
  #lastId = 0;
  #closedBy: string | undefined;

  constructor(link: Link, recorder: Recorder) {
    this.#link = link;
    this.#recorder = recorder;
    link.listen({
      message: (bytes) => this.#take(bytes),
      oversized: (message) => this.#takeOversized(message),
      closed: (why) => this.#end(why),
    });
  }

  /** Why the connection ended; undefined while it is open. */
  get closedBy(): string | undefined {
    return this.#closedBy;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  request(
    method: string,
    params: JsonObject | undefined,
    timeoutMs: number,
    id: Id = this.nextId(),
  ): Promise<Answer> {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      const settle = (reply: Reply, response?: JsonObject): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve({ reply, response, durationMs: performance.now() - startedAt });
      };
      const timer = setTimeout(() => settle({ kind: "timeout", afterMs: timeoutMs }), timeoutMs);
      if (this.#closedBy !== undefined) return settle({ kind: "closed", reason: this.#closedBy });
      this.#waiting.set(id, { settle });
      return this.#send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  notify(method: string, params?: JsonObject): void {
    this.#send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  /** Sends a line unchanged, and collects a response without the id of a request until `until` resolves. */
  async sendRaw(line: string, until: () => Promise<unknown>): Promise<JsonObject | undefined> {
    let heard: JsonObject | undefined;
    this.#stray = (response) => (heard ??= response);
    this.#recorder.message("client", line, undefined, Buffer.byteLength(line));
    this.#link.send(line);
    await until();
    this.#stray = undefined;
    return heard;
  }

  close(): void {
    this.#link.close();
    this.#end("the check closed the connection");
  }

  #send(message: JsonObject): void {
    const line = JSON.stringify(message);
    this.#recorder.message("client", line, message, Buffer.byteLength(line));
    this.#link.send(line);
  }

  #end(why: string): void {
    this.#closedBy ??= why;
    for (const { settle } of this.#waiting.values()) settle({ kind: "closed", reason: why });
  }

  #take(bytes: Buffer): void {
    const line = bytes.toString("utf8");
    const value = parseMessage(line);
    const text = value === undefined ? this.#recorder.stray(line) : line;
    // An error that the link made for a failed request is not a message of the server.
    if (!isOwnError(value)) this.#recorder.message("server", text, value, bytes.length, !isUtf8(bytes));
    const messages: readonly JsonValue[] = Array.isArray(value) ? value : [value ?? null];
    for (const message of messages) {
      if (isJsonObject(message)) this.#takeMessage(message);
      else this.#strayOutput(text);
    }
  }

  #takeMessage(message: JsonObject): void {
    const { id, method } = message;
    if (typeof method === "string") {
      if (id !== undefined && id !== null) this.#answer(id, method);
      return;
    }
    if (message["result"] === undefined && message["error"] === undefined)
      return this.#strayOutput(JSON.stringify(message));
    const waiting = typeof id === "number" || typeof id === "string" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) this.#stray?.(message);
    else waiting.settle(toReply(message), message);
    return undefined;
  }

  /** The check is a client without capabilities, so `ping` is the only request that a server may send. */
  #answer(id: JsonValue, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `This client does not support ${method}` };
    this.#send(method === "ping" ? { jsonrpc: "2.0", id, result: {} } : { jsonrpc: "2.0", id, error });
  }

  #takeOversized({ bytes, rawId, isResponse }: OversizedMessage): void {
    this.#recorder.message("server", "", undefined, bytes);
    if (!isResponse) return;
    const id = rawId === undefined ? undefined : (parseMessage(rawId) as Id | undefined);
    // A response with an unreadable id belongs to the open request, if there is exactly one.
    const [only, ...others] = this.#waiting.values();
    const waiting = id === undefined ? (others.length === 0 ? only : undefined) : this.#waiting.get(id);
    waiting?.settle({ kind: "oversized", bytes });
  }

  #strayOutput(text: string): void {
    const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
    this.#recorder.problem({ kind: "stray-output", message: shown });
  }
}

/** The value with null in place of anything nested deeper: code that walks it would overflow the stack. */
function withoutDepths(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) return null;
  if (isJsonObject(value)) return mapObject(value, (inner) => withoutDepths(inner, depth + 1));
  return value.map((inner) => withoutDepths(inner, depth + 1));
}

/**
 * The JSON of a line; undefined if it is not JSON. Values nested too deeply are cut off: the text of the message, which
 * is recorded too, still shows them to the rule about depth.
 */
function parseMessage(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isCleanJson(value) ? value : withoutDepths(value, 0);
  } catch {
    return undefined;
  }
}
