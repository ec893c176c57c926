import type { JsonObject } from "../../core/json/json-value.ts";
import type { ListedEntry } from "../../engine/archive/archive-store.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import {
  type TenantNames,
  knownTenant,
  readTenantNames,
  showTenant,
  tenantNamed,
} from "../archive/find-entry.ts";
import { type CliIo, exitCodes } from "../cli-io.ts";
import { alignRows, countOf, formatBytes, formatDuration } from "../output/format-values.ts";
import type { Paint, CommandReport } from "../report.ts";

export interface ArchiveLsOptions extends StoreOptions {
  readonly tenant?: string | undefined;
  readonly limit: number;
}

interface Totals {
  readonly entries: number;
  readonly bytes: number;
  readonly stored_bytes: number;
}

/** Lists what is kept, the newest first. */
export async function archiveLs(options: ArchiveLsOptions, io: CliIo): Promise<CommandReport> {
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    const all: ListedEntry[] = [];
    const tenant = options.tenant === undefined ? undefined : await tenantNamed(store, options.tenant, names);
    for await (const entry of store.list(tenant)) all.push(entry);
    all.sort((a, b) => b.storedAtMs - a.storedAtMs || (a.hash < b.hash ? -1 : 1));
    const shown = all.slice(0, options.limit);
    const totals = totalsOf(all);
    const entries = shown.map((entry) => toJson(entry, names, options.tenant));
    return {
      exitCode: exitCodes.fine,
      data: { store: store.kind, location: store.location, entries, total: { ...totals } },
      text: (paint) => printEntries(shown, totals, { names, given: options.tenant }, paint),
    };
  });
}

function totalsOf(all: readonly ListedEntry[]): Totals {
  const sum = (key: "bytes" | "storedBytes"): number => all.reduce((total, entry) => total + entry[key], 0);
  return { entries: all.length, bytes: sum("bytes"), stored_bytes: sum("storedBytes") };
}

function toJson(entry: ListedEntry, names: TenantNames, given: string | undefined): JsonObject {
  return {
    handle: handleOf(entry),
    hash: `sha256:${entry.hash}`,
    bytes: entry.bytes,
    stored_bytes: entry.storedBytes,
    content_type: entry.contentType,
    stored_at: isoTime(entry.storedAtMs),
    expires_at: isoTime(entry.expiresAtMs),
    last_used_at: isoTime(entry.lastUsedAtMs),
    tenant_key: entry.tenantKey,
    tenant: knownTenant(entry.tenantKey, names, given) ?? null,
  };
}

function handleOf({ hash }: ListedEntry): string {
  return hash.slice(0, 12);
}

function isoTime(timeMs: number): string {
  return new Date(Math.min(timeMs, Date.UTC(9999, 11, 31))).toISOString();
}

const head = ["handle", "bytes", "stored", "type", "age", "expires in", "tenant"];

function printEntries(
  shown: readonly ListedEntry[],
  totals: Totals,
  { names, given }: { readonly names: TenantNames; readonly given: string | undefined },
  paint: Paint,
): string {
  if (totals.entries === 0) {
    return given === undefined
      ? "Nothing is kept there: nothing was cut yet, or all of it has expired."
      : "Nothing is kept there for this tenant.";
  }
  const nowMs = Date.now();
  const rows = shown.map((entry) => [
    handleOf(entry),
    `${entry.bytes}`,
    `${entry.storedBytes}`,
    entry.contentType,
    formatDuration(nowMs - entry.storedAtMs),
    formatDuration(entry.expiresAtMs - nowMs),
    showTenant(entry.tenantKey, names, given),
  ]);
  const [title = "", ...lines] = alignRows([head, ...rows]);
  const hidden = totals.entries - shown.length;
  const more = hidden > 0 ? [`and ${hidden} older: --limit shows more`] : [];
  const sizes = `${formatBytes(totals.bytes)}, stored in ${formatBytes(totals.stored_bytes)}`;
  const sum = `${countOf(totals.entries, "entry", "entries")}, ${sizes}`;
  return [paint.bold(title), ...lines, ...more, paint.dim(sum)].join("\n");
}

/** What is kept for one tenant. */
interface TenantRow {
  readonly key: string;
  entries: number;
  bytes: number;
  newestAtMs: number;
}

/** Lists the tenants that have entries, the one with the newest entry first. */
export async function archiveTenants(options: StoreOptions, io: CliIo): Promise<CommandReport> {
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    const rows = new Map<string, TenantRow>();
    for await (const { tenantKey: key, bytes, storedAtMs } of store.list()) {
      const row = rows.get(key) ?? { key, entries: 0, bytes: 0, newestAtMs: 0 };
      row.entries += 1;
      row.bytes += bytes;
      row.newestAtMs = Math.max(row.newestAtMs, storedAtMs);
      rows.set(key, row);
    }
    const sorted = [...rows.values()].sort((a, b) => b.newestAtMs - a.newestAtMs || (a.key < b.key ? -1 : 1));
    return {
      exitCode: exitCodes.fine,
      data: {
        store: store.kind,
        location: store.location,
        tenants: sorted.map((row) => tenantToJson(row, names)),
      },
      text: (paint) => printTenants(sorted, names, paint),
    };
  });
}

function tenantToJson({ key, entries, bytes, newestAtMs }: TenantRow, names: TenantNames): JsonObject {
  return {
    tenant_key: key,
    tenant: knownTenant(key, names) ?? null,
    entries,
    bytes,
    newest_at: new Date(newestAtMs).toISOString(),
  };
}

function printTenants(rows: readonly TenantRow[], names: TenantNames, paint: Paint): string {
  if (rows.length === 0) return "Nothing is kept there: nothing was cut yet, or all of it has expired.";
  const nowMs = Date.now();
  const [title = "", ...lines] = alignRows([
    ["tenant", "entries", "size", "newest"],
    ...rows.map(({ key, entries, bytes, newestAtMs }) => [
      showTenant(key, names),
      `${entries}`,
      formatBytes(bytes),
      formatDuration(nowMs - newestAtMs),
    ]),
  ]);
  return [paint.bold(title), ...lines, paint.dim(countOf(rows.length, "tenant"))].join("\n");
}

export interface ArchiveSweepOptions extends StoreOptions {
  readonly maxBytes?: number | undefined;
}

/** Removes expired entries and those that exceed the quota. */
export async function archiveSweep(options: ArchiveSweepOptions, io: CliIo): Promise<CommandReport> {
  const { maxBytes } = options;
  const limits = maxBytes === undefined ? {} : { maxBytes };
  return withStore(
    options,
    io,
    async (store) => {
      const { expired, evicted, freedBytes, entries, storedBytes } = await store.sweep();
      const left = `${countOf(entries, "entry", "entries")} left, in ${formatBytes(storedBytes)}`;
      return {
        exitCode: exitCodes.fine,
        data: { expired, evicted, freed_bytes: freedBytes, entries, stored_bytes: storedBytes },
        text: () =>
          `removed ${expired} expired and ${evicted} over the quota, ${formatBytes(freedBytes)}\n${left}`,
      };
    },
    limits,
  );
}
