import { randomHex } from "../runtime/random-text.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import type { RateLimitRule } from "../settings/tool-definition.ts";
import type { RateStore } from "./rate-limits.ts";
import type { Concurrency } from "./guard-set.ts";

/**
 * What contracts with one name have in common in this process. A contract that is made for every request, inside the
 * factory of its server object, would otherwise lose with each request what it archived, signed and counted.
 */
export class Namesakes {
  /** True where other contracts may use all this too, so that none of them may close it. */
  readonly isShared: boolean;
  readonly #rates = new Map<string, RateStore>();
  readonly #rooms = new Map<string, Concurrency>();
  #store: Promise<ArchiveStore> | undefined;
  #cursorKey: string | undefined;

  constructor(isShared: boolean) {
    this.isShared = isShared;
  }

  /** The memory where archives are kept if nobody named another place. */
  store(): Promise<ArchiveStore> {
    this.#store ??= import("../archive/memory-store.ts").then(({ memoryStore }) => memoryStore());
    return this.#store;
  }

  /** The key of cursors where nobody gave one; `onMade` is told when it is made. */
  cursorKey(onMade: () => void): string {
    if (this.#cursorKey === undefined) {
      this.#cursorKey = randomHex(32);
      onMade();
    }
    return this.#cursorKey;
  }

  /** The counts of a quota. Contracts that disagree about its size count each for itself. */
  rates(quota: string, { limit, periodSeconds }: RateLimitRule, make: () => RateStore): RateStore {
    return once(this.#rates, JSON.stringify([quota, limit, periodSeconds]), make);
  }

  /** The places for calls of a tool that run at once. */
  rooms(tool: string, max: number, make: () => Concurrency): Concurrency {
    return once(this.#rooms, JSON.stringify([tool, max]), make);
  }
}

function once<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** A process that makes names up must not fill its memory: of more names, those least recently used are forgotten. */
const MAX_NAMES = 64;
const byName = new Map<string, Namesakes>();

/** What a contract shares by its name; one without a name shares nothing. */
export function namesakesOf(name: string | undefined): Namesakes {
  if (name === undefined) return new Namesakes(false);
  const found = byName.get(name) ?? new Namesakes(true);
  byName.delete(name);
  byName.set(name, found);
  const [oldest] = byName.keys();
  if (byName.size > MAX_NAMES && oldest !== undefined) byName.delete(oldest);
  return found;
}
