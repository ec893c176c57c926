import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";
import { HttpReply } from "./http-reply.ts";

/** The SDKs' own servers use the same interval for their sign of life. */
const BEAT_MS = 15_000;

export interface ReplyOptions {
  readonly accept: string | undefined;
  readonly headers: OutgoingHttpHeaders;
  /** True for the answer to a request, false for a stream that a client keeps open to listen. */
  readonly isAnswer: boolean;
}

/**
 * Incomplete responses. A response that waits longer than a beat becomes a stream and gets a sign of life with every
 * beat: clients and proxies give up on a silent connection. One timer serves all responses.
 */
export class OpenReplies {
  readonly #beatMs: number;
  readonly #memory: WaitingMemory | undefined;
  readonly #answers = new Set<HttpReply>();
  #fresh = new Set<HttpReply>();
  #old = new Set<HttpReply>();
  #timer: NodeJS.Timeout | undefined;
  #onAnswered: (() => void) | undefined;

  /** `memory`: counts the data that waits for clients. Default: the counter of the process. */
  constructor(beatMs: number = BEAT_MS, memory?: WaitingMemory) {
    this.#beatMs = beatMs;
    this.#memory = memory;
  }

  /** `onLeft` is called if the client leaves before it has received everything. */
  open(response: ServerResponse, { accept, headers, isAnswer }: ReplyOptions, onLeft: () => void): HttpReply {
    const reply: HttpReply = new HttpReply(response, { accept, headers, memory: this.#memory }, (hasLeft) => {
      if (!this.#fresh.delete(reply)) this.#old.delete(reply);
      this.#answers.delete(reply);
      if (hasLeft) onLeft();
      if (this.#answers.size === 0) this.#onAnswered?.();
    });
    this.#fresh.add(reply);
    if (isAnswer) this.#answers.add(reply);
    this.#timer ??= setInterval(() => this.#beat(), this.#beatMs).unref();
    return reply;
  }

  /** Waits until every request is answered, at most this long. */
  async whenAnswered(maxMs: number): Promise<void> {
    if (this.#answers.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #beat(): void {
    const fresh = this.#fresh;
    this.#fresh = new Set();
    for (const reply of this.#old) reply.keepAlive();
    for (const reply of fresh) this.#old.add(reply);
    if (this.#old.size === 0) this.stop();
  }
}
