import { assertNumber } from "../../core/contract/contract-error.ts";
import { createBoundedEntries } from "./kept-results.ts";

export interface ResultCacheOptions {
  readonly ttlMs: number;
  /** How long after its lifetime an entry may still be served while it is refreshed. */
  readonly staleMs?: number | undefined;
  readonly maxEntries?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export interface CacheHit<V> {
  readonly value: V;
  readonly ageMs: number;
  readonly state: "fresh" | "stale";
}

/** `loaded`: the value comes from a run for this call, or from one that it joined. */
export type CacheAnswer<V> = CacheHit<V> | { readonly value: V; readonly ageMs: 0; readonly state: "loaded" };

export interface ResultCache<V> {
  get(key: string): CacheHit<V> | undefined;
  set(key: string, value: V): void;
  /** The cached value, or the value of `run`. Callers share a run, so none of them may cancel it. */
  load(key: string, run: () => Promise<V>): Promise<CacheAnswer<V>>;
}

/** Results by key, the oldest dropped first. A stale one is served at once and refreshed in the background. */
export function createResultCache<V>(options: ResultCacheOptions): ResultCache<V> {
  const { ttlMs, staleMs = 0, maxEntries = 500, now = Date.now } = options;
  assertNumber("ttlMs", ttlMs, { min: 1 });
  assertNumber("staleMs", staleMs, { min: 0 });
  const entries = createBoundedEntries<V>({ maxEntries, maxAgeMs: ttlMs + staleMs, now });
  const flights = new Map<string, Promise<V>>();

  function get(key: string): CacheHit<V> | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    const ageMs = now() - entry.storedAt;
    // If the clock was set back, the age is unknown.
    if (ageMs < 0) return undefined;
    return { value: entry.value, ageMs, state: ageMs < ttlMs ? "fresh" : "stale" };
  }

  async function fly(key: string, run: () => Promise<V>): Promise<V> {
    const before = entries.get(key);
    try {
      const value = await run();
      const present = entries.get(key);
      // A value that was set meanwhile is newer than the result of this run.
      if (present === undefined || present === before) entries.set(key, value);
      return value;
    } finally {
      flights.delete(key);
    }
  }

  function takeOff(key: string, run: () => Promise<V>): Promise<V> {
    // In a later turn: a run that throws at once must not end before it is in the map.
    const flight = Promise.resolve().then(() => fly(key, run));
    flights.set(key, flight);
    return flight;
  }

  return {
    get,
    set: (key, value) => entries.set(key, value),
    async load(key, run) {
      const hit = get(key);
      if (hit?.state === "fresh") return hit;
      const flight = flights.get(key) ?? takeOff(key, run);
      if (hit === undefined) return { value: await flight, ageMs: 0, state: "loaded" };
      // If a refresh fails, the stale entry stays for the rest of its time.
      flight.catch(() => undefined);
      return hit;
    },
  };
}
