import { spanMs } from "../../core/options/span.ts";
import type { OpenStoreOptions } from "../archive/open-store.ts";
import type { Settings } from "./settings.ts";

/** How long and how much a store keeps, by the settings: for stores that Waybill opens itself. */
export function storeLimitsOf({ store }: Pick<Settings, "store">): OpenStoreOptions {
  const ttlMs = lifetimeIn(store);
  const maxBytes = store?.maxBytes;
  return {
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** The lifetime that settings give entries, in general or of one tool; undefined if they do not say. */
export function lifetimeIn(store: { readonly ttl?: string | undefined } | undefined): number | undefined {
  return store?.ttl === undefined ? undefined : spanMs(store.ttl);
}
