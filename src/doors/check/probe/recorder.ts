import type { JsonValue } from "../../../core/json/json-value.ts";
import { createLineRedactor } from "../../../core/text/redact-lines.ts";
import type { Redactor } from "../../../core/text/redact-secrets.ts";
import type { CallRecord, RecordedMessage, ServerProblem } from "../../../core/rules/server-record.ts";

/** What is kept of messages at most; a check of a talkative server must not take all memory. */
const MAX_MESSAGES = 4_000;
const MAX_RAW_CHARACTERS = 4_096;
/** Longer ones are kept by their beginning, without their value. */
const MAX_VALUE_BYTES = 256 * 1024;
const MAX_VALUES_BYTES = 16 * 1024 * 1024;
const MAX_PROBLEMS = 50;
/** Of all results together. Calls are what rules judge, so the check rather ends than keep them in part. */
const MAX_CALL_BYTES = 128 * 1024 * 1024;

/** Writes down what a check sees, within limits. */
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

  /** True where no room is left for further results. */
  get isFull(): boolean {
    return this.#callBytes >= MAX_CALL_BYTES;
  }

  message(
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

  /** A line that is no message, as it may be shown: whoever reads it must not learn a secret that was printed by mistake. */
  stray(line: string): string {
    return this.#masked(line);
  }

  problem(problem: ServerProblem): void {
    const isKnown = this.problems.some(
      ({ kind, message, call }) =>
        kind === problem.kind && message === problem.message && call === problem.call,
    );
    if (!isKnown && this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }

  /** Gives the call its place. */
  call(call: Omit<CallRecord, "index">): CallRecord {
    const placed = { index: this.calls.length, ...call };
    this.calls.push(placed);
    this.#callBytes += call.bytes;
    return placed;
  }
}
