import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import { assertNumber } from "../../core/contract/contract-error.ts";
import { createBoundedEntries } from "./kept-results.ts";

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
