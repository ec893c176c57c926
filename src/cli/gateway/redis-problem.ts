// Asks a Redis store at the start whether it is there. Without it the first result that is cut would tell, and then
// nobody looks.

import { ContractError } from "../../core/contract/contract-error.ts";
import { ArchiveError } from "../../engine/archive/archive-store.ts";

/** Nobody's entry: the store looks for it as for any other, so that what is asked is what will be needed. */
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

/** Why a Redis store cannot be used now, in one line without its password; undefined for one that can, and for other stores. */
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
