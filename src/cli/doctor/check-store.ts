import { randomBytes } from "node:crypto";
import { ContractError } from "../../core/contract/contract-error.ts";
import { ArchiveError, type ArchiveStore } from "../../engine/archive/archive-store.ts";
import { DEFAULT_MAX_BYTES } from "../../engine/archive/file/file-store-options.ts";
import type { OpenStoreOptions } from "../../engine/archive/open-store.ts";
import type { RedisStore } from "../../engine/archive/redis/redis-store.ts";
import { isMemory, openNamedStore } from "../archive/named-store.ts";
import { type CliIo, CliError } from "../cli-io.ts";
import { count, formatBytes } from "../output/format-values.ts";
import type { Check } from "./check-runtime.ts";

/** What Redis reports about itself: whether entries survive a restart, and what happens when its memory is full. */
async function describeRedis({ connection }: RedisStore): Promise<readonly Check[]> {
  let info: ReadonlyMap<string, string>;
  try {
    const [memory, persistence] = [
      await connection.send("INFO", "memory"),
      await connection.send("INFO", "persistence"),
    ];
    info = parseInfo(`${String(memory)}\n${String(persistence)}`);
  } catch {
    const says = "Redis does not tell how it is set up: this user may not run INFO";
    return [{ id: "store-durability", status: "note", says }];
  }
  return [durabilityOf(info), memoryOf(info)];
}

function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(":"));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}

function durabilityOf(info: ReadonlyMap<string, string>): Check {
  const id = "store-durability";
  if (info.get("aof_enabled") === "1") {
    return { id, status: "ok", says: "entries survive a restart of Redis (appendonly)" };
  }
  return {
    id,
    status: "note",
    says: "a restart of Redis may lose entries and the cursor key: appendonly is off",
    advice: "Set `appendonly yes` in redis.conf if hashes must outlive Redis.",
  };
}

function memoryOf(info: ReadonlyMap<string, string>): Check {
  const policy = info.get("maxmemory_policy") ?? "unknown";
  const limit = Number(info.get("maxmemory") ?? 0);
  const used = Number(info.get("used_memory") ?? 0);
  const room =
    limit > 0 ? `${formatBytes(used)} of ${formatBytes(limit)}` : `${formatBytes(used)}, no maxmemory`;
  const check = { id: "store-memory", says: `Redis uses ${room}, policy ${policy}` };
  if (limit === 0) {
    const advice = "Set maxmemory, or maxBytes on the store, so that the archive cannot fill the machine.";
    return { ...check, status: "note", advice };
  }
  if (!policy.startsWith("allkeys")) return { ...check, status: "ok" };
  const advice = "Choose volatile-lru, volatile-ttl or noeviction: allkeys policies may drop the cursor key.";
  return { ...check, status: "note", advice };
}

/** Above this share of the quota the oldest entries will soon be removed. */
const NEARLY_FULL = 0.9;

/** How durable a store is, and how much of its room is used. */
async function describeSize(store: ArchiveStore): Promise<readonly Check[]> {
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
  const says = `${kept} of ${formatBytes(DEFAULT_MAX_BYTES)}, the default quota`;
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

const PROBE_TENANT = "waybill:doctor";

/** Whether the store can write, read and delete; how durable it is, and how full. */
export async function checkStore(spec: string | undefined, io: CliIo): Promise<readonly Check[]> {
  if (spec === undefined || isMemory(spec)) return [inMemory(spec)];
  try {
    const found = await withOpen(spec, io, probeLimits(spec), probe);
    return [found, ...(await withOpen(spec, io, {}, describeSize))];
  } catch (error) {
    return [toProblem(error)];
  }
}

function inMemory(spec: string | undefined): Check {
  const named =
    spec === undefined ? "no store is named, so a server of yours keeps cut results in memory" : "in memory";
  return {
    id: "store",
    status: "note",
    says: `${named}: they end with its process`,
    advice: "Set `store` to a directory, or to redis://… for several processes, or give --store.",
  };
}

/**
 * A directory is swept after a put, by the limits it was opened with; these limits remove nothing that a server still
 * needs. In Redis the probe has its own expiry, so that it ends soon if this process cannot remove it.
 */
function probeLimits(spec: string): OpenStoreOptions {
  const isRedis = /^\s*(redis|valkey)s?:/i.test(spec);
  return isRedis ? { ttlMs: 60_000 } : { ttlMs: 36_525 * 86_400_000, maxBytes: Number.MAX_SAFE_INTEGER };
}

async function withOpen<Result>(
  spec: string,
  io: CliIo,
  limits: OpenStoreOptions,
  use: (store: ArchiveStore) => Promise<Result>,
): Promise<Result> {
  const store = await openNamedStore(spec, io, limits);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function probe(store: ArchiveStore): Promise<Check> {
  const content = `waybill doctor ${randomBytes(16).toString("hex")}`;
  const { entry } = await store.put(PROBE_TENANT, [content], { contentType: "text/plain" });
  const read = await store.get(PROBE_TENANT, entry.hash);
  const isForgotten = await store.delete(PROBE_TENANT, entry.hash);
  const isSame = read !== undefined && Buffer.from(read.bytes).toString() === content;
  const says = `${store.kind} at ${store.location}`;
  const details = { kind: store.kind, location: store.location };
  if (isSame && isForgotten) {
    return { id: "store", status: "ok", says: `${says}: writes, reads and deletes`, details };
  }
  const wrong = isSame ? "could not delete a probe" : "did not return a test entry";
  const advice = "Check that nothing else writes or evicts there.";
  return { id: "store", status: "problem", says: `${says} ${wrong}`, advice, details };
}

function toProblem(error: unknown): Check {
  const isKnown =
    ArchiveError.isInstance(error) || ContractError.isInstance(error) || error instanceof CliError;
  if (!isKnown) throw error;
  const advice =
    "Repair it, or name another. Until then results are still cut, and what is cut is lost (ARCHIVE_WRITE_FAILED).";
  return { id: "store", status: "problem", says: error.message, advice };
}
