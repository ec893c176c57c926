import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import { bytesOnOneLine } from "../../../core/json/one-line.ts";
import { WaitingClient, type WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";

const streamHeaders: OutgoingHttpHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  // Asks nginx and similar proxies not to buffer events.
  "x-accel-buffering": "no",
};

const EVENT_START = Buffer.from("event: message\ndata: ");
const EVENT_END = Buffer.from("\n\n");

export interface HttpReplyOptions {
  readonly accept: string | undefined;
  readonly headers?: OutgoingHttpHeaders | undefined;
  /** Counts the data that waits for the client. Default: the counter of the process. */
  readonly memory?: WaitingMemory | undefined;
}

/** The response to one HTTP request: a whole body, or a stream of events. It begins at most once. */
export class HttpReply {
  readonly #response: ServerResponse;
  readonly #client: WaitingClient;
  #headers: OutgoingHttpHeaders;
  readonly #acceptsJson: boolean;
  #isStreaming = false;
  #isOver = false;
  /** The source that is paused until the client has read what was written. */
  #resting: Readable | undefined;

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
    response.on("error", () => undefined);
    response.on("drain", () => this.#wake());
    response.on("close", () => {
      const hasLeft = !this.#isOver;
      this.#isOver = true;
      // Other readers may still wait for the source.
      this.#wake();
      onClosed(hasLeft);
    });
  }

  /** False after the end, and after the client has left. */
  get isOpen(): boolean {
    return !this.#isOver && !this.#response.destroyed;
  }

  /** A stream has begun, so that no whole body can be sent. */
  get isStreaming(): boolean {
    return this.#isStreaming;
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
  open(headers: OutgoingHttpHeaders = streamHeaders): void {
    if (!this.isOpen || this.#isStreaming) return;
    this.#isStreaming = true;
    this.#response.writeHead(200, { ...this.#headers, ...headers });
    this.#response.flushHeaders();
  }

  /** Sends a message before the last one. A client with too much unread data is disconnected. */
  event(bytes: Buffer, eventId?: string): void {
    if (!this.isOpen) return;
    this.open();
    const id = eventId === undefined ? [] : [Buffer.from(`id: ${eventId}\n`)];
    // A line break would end the event.
    this.#client.write(Buffer.concat([...id, EVENT_START, bytesOnOneLine(bytes), EVENT_END]));
  }

  /** Writes to an open stream. `source` is paused while the client reads slowly, so that nothing accumulates here. */
  write(bytes: Buffer | string, source?: Readable): void {
    if (!this.isOpen || !this.#isStreaming) return;
    if (this.#client.write(bytes) || source === undefined || source.isPaused()) return;
    source.pause();
    this.#resting = source;
  }

  /** Sends the last message: as JSON if nothing was streamed before it and the client accepts JSON. */
  answer(bytes: Buffer, status = 200, eventId?: string): void {
    if (!this.#isStreaming && this.#acceptsJson)
      return this.whole(status, { "content-type": "application/json" }, bytes);
    this.event(bytes, eventId);
    return this.end();
  }

  /** Sends a whole body, unless a stream has begun. */
  whole(status: number, headers: OutgoingHttpHeaders, body: Buffer): void {
    if (!this.isOpen || this.#isStreaming) return;
    this.#isOver = true;
    const isBare = body.length === 0 && [202, 204, 304].includes(status);
    const sized = isBare ? {} : { "content-length": body.length };
    this.#response.writeHead(status, { ...this.#headers, ...headers, ...sized });
    this.#client.finish(body);
  }

  /** Ends the response; everything has been sent. */
  end(): void {
    if (!this.isOpen) return;
    this.#isOver = true;
    this.#client.finish();
  }

  /** Sends a comment that readers of events skip, to show that the connection is alive. */
  keepAlive(): void {
    if (!this.isOpen) return;
    this.open();
    if (this.#response.writableLength === 0) this.#response.write(": keepalive\n\n");
  }

  #wake(): void {
    this.#resting?.resume();
    this.#resting = undefined;
  }
}

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
  readonly #answers = new PendingRequests<HttpReply, HttpReply>();
  #fresh = new Set<HttpReply>();
  #old = new Set<HttpReply>();
  #timer: NodeJS.Timeout | undefined;

  /** `memory`: counts the data that waits for clients. Default: the counter of the process. */
  constructor(beatMs: number = BEAT_MS, memory?: WaitingMemory) {
    this.#beatMs = beatMs;
    this.#memory = memory;
  }

  /** `onLeft` is called if the client leaves before it has received everything. */
  open(response: ServerResponse, { accept, headers, isAnswer }: ReplyOptions, onLeft: () => void): HttpReply {
    const reply: HttpReply = new HttpReply(response, { accept, headers, memory: this.#memory }, (hasLeft) => {
      if (!this.#fresh.delete(reply)) this.#old.delete(reply);
      if (hasLeft) onLeft();
      this.#answers.take(reply);
    });
    this.#fresh.add(reply);
    if (isAnswer) this.#answers.add(reply, reply);
    this.#timer ??= setInterval(() => this.#beat(), this.#beatMs).unref();
    return reply;
  }

  /** Waits until every request is answered, at most this long. */
  async whenAnswered(maxMs: number): Promise<void> {
    await this.#answers.idle(maxMs);
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
