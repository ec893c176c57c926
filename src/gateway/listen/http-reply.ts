import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

const streamHeaders: OutgoingHttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  // Asks nginx and its relatives not to collect events before they pass them on.
  "x-accel-buffering": "no",
};

/**
 * A client that does not read makes its events pile up here. Once this much waits, the stream is cut; a single message
 * may be longer.
 */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const EVENT_START = Buffer.from("event: message\ndata: ");
const EVENT_END = Buffer.from("\n\n");

/** A line end would end the event; outside of its texts JSON may have a space there just as well. */
function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(LINE_FEED) && !bytes.includes(CARRIAGE_RETURN)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte)));
}

/** The response to one HTTP request: one JSON message, or a stream of events from the moment that something comes earlier. */
export class HttpReply {
  readonly #response: ServerResponse;
  #headers: OutgoingHttpHeaders;
  readonly #acceptsJson: boolean;
  #isStreaming = false;
  #isOver = false;

  /** `onClosed` is called once, when all is sent or the client has left; it is told which. */
  constructor(
    response: ServerResponse,
    { accept, headers = {} }: { readonly accept: string | undefined; readonly headers?: OutgoingHttpHeaders },
    onClosed: (hasLeft: boolean) => void,
  ) {
    this.#response = response;
    this.#headers = headers;
    this.#acceptsJson = accept === undefined || /application\/json|application\/\*|\*\/\*/i.test(accept);
    response.on("close", () => {
      const hasLeft = !this.#isOver;
      this.#isOver = true;
      onClosed(hasLeft);
    });
  }

  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  /** False after the end, and after the client left. */
  get isOpen(): boolean {
    return !this.#isOver;
  }

  /** Takes a header back that was meant for a success. */
  withhold(name: string): void {
    const { [name]: _withheld, ...rest } = this.#headers;
    this.#headers = rest;
  }

  /** Sends the headers of a stream, so that neither the client nor what stands between gives up waiting. */
  open(): void {
    if (this.#isOver || this.#isStreaming) return;
    this.#isStreaming = true;
    this.#response.writeHead(200, { ...this.#headers, ...streamHeaders });
    this.#response.flushHeaders();
  }

  /** A message before the last one. */
  event(bytes: Buffer, eventId?: string): void {
    if (this.#isOver) return;
    this.open();
    if (this.#response.writableLength > MAX_WAITING_BYTES) {
      this.#response.destroy();
      return;
    }
    const id = eventId === undefined ? [] : [Buffer.from(`id: ${eventId}\n`)];
    this.#response.write(Buffer.concat([...id, EVENT_START, onOneLine(bytes), EVENT_END]));
  }

  /** The last message: as JSON where nothing was streamed before it and the client takes JSON. */
  answer(bytes: Buffer, status = 200, eventId?: string): void {
    if (this.#isOver) return;
    if (this.#isStreaming || !this.#acceptsJson) {
      this.event(bytes, eventId);
      this.end();
      return;
    }
    this.#isOver = true;
    this.#response.writeHead(status, {
      ...this.#headers,
      "content-type": "application/json",
      "content-length": bytes.length,
    });
    this.#response.end(bytes);
  }

  /** Ends a stream; whatever was to be said has been said. */
  end(): void {
    if (this.#isOver) return;
    this.open();
    this.#isOver = true;
    this.#response.end();
  }

  /** A comment that readers of events skip, so that the connection is seen to live. */
  keepAlive(): void {
    if (this.#isOver) return;
    this.open();
    if (this.#response.writableLength === 0) this.#response.write(": keepalive\n\n");
  }
}
