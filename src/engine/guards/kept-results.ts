import { assertNumber } from "../../core/contract/contract-error.ts";
import { stableStringify } from "../../core/json/canonical-json.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";
import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";

interface BoundedEntriesOptions {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
  readonly now: () => number;
}

interface BoundedEntry<V> {
  readonly value: V;
  readonly storedAt: number;
}

interface BoundedEntries<V> {
  get(key: string): BoundedEntry<V> | undefined;
  set(key: string, value: V): void;
  readonly size: number;
}

/** A map that drops entries past their age, and the oldest first if there are too many. */
export function createBoundedEntries<V>(options: BoundedEntriesOptions): BoundedEntries<V> {
  const { maxEntries, maxAgeMs, now } = options;
  assertNumber("maxEntries", maxEntries, { min: 1, whole: true });
  const entries = new Map<string, BoundedEntry<V>>();
  const isOver = ({ storedAt }: BoundedEntry<V>): boolean => now() - storedAt >= maxAgeMs;
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || !isOver(entry)) return entry;
      entries.delete(key);
      return undefined;
    },
    set(key, value) {
      // Deleted first, so that the map is ordered by age.
      entries.delete(key);
      entries.set(key, { value, storedAt: now() });
      for (const [oldest, entry] of entries) {
        if (entries.size <= maxEntries && !isOver(entry)) return;
        entries.delete(oldest);
      }
    },
    get size() {
      return entries.size;
    },
  };
}

interface CallParts {
  readonly tool: string;
  readonly args?: JsonValue | undefined;
  readonly tenant?: string | undefined;
}

/** The same text for equal calls of one tenant, in any order of keys; also a call's fingerprint. */
export function resultCacheKey({ tool, args = {}, tenant }: CallParts): string {
  return sha256Hex(stableStringify([tool, args, tenant ?? null]));
}

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

export interface IdempotencyOptions {
  readonly ttlMs?: number | undefined;
  readonly maxEntries?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export interface IdempotentResult<V> {
  readonly value: V;
  /** True when an earlier call with this key did the work. */
  readonly replayed: boolean;
}

export interface Idempotency<V> {
  /** Does the work once for each key. The fingerprint tells a repeated call from a different call with the same key. */
  run(key: string, fingerprint: string, work: () => Promise<V>): Promise<IdempotentResult<V>>;
}

interface Attempt<V> {
  readonly fingerprint: string;
  readonly value: V;
}

const DAY_MS = 86_400_000;

/** Repeated calls get the outcome of the first. Work that rejects is forgotten, so a retry runs it again. */
export function createIdempotency<V>(options: IdempotencyOptions = {}): Idempotency<V> {
  const { ttlMs = DAY_MS, maxEntries = 1_000, now = Date.now } = options;
  assertNumber("ttlMs", ttlMs, { min: 1 });
  // Running calls are kept separately: if one were evicted, a second could start.
  const running = new Map<string, Attempt<Promise<V>>>();
  const kept = createBoundedEntries<Attempt<V>>({ maxEntries, maxAgeMs: ttlMs, now });

  async function finish(key: string, fingerprint: string, work: () => Promise<V>): Promise<V> {
    try {
      const value = await work();
      kept.set(key, { fingerprint, value });
      return value;
    } finally {
      running.delete(key);
    }
  }

  return {
    async run(key, fingerprint, work) {
      const earlier = running.get(key) ?? kept.get(key)?.value;
      if (earlier !== undefined) {
        if (earlier.fingerprint !== fingerprint) throw usedForAnotherCall();
        return { value: await earlier.value, replayed: true };
      }
      if (running.size >= maxEntries)
        throw faults.unavailable("Too many calls with idempotency keys are running");
      // In a later turn: work that throws at once must not end before it is in the map.
      const value = Promise.resolve().then(() => finish(key, fingerprint, work));
      running.set(key, { fingerprint, value });
      return { value: await value, replayed: false };
    },
  };
}

function usedForAnotherCall(): ToolFault {
  // Without the key: the door may have put the tenant into it.
  return faults.conflict("The idempotency key was used for another call", {
    remediation: "Repeat the first call unchanged, or send this one with a new idempotency key.",
    details: { reason: "IDEMPOTENCY" },
  });
}
