import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { bytesOnOneLine } from "../../../core/json/one-line.ts";
import { WaitingClient, type WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";

const streamHeaders: OutgoingHttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  // Asks nginx and similar proxies not to buffer events.
  "x-accel-buffering": "no",
};

/** The only message that a slow client may miss: a later one says more. */
export const PROGRESS = "notifications/progress";

const EVENT_START = Buffer.from("event: message\ndata: ");
const EVENT_END = Buffer.from("\n\n");

export interface HttpReplyOptions {
  readonly accept: string | undefined;
  readonly headers?: OutgoingHttpHeaders | undefined;
  /** Counts the data that waits for the client. Default: the counter of the process. */
  readonly memory?: WaitingMemory | undefined;
}

/** The response to one HTTP request: one JSON message, or a stream of events if other messages come before it. */
export class HttpReply {
  readonly #response: ServerResponse;
  readonly #client: WaitingClient;
  #headers: OutgoingHttpHeaders;
  readonly #acceptsJson: boolean;
  #isStreaming = false;
  #isOver = false;

  /** `onClosed` is called once, when all is sent or the client has left; it is told which. */
  constructor(
    response: ServerResponse,
    { accept, headers = {}, memory }: HttpReplyOptions,
    onClosed: (hasLeft: boolean) => void,
  ) {
    this.#response = response;
    this.#client = new WaitingClient(response, memory);
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

  /** False after the end, and after the client has left. */
  get isOpen(): boolean {
    return !this.#isOver;
  }

  /** The client reads too slowly for messages that it can miss. */
  get isSlow(): boolean {
    return this.#client.isSlow;
  }

  /** Removes a header that was meant for a success. */
  withhold(name: string): void {
    const { [name]: _withheld, ...rest } = this.#headers;
    this.#headers = rest;
  }

  /** Sends the headers of a stream, so that neither the client nor a proxy in between gives up waiting. */
  open(): void {
    if (this.#isOver || this.#isStreaming) return;
    this.#isStreaming = true;
    this.#response.writeHead(200, { ...this.#headers, ...streamHeaders });
    this.#response.flushHeaders();
  }

  /** Sends a message before the last one. A client with too much unread data is disconnected. */
  event(bytes: Buffer, eventId?: string): void {
    if (this.#isOver) return;
    this.open();
    const id = eventId === undefined ? [] : [Buffer.from(`id: ${eventId}\n`)];
    // A line break would end the event.
    this.#client.write(Buffer.concat([...id, EVENT_START, bytesOnOneLine(bytes), EVENT_END]));
  }

  /** Sends the last message: as JSON if nothing was streamed before it and the client accepts JSON. */
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
    this.#client.finish(bytes);
  }

  /** Ends a stream; everything has been sent. */
  end(): void {
    if (this.#isOver) return;
    this.open();
    this.#isOver = true;
    this.#client.finish();
  }

  /** Sends a comment that readers of events skip, to show that the connection is alive. */
  keepAlive(): void {
    if (this.#isOver) return;
    this.open();
    if (this.#response.writableLength === 0) this.#response.write(": keepalive\n\n");
  }
}
