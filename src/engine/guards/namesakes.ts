import { randomHex } from "../runtime/random-text.ts";
import type { ArchiveStore } from "../archive/archive-store.ts";
import type { RateLimitRule } from "../settings/tool-definition.ts";
import type { RateStore } from "./rate-limits.ts";
import type { Concurrency } from "./guard-set.ts";

/**
 * What contracts of one name share in this process. A contract that is made for every request, inside the
 * factory of its server object, would otherwise lose its archives, keys and counts with each request.
 */
export class Namesakes {
  /** True if other contracts may use this state too, so that none of them may close it. */
  readonly isShared: boolean;
  readonly #rates = new Map<string, RateStore>();
  readonly #rooms = new Map<string, Concurrency>();
  #store: Promise<ArchiveStore> | undefined;
  #cursorKey: string | undefined;

  constructor(isShared: boolean) {
    this.isShared = isShared;
  }

  /** The memory store for archives, if no other store is configured. */
  store(): Promise<ArchiveStore> {
    this.#store ??= import("../archive/memory-store.ts").then(({ memoryStore }) => memoryStore());
    return this.#store;
  }

  /** The cursor key, if none is configured; `onMade` is called when it is made. */
  cursorKey(onMade: () => void): string {
    if (this.#cursorKey === undefined) {
      this.#cursorKey = randomHex(32);
      onMade();
    }
    return this.#cursorKey;
  }

  /** The counts of a quota. Contracts with different limits for it count separately. */
  rates(quota: string, { limit, periodSeconds }: RateLimitRule, make: () => RateStore): RateStore {
    return once(this.#rates, JSON.stringify([quota, limit, periodSeconds]), make);
  }

  /** The slots for concurrent calls of a tool. */
  rooms(tool: string, max: number, make: () => Concurrency): Concurrency {
    return once(this.#rooms, JSON.stringify([tool, max]), make);
  }
}

function once<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** A process that makes up names must not fill its memory: beyond this number, the least recently used are dropped. */
const MAX_NAMES = 64;
const byName = new Map<string, Namesakes>();

/** What a contract shares by its name; a contract without a name shares nothing. */
export function namesakesOf(name: string | undefined): Namesakes {
  if (name === undefined) return new Namesakes(false);
  const found = byName.get(name) ?? new Namesakes(true);
  byName.delete(name);
  byName.set(name, found);
  const [oldest] = byName.keys();
  if (byName.size > MAX_NAMES && oldest !== undefined) byName.delete(oldest);
  return found;
}
