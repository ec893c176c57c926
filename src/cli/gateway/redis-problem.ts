// Checks at the start whether a Redis store is available. Otherwise only the first cut result would show it, and by
// then no person reads the log.

import { ContractError } from "../../core/contract/contract-error.ts";
import { ArchiveError } from "../../engine/archive/archive-store.ts";

/** A tenant without entries: the store looks it up like any other, so the probe uses the same access as later reads. */
const PROBE_TENANT = "waybill:start";
const PROBE_HASH = "0".repeat(64);

async function probe(url: string): Promise<void> {
  const { redisStore } = await import("../../engine/archive/redis/redis-store.ts");
  const store = redisStore(url);
  try {
    await store.has(PROBE_TENANT, PROBE_HASH);
  } finally {
    await store.close();
  }
}

/** Why a Redis store cannot be used now, in one line without its password; undefined otherwise. */
export async function redisProblem(store: string | undefined): Promise<string | undefined> {
  if (store === undefined || !/^\s*(redis|valkey)s?:/i.test(store)) return undefined;
  try {
    await probe(store.trim());
    return undefined;
  } catch (error) {
    const isKnown = ArchiveError.isInstance(error) || ContractError.isInstance(error);
    const [line = ""] = (isKnown ? error.message : "The store failed for a reason that is not known.").split(
      "\n",
    );
    return `${line} The gateway goes on, but what it cuts cannot be kept until then.`;
  }
}
