import type { HttpReply } from "./http-reply.ts";

/** The SDKs' own servers send a sign of life as often. */
const BEAT_MS = 15_000;

/**
 * Responses that are not complete. Those that wait longer than a beat become streams and get a sign of life with every
 * beat: clients and proxies give up on a connection that says nothing. One timer serves them all.
 */
export class OpenReplies {
  #fresh = new Set<HttpReply>();
  #old = new Set<HttpReply>();
  #timer: NodeJS.Timeout | undefined;
  readonly #beatMs: number;

  constructor(beatMs: number = BEAT_MS) {
    this.#beatMs = beatMs;
  }

  add(reply: HttpReply): void {
    this.#fresh.add(reply);
    this.#timer ??= setInterval(() => this.#beat(), this.#beatMs).unref();
  }

  delete(reply: HttpReply): void {
    if (!this.#fresh.delete(reply)) this.#old.delete(reply);
  }

  get size(): number {
    return this.#fresh.size + this.#old.size;
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
    for (const reply of this.#old) if (!reply.isOpen) this.#old.delete(reply);
    if (this.#old.size === 0) this.stop();
  }
}
