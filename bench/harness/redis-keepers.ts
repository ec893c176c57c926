// Redis for bench/store.ts: a server of its own on a loopback port, and what the store is held against, a plain SET and
// GET of the same bytes over the same client.
import { createClient } from "@redis/client";
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import { hasRedis, startRedis } from "../../test/services/redis.fixture.ts";
import type { Usage } from "./store-usage.ts";

interface RedisKeepers {
  readonly url: string;
  /** Plain SET with an expiry, and GET. */
  readonly plain: {
    readonly name: string;
    put(bytes: Uint8Array, number: number): Promise<string>;
    get(key: string): Promise<unknown>;
  };
  readonly usage: () => Promise<Usage>;
  /** Ends the server; the store is closed with it. */
  stop(store: ArchiveStore): Promise<void>;
}

const BLOB_STRING = 36;

const field = (info: string, name: string): string =>
  new RegExp(`^${name}:(.+)$`, "m").exec(info)?.[1]?.trim() ?? "";

/** Undefined where redis-server is not installed. With `appendOnly` it writes to its disk before it answers. */
export async function openRedisKeepers(appendOnly = false): Promise<RedisKeepers | undefined> {
  if (!hasRedis()) return undefined;
  const server = await startRedis({ appendOnly });
  const client = createClient({ url: server.url, RESP: 2, commandOptions: { timeout: 0 } });
  await client.connect();
  const asBytes = client.withTypeMapping({ [BLOB_STRING]: Buffer });
  return {
    url: server.url,
    plain: {
      name: appendOnly ? "Redis SET and GET, appendonly" : "Redis SET and GET",
      put: async (bytes, number) => {
        const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        await client.set(`plain:${number}`, value, { expiration: { type: "PX", value: 600_000 } });
        return `plain:${number}`;
      },
      get: (key) => asBytes.get(key),
    },
    async usage() {
      const info = await client.info();
      const cpu = Number(field(info, "used_cpu_sys")) + Number(field(info, "used_cpu_user"));
      const isLogged = field(info, "aof_enabled") === "1";
      return {
        keptBytes: Number(field(info, "used_memory")),
        cpuUs: cpu * 1_000_000,
        loggedBytes: isLogged ? Number(field(info, "aof_current_size")) : 0,
      };
    },
    async stop(store) {
      await store.close();
      client.destroy();
      await server.stop();
    },
  };
}
