import type { ArchiveStore } from "../../stores/archive-store.ts";
import { DEFAULT_MAX_BYTES } from "../../stores/file/file-store-options.ts";
import type { RedisStore } from "../../stores/redis/redis-store.ts";
import { count } from "../output/count.ts";
import { formatBytes } from "../output/format-bytes.ts";
import type { Check } from "./check.ts";
import { describeRedis } from "./describe-redis.ts";

/** Above this share of the quota the oldest entries are about to go. */
const NEARLY_FULL = 0.9;

/** How lasting a store is, and how much of its room is taken. */
export async function describeSize(store: ArchiveStore): Promise<readonly Check[]> {
  const tenants = new Set<string>();
  let [entries, storedBytes] = [0, 0];
  for await (const entry of store.list()) {
    tenants.add(entry.tenantKey);
    entries++;
    storedBytes += entry.storedBytes;
  }
  const owners = entries === 0 ? "" : ` of ${count(tenants.size, "tenant")}`;
  const kept = `${count(entries, "entry", "entries")}${owners}, ${formatBytes(storedBytes)}`;
  const details = { entries, tenants: tenants.size, stored_bytes: storedBytes };
  if (isRedis(store)) {
    const size: Check = { id: "store-size", status: "ok", says: kept, details };
    return [size, ...(await describeRedis(store))];
  }
  return [sizeOfFiles(kept, storedBytes, details), durabilityOfFiles];
}

function isRedis(store: ArchiveStore): store is RedisStore {
  return store.kind === "redis" && "connection" in store;
}

function sizeOfFiles(kept: string, storedBytes: number, details: Check["details"]): Check {
  const says = `${kept} of ${formatBytes(DEFAULT_MAX_BYTES)}, the quota unless the server sets another`;
  const known = { id: "store-size", says, details: { ...details, quota_bytes: DEFAULT_MAX_BYTES } };
  if (storedBytes <= DEFAULT_MAX_BYTES * NEARLY_FULL) return { ...known, status: "ok" };
  const advice = "The least recently used entries go first: raise maxBytes, or let entries expire sooner.";
  return { ...known, status: "note", advice };
}

const durabilityOfFiles: Check = {
  id: "store-durability",
  status: "ok",
  says: 'entries survive the end of any process; a power cut too with fileStore(dir, { durability: "fsync" })',
};
