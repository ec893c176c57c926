import { checkOptions } from "../../../core/options/check-options.ts";
import { callback, optionsOf, readable, whole } from "../../../core/options/option-kinds.ts";
import { type ArchiveStore, assertServerRuntime } from "../archive-store.ts";
import { LaterStore } from "../later-store.ts";
import { DEFAULT_TTL_MS, storeKinds } from "../store-rules.ts";
import { MOST_CONNECTIONS, POSTGRES_SCHEMA, SCHEMA_ADVICE, parsePostgresUrl } from "./postgres-address.ts";
import type { PostgresPool } from "./postgres-pool.ts";

export interface PostgresStoreOptions {
  /**
   * How long an entry lives after its last put. Default: that of the address (`?ttl=1d`), else a week. A given one
   * holds for what was kept before, too.
   */
  readonly ttlMs?: number;
  /** The most bytes to keep; the least recently used are removed by sweeps. Default: of the address, else no limit. */
  readonly maxBytes?: number;
  /** The schema of the tables, which is made if it is not there. Stores with the same schema share everything. Default: `waybill`. */
  readonly schema?: string;
  /** The most connections of this process. Default: 5. */
  readonly connections?: number;
  /** How long one statement, or connecting, may take. Default: 5,000. */
  readonly timeoutMs?: number;
  /** Makes a `Pool` of the package `pg`, for what an address does not say: certificates, a password that changes. */
  readonly connect?: () => PostgresPool | Promise<PostgresPool>;
  /** Default: PostgreSQL's own clock, so that processes agree. */
  readonly now?: () => number;
}

const DEFAULT_SCHEMA = "waybill";

const postgresOptions = optionsOf<PostgresStoreOptions>({
  ...storeKinds,
  schema: readable((given) => (POSTGRES_SCHEMA.test(given) ? given : undefined), `Write ${SCHEMA_ADVICE}.`),
  connections: whole({ min: 1, max: MOST_CONNECTIONS }),
  timeoutMs: whole({ min: 1, max: 600_000, unit: "milliseconds" }),
  connect: callback,
});

/** A store that every process with the same database and schema shares. Connects at its first use. */
export function postgresStore(url: string, options: PostgresStoreOptions = {}): ArchiveStore {
  checkOptions("postgresStore", postgresOptions, options);
  assertServerRuntime("postgresStore");
  const address = parsePostgresUrl(url);
  const { maxBytes = address.maxBytes, connect, now } = options;
  // A lifetime that was not chosen says nothing of what others kept for longer.
  const chosenTtlMs = options.ttlMs ?? address.ttlMs;
  const rules = {
    ttlMs: chosenTtlMs ?? DEFAULT_TTL_MS,
    maxTtlMs: chosenTtlMs,
    maxBytes: maxBytes ?? Number.POSITIVE_INFINITY,
    schema: options.schema ?? address.schema ?? DEFAULT_SCHEMA,
    connections: options.connections ?? address.connections ?? 5,
    timeoutMs: options.timeoutMs ?? 5_000,
    connect,
    now,
  };
  // Several stores may be in one database.
  const location = `${address.location}${rules.schema === DEFAULT_SCHEMA ? "" : `?schema=${rules.schema}`}`;
  const known = { kind: "postgres", location, localTenants: undefined };
  return new LaterStore({ ...known, isExposed: address.isExposed && connect === undefined }, async () => {
    const { databaseStore } = await import("./database-store.ts");
    return databaseStore(address, rules);
  });
}
