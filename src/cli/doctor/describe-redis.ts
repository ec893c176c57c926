import type { RedisStore } from "../../stores/redis/redis-store.ts";
import { formatBytes } from "../output/format-bytes.ts";
import type { Check } from "./check.ts";

/** What Redis says of itself: whether entries survive its restart, and what it does when its memory is full. */
export async function describeRedis({ connection }: RedisStore): Promise<readonly Check[]> {
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
