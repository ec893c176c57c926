import type { JsonValue } from "../../../core/json/json-value.ts";
import { createLineRedactor } from "../../../core/text/redact-lines.ts";
import type { Redactor } from "../../../core/text/redact-secrets.ts";
import type { CallRecord, RecordedMessage, ServerProblem } from "../../../core/rules/server-record.ts";

/** The most messages that are kept; a check of a talkative server must not use all memory. */
const MAX_MESSAGES = 4_000;
const MAX_RAW_CHARACTERS = 4_096;
/** Of a longer message only the beginning is kept, without its parsed value. */
const MAX_VALUE_BYTES = 256 * 1024;
const MAX_VALUES_BYTES = 16 * 1024 * 1024;
const MAX_PROBLEMS = 50;
/** For all results together. Rules judge the calls, so the check ends rather than keep some of them. */
const MAX_CALL_BYTES = 128 * 1024 * 1024;

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

  /** A line that is not a message, made safe to show: it must not reveal a secret that was printed by mistake. */
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

  /** Records a call and gives it an index. */
  call(call: Omit<CallRecord, "index">): CallRecord {
    const placed = { index: this.calls.length, ...call };
    this.calls.push(placed);
    this.#callBytes += call.bytes;
    return placed;
  }
}
