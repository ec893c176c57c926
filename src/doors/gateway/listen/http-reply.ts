import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { bytesOnOneLine } from "../../../core/json/one-line.ts";
import { WaitingClient, type WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";

const streamHeaders: OutgoingHttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  // Asks nginx and its relatives not to collect events before they pass them on.
  "x-accel-buffering": "no",
};

/** The one message that a slow client may miss: a later one says more. */
export const PROGRESS = "notifications/progress";

const EVENT_START = Buffer.from("event: message\ndata: ");
const EVENT_END = Buffer.from("\n\n");

export interface HttpReplyOptions {
  readonly accept: string | undefined;
  readonly headers?: OutgoingHttpHeaders | undefined;
  /** Where what waits for the client is counted. Default: that of the process. */
  readonly memory?: WaitingMemory | undefined;
}

/** The response to one HTTP request: one JSON message, or a stream of events from the moment that something comes earlier. */
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

  /** False after the end, and after the client left. */
  get isOpen(): boolean {
    return !this.#isOver;
  }

  /** Its client reads too slowly for what it can miss. */
  get isSlow(): boolean {
    return this.#client.isSlow;
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

  /** A message before the last one. A client for whom too much waits is cut. */
  event(bytes: Buffer, eventId?: string): void {
    if (this.#isOver) return;
    this.open();
    const id = eventId === undefined ? [] : [Buffer.from(`id: ${eventId}\n`)];
    // A line end would end the event.
    this.#client.write(Buffer.concat([...id, EVENT_START, bytesOnOneLine(bytes), EVENT_END]));
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
    this.#client.finish(bytes);
  }

  /** Ends a stream; whatever was to be said has been said. */
  end(): void {
    if (this.#isOver) return;
    this.open();
    this.#isOver = true;
    this.#client.finish();
  }

  /** A comment that readers of events skip, so that the connection is seen to live. */
  keepAlive(): void {
    if (this.#isOver) return;
    this.open();
    if (this.#response.writableLength === 0) this.#response.write(": keepalive\n\n");
  }
}
