/** A line that was longer than `maxMessageBytes`. It was dropped while it came in; only its ends were looked at. */
export interface OversizedMessage {
  readonly bytes: number;
  /** The JSON text of its `id`, where one could be read; undefined for a notification or an unreadable line. */
  readonly rawId: string | undefined;
  /** True where the line answers a request, false where it asks something itself. */
  readonly isResponse: boolean;
}

/** The server is away for a while. What it was asked is lost; what it is asked meanwhile is not sent. */
export interface Outage {
  /** Why, without paths or secrets: "the server stopped (exit code 1)". */
  readonly reason: string;
  /** How long until it is tried again; undefined where it is not. */
  readonly retryInMs: number | undefined;
}

/** Who hears what comes in over a link. */
export interface LinkListener {
  /** One whole message, as its bytes, without the line end. They may be kept: nobody writes into them later. */
  readonly message: (bytes: Buffer) => void;
  readonly oversized: (message: OversizedMessage) => void;
  /** The other side is gone; nothing comes after this. */
  readonly closed: (why: string) => void;
  /** The other side sends nothing more, but still reads. Where nobody hears this, it counts as closed. */
  readonly finished?: (() => void) | undefined;
  /** What waited to be sent is gone, so that there is room again. */
  readonly drained?: (() => void) | undefined;
  /** Only from a server that is started again: `restored` or `closed` follows. */
  readonly interrupted?: ((outage: Outage) => void) | undefined;
  /** It was started again and greeted as before. */
  readonly restored?: (() => void) | undefined;
}

/** One end of a bridge: whole JSON-RPC messages in and out, as bytes. It knows nothing of what they say. */
export interface Link {
  /** Sends one message as it is. Never throws; after `close` it does nothing. */
  send(message: Uint8Array | string): void;
  /** Called once, before anything is sent; messages that came earlier are handed over then, in their order. */
  listen(listener: LinkListener): void;
  close(): void;
  /** This machine has no room for the other side now, as with too many open files; later it may. It closes by itself. */
  readonly isRefused?: boolean | undefined;
  /** How many bytes wait for the other side to read them; absent where nobody can say. */
  readonly waitingBytes?: number | undefined;
  /** Stops reading from the other side, or goes on with it. Messages that were read already still come. */
  hold?(isHeld: boolean): void;
}
