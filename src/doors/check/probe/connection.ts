// One connection to a server, from the client's side: requests with their answers, a time limit on each, and an answer
// to whatever the server asks itself. Everything that crosses it is written down.

import { isUtf8 } from "node:buffer";
import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../../../core/json/json-value.ts";
import type { Link, OversizedMessage } from "../../../engine/transport/link.ts";
import type { Reply } from "../../../core/rules/server-record.ts";
import type { Recorder } from "./recorder.ts";
import { MAX_JSON_DEPTH, isCleanJson } from "../../../core/json/find-non-json.ts";

/** What came back for a request. */
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

/** The beginning of a line that is no message. */
const SHOWN_CHARACTERS = 120;
const METHOD_NOT_FOUND = -32_601;

/** The reason in an error that stands for a failure of HTTP, as the link makes it; undefined for the server's own. */
function transportFailure({ code, message, data }: JsonObject): string | undefined {
  const isOurs = code === -32_000 && isJsonObject(data) && typeof data["executed"] === "string";
  return isOurs && typeof message === "string" ? message : undefined;
}

function isOwnError(value: JsonValue | undefined): boolean {
  const error = isJsonObject(value) ? value["error"] : undefined;
  return isJsonObject(error) && transportFailure(error) !== undefined;
}

/** What a response says. One with neither a result nor an error that is an object counts as an error without a word. */
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
  /** Hears responses that belong to no request, such as errors without an id. */
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

  /** Sends a line as it is, and hears what comes back without the id of a request, until `until` is over. */
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
    // What the link itself says of a failed request is no message of the server.
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

  /** The check is a client without capabilities, so the server may ask for nothing but a sign of life. */
  #answer(id: JsonValue, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `This client does not support ${method}` };
    this.#send(method === "ping" ? { jsonrpc: "2.0", id, result: {} } : { jsonrpc: "2.0", id, error });
  }

  #takeOversized({ bytes, rawId, isResponse }: OversizedMessage): void {
    this.#recorder.message("server", "", undefined, bytes);
    if (!isResponse) return;
    const id = rawId === undefined ? undefined : (parseMessage(rawId) as Id | undefined);
    // An id that could not be read belongs to the only request that is open, where there is one.
    const [only, ...others] = this.#waiting.values();
    const waiting = id === undefined ? (others.length === 0 ? only : undefined) : this.#waiting.get(id);
    waiting?.settle({ kind: "oversized", bytes });
  }

  #strayOutput(text: string): void {
    const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
    this.#recorder.problem({ kind: "stray-output", message: shown });
  }
}

/** The value with null in place of whatever is nested deeper: code that goes through it would overflow the stack. */
function withoutDepths(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_JSON_DEPTH) return null;
  if (isJsonObject(value)) return mapObject(value, (inner) => withoutDepths(inner, depth + 1));
  return value.map((inner) => withoutDepths(inner, depth + 1));
}

/**
 * The JSON of a line; undefined where it is not JSON. What is nested too deeply is cut off: the text of the message, which is
 * written down too, still shows it to the rule about depth.
 */
function parseMessage(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isCleanJson(value) ? value : withoutDepths(value, 0);
  } catch {
    return undefined;
  }
}
