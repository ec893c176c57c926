// How long a list waits for each server. One that kept a list waiting in vain does not do so again for a while.

import type { MergedServer } from "./merged-servers.ts";

/** A list without a server is worse than a late one: some servers start slowly. */
const LIST_MS = 20_000;
/** A server that is known to be slow gets this long: it may answer at once by now. */
const SLOW_MS = 250;
const SLOW_FOR_MS = 60_000;

export interface SlowServersOptions {
  /** How long a list waits. Default: 20,000. */
  readonly listMs?: number | undefined;
  /** A slow server has answered after all: clients may list it. */
  readonly recovered: () => void;
}

export class SlowServers {
  readonly #listMs: number;
  readonly #recovered: () => void;
  /** Until when each is taken for slow. */
  readonly #slow = new Map<MergedServer, number>();

  constructor({ listMs = LIST_MS, recovered }: SlowServersOptions) {
    this.#listMs = listMs;
    this.#recovered = recovered;
  }

  isSlow(server: MergedServer): boolean {
    return performance.now() < (this.#slow.get(server) ?? 0);
  }

  /** What a server gives in time; undefined if it comes too late, and if it is rejected. */
  wait<Value>(server: MergedServer, promise: Promise<Value>): Promise<Value | undefined> {
    const wasSlow = this.isSlow(server);
    const askedAt = performance.now();
    let isLate = false;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        isLate = true;
        if (!wasSlow) this.#slow.set(server, performance.now() + SLOW_FOR_MS);
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, wasSlow ? SLOW_MS : this.#listMs);
      void promise
        .catch(() => undefined)
        .then((value) => {
          clearTimeout(timer);
          resolve(value);
          // One that takes longer than a list waits would be asked for ever.
          const isInTime = performance.now() - askedAt <= this.#listMs;
          if (value !== undefined && isInTime && this.#slow.delete(server) && isLate) this.#recovered();
        });
    });
  }
}
