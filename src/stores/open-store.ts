import type { ArchiveStore } from "./archive-store.ts";
import type { Durability } from "./file-store-options.ts";
import { parseStoreSpec } from "./store-spec.ts";

export interface OpenStoreOptions {
  /** How long an entry lives; a week unless told. */
  readonly ttlMs?: number;
  /** Most bytes to keep; each kind of store has its own default. */
  readonly maxBytes?: number;
  /** What an entry in a directory survives; other stores have no such choice. */
  readonly durability?: Durability;
}

/** The store that a word, a path or a URL means. Only the chosen kind is loaded. */
export async function openStore(spec: string, options: OpenStoreOptions = {}): Promise<ArchiveStore> {
  const { kind, place } = parseStoreSpec(spec);
  if (kind === "memory") return (await import("./memory-store.ts")).memoryStore(options);
  if (kind === "redis") return (await import("./redis-store.ts")).redisStore(place, options);
  return (await import("./file-store.ts")).fileStore(place, options);
}
