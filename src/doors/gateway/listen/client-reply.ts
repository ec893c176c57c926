import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { textOnOneLine } from "../../../core/json/one-line.ts";
import { WaitingClient, type WaitingMemory } from "../../../engine/transport/http/waiting-memory.ts";

/** The HTTP response to one client: a whole body or a stream of events, begun at most once. */
export class ClientReply {
  readonly #response: ServerResponse;
  readonly #client: WaitingClient;
  #isStream = false;
  /** The source that is paused until the client has read what was written. */
  #resting: Readable | undefined;

  /** `gone` is called if the client leaves before it has received everything. */
  constructor(response: ServerResponse, gone: () => void, memory?: WaitingMemory) {
    this.#response = response;
    this.#client = new WaitingClient(response, memory);
    response.on("error", () => undefined);
    response.on("close", () => {
      // Other readers may still wait for the server's stream.
      this.#wake();
      if (!response.writableFinished) gone();
    });
    response.on("drain", () => this.#wake());
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  whole(status: number, headers: OutgoingHttpHeaders, body: Buffer | string): void {
    if (!this.isOpen || this.hasBegun) return;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    const sized =
      length === 0 && (status === 202 || status === 204 || status === 304)
        ? {}
        : { "content-length": length };
    this.#response.writeHead(status, { ...headers, ...sized });
    this.#client.finish(body);
  }

  json(status: number, body: string): void {
    this.whole(status, { "content-type": "application/json" }, body);
  }

  stream(status: number, headers: OutgoingHttpHeaders): void {
    if (!this.isOpen || this.hasBegun) return;
    this.#isStream = true;
    this.#response.writeHead(status, headers);
    // The client must see that its stream is open before the first event.
    this.#response.flushHeaders();
  }

  /** Writes to a stream. `source` is paused while the client reads slowly, so that nothing accumulates here. */
  write(bytes: Buffer | string, source?: Readable): void {
    if (!this.isOpen || !this.#isStream) return;
    if (this.#client.write(bytes) || source === undefined || source.isPaused()) return;
    source.pause();
    this.#resting = source;
  }

  #wake(): void {
    this.#resting?.resume();
    this.#resting = undefined;
  }

  /** Writes one last message, at the end of a stream or as the whole body. */
  last(status: number, message: string): void {
    if (!this.#isStream) return this.json(status, message);
    this.write(`event: message\ndata: ${textOnOneLine(message)}\n\n`);
    return this.end();
  }

  end(): void {
    if (this.isOpen) this.#response.end();
  }
}
