// PostgreSQL for bench/store.ts: a cluster of its own that writes to its disk before it answers, and what the store is held
// against, a plain INSERT and SELECT of the same bytes over the same client.
import { readFileSync } from "node:fs";
import { Pool } from "pg";
import type { ArchiveStore } from "../../src/engine/archive/archive-store.ts";
import { hasPostgres, startPostgres } from "../../test/services/postgres.fixture.ts";
import type { Usage } from "./store-usage.ts";

interface PostgresKeepers {
  readonly url: string;
  /** Plain INSERT, and SELECT. */
  readonly plain: {
    readonly name: string;
    put(bytes: Uint8Array, number: number): Promise<string>;
    get(key: string): Promise<unknown>;
  };
  readonly usage: () => Promise<Usage>;
  /** Ends the server; the store is closed with it. */
  stop(store: ArchiveStore): Promise<void>;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_US = 10_000;

function ticksOf(pid: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** Undefined where PostgreSQL is not installed. */
export async function openPostgresKeepers(): Promise<PostgresKeepers | undefined> {
  if (!hasPostgres()) return undefined;
  const server = await startPostgres({ fsync: true });
  const pool = new Pool({ connectionString: server.url, max: 1 });
  await pool.query("CREATE TABLE plain (key text PRIMARY KEY, value bytea)");
  return {
    url: server.url,
    plain: {
      name: "PostgreSQL INSERT and SELECT",
      put: async (bytes, number) => {
        const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        await pool.query(
          "INSERT INTO plain VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
          [`${number}`, value],
        );
        return `${number}`;
      },
      get: (key) => pool.query("SELECT value FROM plain WHERE key = $1", [key]),
    },
    async usage() {
      const [size] = await server.run(
        "SELECT pg_database_size(current_database())::float8 AS kept, (pg_current_wal_lsn() - '0/0')::float8 AS written",
      );
      const parent = readFileSync(`${server.folder}/data/postmaster.pid`, "utf8").split("\n")[0] ?? "";
      const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ");
      const ticks = [parent, ...children].reduce((sum, pid) => sum + ticksOf(pid), 0);
      return {
        keptBytes: Number(size?.["kept"]),
        cpuUs: ticks * TICK_US,
        loggedBytes: Number(size?.["written"]),
      };
    },
    async stop(store) {
      await store.close();
      await pool.end();
      await server.stop();
    },
  };
}
