import { assertNumber } from "../../core/contract/contract-error.ts";
import { stableStringify } from "../../core/json/canonical-json.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { sha256Hex } from "../runtime/sha256-hex.ts";

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
export function cacheKey({ tool, args = {}, tenant }: CallParts): string {
  return sha256Hex(stableStringify([tool, args, tenant ?? null]));
}
