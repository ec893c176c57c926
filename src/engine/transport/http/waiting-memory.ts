// The memory of data that clients have not read yet, over all clients. Bytes alone would be a third of it,
// because Node keeps several objects for every write. The slowest clients first get no progress messages; if
// that is not enough, they lose their connection.

import type { ServerResponse } from "node:http";

const MIB = 1024 * 1024;

export interface MemoryLimits {
  /** The limit for all clients together. Default: 268,435,456 (256 MiB). */
  readonly maxBytes?: number | undefined;
  /** The limit for one client; a single message may be longer. Default: 16,777,216 (16 MiB). */
  readonly maxClientBytes?: number | undefined;
  /** From this size on a client is slow, and gets no progress messages. Default: 262,144 (256 KiB). */
  readonly slowBytes?: number | undefined;
}

/**
 * What Node keeps for one write besides its bytes: entries for the chunk, its length, its line ends. About
 * 650 measured.
 */
export const WRITE_BYTES = 1_024;

/** A client with less unread data is not disconnected: that would free too little. */
const WORTH_BYTES = 64 * 1024;

/** All unread data in one process. */
export class WaitingMemory {
  readonly maxClientBytes: number;
  readonly #maxBytes: number;
  readonly #slowBytes: number;
  /** The clients with unread data, in the order in which they began to wait. */
  readonly #waiting = new Map<WaitingClient, number>();
  #bytes = 0;

  constructor({ maxBytes = 256 * MIB, maxClientBytes = 16 * MIB, slowBytes = MIB / 4 }: MemoryLimits = {}) {
    this.#maxBytes = maxBytes;
    this.maxClientBytes = maxClientBytes;
    this.#slowBytes = slowBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** If more than half of the limit is used, clients count as slow earlier. */
  get slowBytes(): number {
    return this.#bytes > this.#maxBytes / 2 ? this.#slowBytes / 4 : this.#slowBytes;
  }

  /** Notes how many bytes are unread by a client. */
  note(client: WaitingClient, bytes: number): void {
    this.#bytes += bytes - (this.#waiting.get(client) ?? 0);
    if (bytes === 0) this.#waiting.delete(client);
    else this.#waiting.set(client, bytes);
    if (this.#bytes > this.#maxBytes) this.#endSlowest();
  }

  /** Disconnects the clients that have waited longest, except those with little data. */
  #endSlowest(): void {
    for (const [client, bytes] of this.#waiting) {
      if (this.#bytes <= this.#maxBytes) return;
      if (bytes >= WORTH_BYTES) client.end();
    }
  }
}

const ofProcess = new WaitingMemory();

/** The unread data of one client, in the response to one request. */
export class WaitingClient {
  readonly #response: ServerResponse;
  readonly #memory: WaitingMemory;
  #writes = 0;
  #bytes = 0;

  constructor(response: ServerResponse, memory: WaitingMemory = ofProcess) {
    this.#response = response;
    this.#memory = memory;
    response.on("drain", () => this.#emptied());
    response.on("close", () => this.#emptied());
  }

  /** The client reads more slowly than we write: messages that it can miss need not be sent. */
  get isSlow(): boolean {
    return this.#bytes > this.#memory.slowBytes;
  }

  write(chunk: Buffer | string): boolean {
    // Checked before the write, so that a single message may be longer than the limit.
    if (this.#bytes > this.#memory.maxClientBytes) {
      this.end();
      return false;
    }
    const hasRoom = this.#response.write(chunk);
    this.#wrote();
    return hasRoom;
  }

  /** Writes the last chunk. */
  finish(chunk?: Buffer | string): void {
    this.#response.end(chunk);
    this.#wrote();
  }

  /** Disconnects the client and drops its unread data. */
  end(): void {
    this.#response.destroy();
    this.#emptied();
  }

  #wrote(): void {
    const { writableLength, destroyed } = this.#response;
    if (destroyed || writableLength === 0) return this.#emptied();
    this.#writes += 1;
    this.#bytes = writableLength + this.#writes * WRITE_BYTES;
    return this.#memory.note(this, this.#bytes);
  }

  #emptied(): void {
    this.#writes = 0;
    if (this.#bytes === 0) return;
    this.#bytes = 0;
    this.#memory.note(this, 0);
  }
}
