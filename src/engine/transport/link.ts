import { DISCOVER, METHOD_NOT_FOUND } from "../../core/protocol/names.ts";

/** A line that was longer than `maxMessageBytes`. It was dropped while it came in; only its two ends were read. */
export interface OversizedMessage {
  readonly bytes: number;
  /** The JSON text of its `id`, if it could be read; undefined for a notification or an unreadable line. */
  readonly rawId: string | undefined;
  /** True if the line is a response, false if it is a request. */
  readonly isResponse: boolean;
}

/** The server is away for a while. Open requests are lost; new requests are not sent. */
export interface Outage {
  /** Why, without paths or secrets: "the server stopped (exit code 1)". */
  readonly reason: string;
  /** How long until the next attempt, or undefined. */
  readonly retryInMs: number | undefined;
}

/** Handles what comes in over a link. */
export interface LinkListener {
  /** One whole message, as its bytes, without the line end. The bytes may be kept: they are never overwritten. */
  readonly message: (bytes: Buffer) => void;
  readonly oversized: (message: OversizedMessage) => void;
  /** The other side is gone; no further call follows. */
  readonly closed: (why: string) => void;
  /** The other side sends nothing more, but still reads. Without this handler, the link counts as closed. */
  readonly finished?: (() => void) | undefined;
  /** All data has been sent, so that there is room again. */
  readonly drained?: (() => void) | undefined;
  /** Only for a server that is restarted: `restored` or `closed` follows. */
  readonly interrupted?: ((outage: Outage) => void) | undefined;
  /** The server was restarted and greeted as before. */
  readonly restored?: (() => void) | undefined;
  /** A request was sent once more, because the server had refused it unread. `rawId`: the JSON text of its id. */
  readonly repeated?: ((rawId: string) => void) | undefined;
}

/** One end of a bridge: whole JSON-RPC messages in and out, as bytes. It does not know their content. */
export interface Link {
  /** Sends one message as it is. Never throws; after `close` it does nothing. */
  send(message: Uint8Array | string): void;
  /** Called once, before anything is sent; messages that came earlier are then delivered in their order. */
  listen(listener: LinkListener): void;
  close(): void;
  /**
   * This machine has no room for the other side now, for example with too many open files; later it may. The
   * link closes itself.
   */
  readonly isRefused?: boolean | undefined;
  /** The link itself answers `server/discover` for a server that stays silent. Default: the bridge does. */
  readonly answersDiscover?: boolean | undefined;
  /** How many bytes the other side has not read yet; absent if this is unknown. */
  readonly waitingBytes?: number | undefined;
  /** Pauses or resumes reading from the other side. Messages that were read already are still delivered. */
  hold?(isHeld: boolean): void;
}

/** How long a server may stay silent on `server/discover` before it counts as one that does not know the method. */
export const DISCOVER_MS = 500;

/** The same for a process that has said nothing yet: it may still be starting. */
export const DISCOVER_AT_START_MS = 5_000;

/** What such a server would have answered. Clients then greet it with `initialize`; some would first wait a minute. */
export const silentOnDiscover = {
  code: METHOD_NOT_FOUND,
  message: `Method not found: the server does not answer ${DISCOVER}`,
} as const;

/** Events before `listen` are kept and delivered then. */
class MemoryLink implements Link {
  #other: MemoryLink | undefined;
  #listener: LinkListener | undefined;
  readonly #early: ((listener: LinkListener) => void)[] = [];
  #isOpen = true;

  join(other: MemoryLink): void {
    this.#other = other;
  }

  send(message: Uint8Array | string): void {
    if (!this.#isOpen) return;
    const bytes = Buffer.from(message as string);
    // In the next turn, so that `send` returns before the other side reacts.
    setImmediate(() => this.#other?.hear((listener) => listener.message(bytes)));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) event(listener);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setImmediate(() => this.#other?.lose("the other end closed"));
  }

  hear(event: (listener: LinkListener) => void): void {
    if (!this.#isOpen) return;
    if (this.#listener === undefined) this.#early.push(event);
    else event(this.#listener);
  }

  lose(why: string): void {
    this.hear((listener) => listener.closed(why));
    this.#isOpen = false;
  }
}

/** The two ends of one connection inside this process. */
export function memoryLinks(): readonly [Link, Link] {
  const left = new MemoryLink();
  const right = new MemoryLink();
  left.join(right);
  right.join(left);
  return [left, right];
}
