// What waits in memory for clients that do not read, over all of them: bytes alone would say a third of it, because
// Node keeps several objects for every write. The slowest lose progress first, and where that is not enough, their
// connection.

import type { ServerResponse } from "node:http";

const MIB = 1024 * 1024;

export interface MemoryLimits {
  /** What may wait for all clients together. Default: 268,435,456 (256 MiB). */
  readonly maxBytes?: number | undefined;
  /** What may wait for one of them; a single message may be longer. Default: 16,777,216 (16 MiB). */
  readonly maxClientBytes?: number | undefined;
  /** From so much on a client is slow, and gets no progress. Default: 262,144 (256 KiB). */
  readonly slowBytes?: number | undefined;
}

/** What Node keeps for one write beside its bytes: entries for the chunk, its length, its line ends. About 650 measured. */
export const WRITE_BYTES = 1_024;

/** Whoever keeps less than this is not ended: it would help nobody. */
const WORTH_BYTES = 64 * 1024;

/** All that waits, in one process. */
export class WaitingMemory {
  readonly maxClientBytes: number;
  readonly #maxBytes: number;
  readonly #slowBytes: number;
  /** Those for whom something waits; who began to wait first stands first. */
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

  /** Where more than half is used, less makes a client slow. */
  get slowBytes(): number {
    return this.#bytes > this.#maxBytes / 2 ? this.#slowBytes / 4 : this.#slowBytes;
  }

  /** So much waits for a client now. */
  note(client: WaitingClient, bytes: number): void {
    this.#bytes += bytes - (this.#waiting.get(client) ?? 0);
    if (bytes === 0) this.#waiting.delete(client);
    else this.#waiting.set(client, bytes);
    if (this.#bytes > this.#maxBytes) this.#endSlowest();
  }

  /** Whoever has kept something waiting for longest goes first, unless it is next to nothing. */
  #endSlowest(): void {
    for (const [client, bytes] of this.#waiting) {
      if (this.#bytes <= this.#maxBytes) return;
      if (bytes >= WORTH_BYTES) client.end();
    }
  }
}

const ofProcess = new WaitingMemory();

/** What waits for one client, in the response to one request. */
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

  /** It reads more slowly than it is written to: what can be missed need not be sent. */
  get isSlow(): boolean {
    return this.#bytes > this.#memory.slowBytes;
  }

  write(chunk: Buffer | string): boolean {
    // Looked at before the write, so that one message may be as long as it is.
    if (this.#bytes > this.#memory.maxClientBytes) {
      this.end();
      return false;
    }
    const hasRoom = this.#response.write(chunk);
    this.#wrote();
    return hasRoom;
  }

  /** The last of it. */
  finish(chunk?: Buffer | string): void {
    this.#response.end(chunk);
    this.#wrote();
  }

  /** It gets nothing more, and what waits for it is given up. */
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
