import type { Readable, Writable } from "node:stream";
import { ContractError } from "../../core/contract/contract-error.ts";
import { textOnOneLine } from "../../core/json/one-line.ts";
import { parseError } from "../../core/protocol/json-rpc-error.ts";
import { type ReadMessage, readMessage } from "../../engine/session/read-message.ts";
import { decodeUtf8 } from "../../core/json/decode-utf8.ts";

export interface StdioTransportOptions {
  /** Default: the stream of this process. */
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  /** The longest line that is read, in bytes; a longer line ends the connection. Default: 10,485,760 (10 MiB). */
  readonly maxLineBytes?: number | undefined;
}

const MAX_LINE_BYTES = 10 * 1024 * 1024;

/** A transport of the MCP SDK, v1 or v2. */
export interface StdioTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Messages as lines over two streams. A line that is not a message gets its JSON-RPC error; the SDK's is silent. */
class LineTransport implements StdioTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #lines: LineReader;
  #state: "new" | "open" | "closed" = "new";

  constructor({ stdin, stdout, maxLineBytes }: StdioTransportOptions) {
    this.#stdin = stdin ?? process.stdin;
    this.#stdout = stdout ?? process.stdout;
    this.#lines = new LineReader(maxLineBytes ?? MAX_LINE_BYTES);
  }

  async start(): Promise<void> {
    if (this.#state !== "new")
      throw new ContractError(
        "INVALID_OPTION",
        "This transport was started already: make one for each server.",
      );
    this.#state = "open";
    this.#stdin.on("data", this.#onData).on("error", this.#onTrouble);
    this.#stdin.on("end", this.#onEnd).on("close", this.#onEnd);
    // A reader that went away must not end the process; the listener stays attached for writes that fail late.
    this.#stdout.on("error", this.#onBroken);
    if (this.#stdin.readableEnded || this.#stdin.destroyed) setImmediate(this.#onEnd);
  }

  /** Resolves when the line is handed over, or when the stream has room again. */
  send(message: unknown): Promise<void> {
    if (this.#state === "closed") return Promise.reject(new Error("The transport is closed."));
    return new Promise((resolve, reject) => {
      const isRoom = this.#stdout.write(`${textOnOneLine(JSON.stringify(message))}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
      if (isRoom) resolve();
    });
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#stdin.off("data", this.#onData).off("error", this.#onTrouble);
    this.#stdin.off("end", this.#onEnd).off("close", this.#onEnd);
    if (this.#stdin.listenerCount("data") === 0) this.#stdin.pause();
    this.onclose?.();
  }

  #onData = (bytes: Buffer): void => {
    try {
      for (const line of this.#lines.take(bytes)) this.#read(line);
    } catch (error) {
      this.#onBroken(error as Error);
    }
  };

  #read(line: string | undefined): void {
    const read: ReadMessage =
      line === undefined ? { kind: "answer", answer: parseError() } : readMessage(line);
    if (read.kind === "answer") this.send(read.answer).catch(this.#onTrouble);
    if (read.kind !== "message") return;
    try {
      this.onmessage?.(read.message);
    } catch (error) {
      this.#onTrouble(error as Error);
    }
  }

  #onTrouble = (error: Error): void => {
    this.onerror?.(error);
  };

  #onBroken = (error: Error): void => {
    if (this.#state === "closed") return;
    this.onerror?.(error);
    void this.close();
  };

  #onEnd = (): void => {
    void this.close();
  };
}

/**
 * The transport of a server on stdin and stdout, for `serveStdio` or `server.connect`. A broken line, a batch and a
 * request without `jsonrpc` are answered with their JSON-RPC error; the SDK's own transport drops them.
 *
 * @example
 * serveStdio(() => contract.server(new McpServer(info)), { transport: stdioTransport() });
 */
export function stdioTransport(options: StdioTransportOptions = {}): StdioTransport {
  const { maxLineBytes } = options;
  if (maxLineBytes !== undefined && !(Number.isInteger(maxLineBytes) && maxLineBytes >= 1))
    throw new ContractError(
      "INVALID_OPTION",
      `maxLineBytes is ${String(maxLineBytes)}: give a whole number of at least 1.`,
    );
  return new LineTransport(options);
}

/** Splits a stream of bytes into lines. A line may come in any number of pieces, which are joined once. */
class LineReader {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The lines that these bytes complete, without their ends; undefined for a line that is not UTF-8. Throws a
   * RangeError for a line over the limit.
   */
  *take(bytes: Uint8Array): Generator<string | undefined> {
    let start = 0;
    for (let end = bytes.indexOf(NEW_LINE); end !== -1; end = bytes.indexOf(NEW_LINE, start)) {
      this.#keep(bytes.subarray(start, end));
      start = end + 1;
      yield this.#join();
    }
    this.#keep(bytes.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) {
      this.#pieces = [];
      throw new RangeError(`A line is longer than ${this.#maxBytes} bytes.`);
    }
    if (piece.length > 0) this.#pieces.push(piece);
  }

  #join(): string | undefined {
    const decoded = decodeUtf8(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#length = 0;
    if (!decoded.ok) return undefined;
    const { text } = decoded;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }
}

const NEW_LINE = 0x0a;
