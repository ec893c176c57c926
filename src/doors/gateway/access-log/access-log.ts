// The access log: one JSON line for each call and for each refused request, for operators and their tools.

import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { Log } from "../../../engine/observe/log-event.ts";
import type { Refusal } from "../../../engine/transport/http/refusal.ts";
import { createRedactor } from "../../../core/text/redact/redact-secrets.ts";
import { type TokenCounter, loadCounter } from "../../../core/tokens/token-counter.ts";
import type { GatewaySummary } from "../gateway-options.ts";
import {
  type AccessLine,
  type CallLine,
  type LineTokens,
  lineOfAnswer,
  lineOfRefusal,
  lineOfThrown,
} from "./access-line.ts";
import { type LineSink, lineFile, lineStream } from "./line-file.ts";

/** A file by its path, "-" for a stream of this process, or a function that gets each line as an object. */
export type AccessLogTarget = string | ((line: AccessLine) => void);

export interface AccessLogOptions {
  readonly target: AccessLogTarget;
  /** What "-" means: on stdio stdout belongs to the protocol. */
  readonly stream: NodeJS.WritableStream;
  readonly log: Log;
}

/** Refuses a file that cannot be written. */
export async function openAccessLog(options: AccessLogOptions): Promise<AccessLog> {
  const { target, stream, log } = options;
  const take = typeof target === "function" ? target : undefined;
  const sink =
    typeof target === "function"
      ? undefined
      : target === "-"
        ? lineStream(stream)
        : lineFile(target, (event, fields) => log.error(event, { ...fields }));
  return new AccessLog(
    take ?? ((line) => sink?.write(`${JSON.stringify(line)}\n`)),
    sink,
    await loadCounter(),
  );
}

/** The tokens of all lines so far, without those of calls that are not answered yet. */
export type CountedTokens = Pick<GatewaySummary, "tokensIn" | "tokensOut" | "isEstimated">;

export class AccessLog {
  readonly #take: (line: AccessLine) => void;
  readonly #sink: LineSink | undefined;
  readonly #counter: TokenCounter;
  readonly #redactor = createRedactor();
  readonly #reopen = (): void => this.#sink?.reopen();
  #waiting: CallLine[] = [];
  #counted: CountedTokens = { tokensIn: 0, tokensOut: 0, isEstimated: false };

  constructor(take: (line: AccessLine) => void, sink: LineSink | undefined, counter: TokenCounter) {
    this.#take = take;
    this.#sink = sink;
    this.#counter = counter;
    // Programs that rotate logs move the file and send this signal.
    if (sink !== undefined) process.on("SIGHUP", this.#reopen);
  }

  /** Writes a line for each call of one upstream. */
  follow(upstream: string, { events }: ContractState): void {
    events.onAnswer({
      answered: (call, answered, times) => this.#later(lineOfAnswer(upstream, call, answered, times)),
      unanswered: (call, thrown, times) => this.#later(lineOfThrown(upstream, call, thrown, times)),
    });
  }

  refused(refusal: Refusal, known: Parameters<typeof lineOfRefusal>[1]): void {
    this.#later({ line: lineOfRefusal(refusal, known) });
  }

  /** Also of the lines that are still to be written. */
  counted(): CountedTokens {
    this.#flush();
    return this.#counted;
  }

  async close(): Promise<void> {
    process.off("SIGHUP", this.#reopen);
    this.#flush();
    await this.#sink?.close();
  }

  /** Counting tokens takes time that the answer need not wait for. */
  #later(line: CallLine): void {
    this.#waiting.push(line);
    if (this.#waiting.length === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    for (const { line, count } of lines) {
      const counted = count?.(this.#counter);
      if (counted !== undefined && line.outcome !== "unfinished") this.#add(counted);
      this.#write({ ...line, ...counted });
    }
  }

  #add({ tokens_in: came = 0, tokens_out: sent = 0, tokens_estimated: isEstimated }: LineTokens): void {
    const before = this.#counted;
    this.#counted = {
      tokensIn: before.tokensIn + came,
      tokensOut: before.tokensOut + sent,
      isEstimated: before.isEstimated || isEstimated === true,
    };
  }

  /** Names of tools and clients are written by others, and may hold anything. */
  #write(line: AccessLine): void {
    this.#take(this.#redactor.json(inOrder(line)).value as unknown as AccessLine);
  }
}

const keys = [
  "time",
  "request_id",
  "caller",
  "session",
  "client",
  "reader",
  "upstream",
  "tool",
  "outcome",
  "code",
  "status",
  "method",
  "path",
  "bytes_in",
  "bytes_out",
  "tokens_in",
  "tokens_out",
  "tokens_estimated",
  "cut",
  "archive",
  "duration_ms",
  "server_ms",
  "retries",
] as const satisfies readonly (keyof AccessLine)[];

const MAX_TEXT_LENGTH = 256;

/** Without keys that have no value. A name of any length must not fill the disk. */
function inOrder(line: AccessLine) {
  const entries = keys.flatMap((key): [string, string | number | boolean][] => {
    const value = line[key];
    if (value === undefined) return [];
    return [[key, typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH) : value]];
  });
  return Object.fromEntries(entries);
}
