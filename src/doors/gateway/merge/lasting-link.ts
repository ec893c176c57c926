// A link to one server of a merged endpoint. It outlives the server: a server that could not be started, or that was
// given up, is tried again, while the other servers of the endpoint go on.

import { TOOLS_CHANGED_MESSAGE } from "../../../core/protocol/names.ts";
import type { Link, LinkListener, Outage } from "../../../engine/transport/link.ts";
import { kindOf } from "../../../engine/transport/raw-message.ts";
import { SessionReplay, isReplayAnswer } from "../upstream/session-replay.ts";

/** How long a server that was given up is left alone. */
const RETRY_MS = 30_000;

const listChanged = Buffer.from(TOOLS_CHANGED_MESSAGE);

export interface LastingOptions {
  /** Opens a connection to the server. */
  readonly connect: () => Link;
  /** Default: 30,000. */
  readonly retryMs?: number | undefined;
  /** The server went away. */
  readonly away: () => void;
  /** The server is there again, and was greeted if it had been greeted before. */
  readonly back: () => void;
}

export class LastingLink implements Link {
  readonly #options: LastingOptions;
  readonly #replay = new SessionReplay();
  #inner: Link;
  #listener: LinkListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #phase: "up" | "greeting" | "away" | "closed" = "up";

  constructor(options: LastingOptions) {
    this.#options = options;
    this.#inner = options.connect();
  }

  get answersDiscover(): boolean {
    return this.#inner.answersDiscover === true;
  }

  get waitingBytes(): number {
    return this.#inner.waitingBytes ?? 0;
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    this.#hear(this.#inner);
  }

  send(message: Uint8Array | string): void {
    if (this.#phase === "closed") return;
    this.#replay.sent(message);
    if (this.#phase === "up") this.#inner.send(message);
  }

  hold(isHeld: boolean): void {
    this.#inner.hold?.(isHeld);
  }

  close(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    clearTimeout(this.#timer);
    this.#inner.close();
  }

  #hear(inner: Link): void {
    const isCurrent = (): boolean => inner === this.#inner && this.#phase !== "closed";
    inner.listen({
      message: (bytes) => {
        if (isCurrent()) this.#take(bytes);
      },
      oversized: (message) => {
        if (isCurrent()) this.#listener?.oversized(message);
      },
      drained: () => {
        if (isCurrent()) this.#listener?.drained?.();
      },
      interrupted: (outage) => {
        if (isCurrent()) this.#interrupted(outage);
      },
      restored: () => {
        if (isCurrent()) this.#restored();
      },
      repeated: (rawId) => {
        if (isCurrent()) this.#listener?.repeated?.(rawId);
      },
      closed: (reason) => {
        if (isCurrent()) this.#lost(reason);
      },
    });
  }

  #take(bytes: Buffer): void {
    const { kind, method, rawId } = kindOf(bytes);
    if (this.#replay.isWaiting) this.#replay.answered(bytes, { kind, method, rawId });
    if (kind !== "response" || !isReplayAnswer(rawId)) return this.#listener?.message(bytes);
    if (!this.#replay.isGreetingAnswer(rawId)) {
      if (this.#replay.hasOtherTools(rawId, bytes)) this.#listener?.message(listChanged);
      return undefined;
    }
    if (this.#phase !== "greeting") return undefined;
    this.#phase = "up";
    for (const message of this.#replay.afterGreeting()) this.#inner.send(message);
    return this.#restored();
  }

  #interrupted(outage: Outage): void {
    this.#listener?.interrupted?.(outage);
    this.#options.away();
  }

  #restored(): void {
    this.#listener?.restored?.();
    this.#options.back();
  }

  #lost(reason: string): void {
    const { retryMs = RETRY_MS } = this.#options;
    const wasAway = this.#phase === "greeting";
    this.#phase = "away";
    this.#timer = setTimeout(() => this.#again(), retryMs).unref();
    if (!wasAway) this.#interrupted({ reason, retryInMs: retryMs });
  }

  #again(): void {
    this.#inner = this.#options.connect();
    const { greeting } = this.#replay;
    this.#phase = greeting === undefined ? "up" : "greeting";
    this.#hear(this.#inner);
    if (greeting !== undefined) this.#inner.send(greeting);
    else if (this.#phase === "up") this.#restored();
  }
}
