import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { type JsonValue } from "../../core/json/json-value.ts";
import { stableStringify } from "../../core/json/canonical-json.ts";
import { sha256 } from "../../core/text/sha256.ts";
import type { DigestSpans } from "./digest-result.ts";

/** A digest without the facts of a single call. */
export interface CachedDigest {
  readonly payload: DigestPayload;
  readonly spans?: DigestSpans;
  readonly warnings: readonly WarningDetail[];
}

/** Where digests are kept for the next call with the same document, query and settings. */
export interface DigestCache {
  get(key: string): CachedDigest | undefined | Promise<CachedDigest | undefined>;
  set(key: string, digest: CachedDigest): void | Promise<void>;
}

/** Raised with every change that gives another digest for the same document. */
const IMPLEMENTATION = "2";

/** A key made of everything that changes the output. */
export async function cacheKey(parts: Readonly<Record<string, JsonValue>>): Promise<string> {
  return `digest:${IMPLEMENTATION}:${await sha256(new TextEncoder().encode(stableStringify(parts)))}`;
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

/** The last digests in memory; they are frozen, so that no caller changes another caller's digest. */
export function memoryDigestCache({ maxEntries = 100 }: { readonly maxEntries?: number } = {}): DigestCache {
  const entries = new Map<string, CachedDigest>();
  return {
    get(key) {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      // The map is ordered by use.
      entries.delete(key);
      entries.set(key, found);
      return found;
    },
    set(key, digest) {
      entries.delete(key);
      entries.set(key, freeze(digest));
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
    },
  };
}
