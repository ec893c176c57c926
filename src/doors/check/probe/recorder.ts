import { isUtf8 } from "node:buffer";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import { type McpClientListener, toReply } from "../../../engine/transport/mcp-client.ts";
import { createLineRedactor, type Redactor } from "../../../core/text/redact/redact-secrets.ts";
import { CONNECTION_CLOSED } from "../../../core/protocol/names.ts";
import type {
  CallRecord,
  RecordedMessage,
  RecordedReply,
  ServerProblem,
} from "../../../core/rules/server-record.ts";

/** The most messages that are kept; a check of a talkative server must not use all memory. */
const MAX_MESSAGES = 4_000;
const MAX_RAW_CHARACTERS = 4_096;
/** Of a longer message only the beginning is kept, without its parsed value. */
const MAX_VALUE_BYTES = 256 * 1024;
const MAX_VALUES_BYTES = 16 * 1024 * 1024;
const MAX_PROBLEMS = 50;
/** For all results together. Rules judge the calls, so the check ends rather than keep some of them. */
const MAX_CALL_BYTES = 128 * 1024 * 1024;
/** How much of a line that is not a message is shown. */
const SHOWN_CHARACTERS = 120;

/** The reason in an error that the link made for a failure of HTTP; undefined for the server's own errors. */
function transportFailure(error: JsonValue | undefined): string | undefined {
  if (!isJsonObject(error)) return undefined;
  const { code, message, data } = error;
  const isOurs = code === CONNECTION_CLOSED && isJsonObject(data) && typeof data["executed"] === "string";
  return isOurs && typeof message === "string" ? message : undefined;
}

/** The content of a response; an error that the link made means that the request was lost. */
export function readReply(response: JsonObject): RecordedReply {
  const reason = isJsonObject(response["result"]) ? undefined : transportFailure(response["error"]);
  return reason === undefined ? toReply(response) : { kind: "closed", reason };
}

/** Records what a check sees, within limits. */
export class Recorder {
  readonly #masked: (line: string) => string;
  readonly calls: CallRecord[] = [];
  readonly problems: ServerProblem[] = [];
  readonly messages: RecordedMessage[] = [];
  readonly #startedAt = performance.now();
  #valueBytes = 0;
  #callBytes = 0;

  constructor(redactor: Redactor) {
    this.#masked = createLineRedactor(redactor);
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** True if there is no room for more results. */
  get isFull(): boolean {
    return this.#callBytes >= MAX_CALL_BYTES;
  }

  /** Records the messages of a connection. */
  readonly listener: McpClientListener = {
    sent: (line, message) => this.#message("client", line, message, Buffer.byteLength(line)),
    received: (bytes, value) => this.#received(bytes, value),
    odd: (text) => this.#odd(text),
    oversized: (bytes) => this.#message("server", "", undefined, bytes),
  };

  #received(bytes: Buffer, value: JsonValue | undefined): void {
    const line = bytes.toString("utf8");
    // A line that is not a message is made safe to show: it must not reveal a secret that was printed by mistake.
    const text = value === undefined ? this.#masked(line) : line;
    // An error that the link made for a failed request is not a message of the server.
    const isOurs = isJsonObject(value) && transportFailure(value["error"]) !== undefined;
    if (!isOurs) this.#message("server", text, value, bytes.length, !isUtf8(bytes));
    if (value === undefined) this.#odd(text);
  }

  #odd(text: string): void {
    const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
    this.problem({ kind: "stray-output", message: shown });
  }

  #message(
    from: RecordedMessage["from"],
    text: string,
    value: JsonValue | undefined,
    bytes: number,
    isBadText = false,
  ): void {
    if (this.messages.length >= MAX_MESSAGES) return;
    const isKept = bytes <= MAX_VALUE_BYTES && this.#valueBytes + bytes <= MAX_VALUES_BYTES;
    if (isKept) this.#valueBytes += bytes;
    this.messages.push({
      from,
      raw: isKept ? text : text.slice(0, MAX_RAW_CHARACTERS),
      value: isKept ? value : undefined,
      bytes,
      isBadText,
      atMs: this.elapsedMs,
    });
  }

  problem(problem: ServerProblem): void {
    const isKnown = this.problems.some(
      ({ kind, message, call }) =>
        kind === problem.kind && message === problem.message && call === problem.call,
    );
    if (!isKnown && this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }

  /** Records a call and gives it an index. */
  call(call: Omit<CallRecord, "index">): CallRecord {
    const placed = { index: this.calls.length, ...call };
    this.calls.push(placed);
    this.#callBytes += call.bytes;
    return placed;
  }
}
