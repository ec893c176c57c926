import type { JsonObject } from "../../core/json/json-value.ts";
import type { ListedEntry } from "../../engine/archive/archive-store.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import { tenantNamed } from "../archive/find-entry.ts";
import { type TenantNames, knownTenant, readTenantNames, showTenant } from "../archive/tenant-names.ts";
import type { CliIo } from "../cli-io.ts";
import { exitCodes } from "../cli-error.ts";
import { count, formatBytes, formatDuration } from "../output/format-values.ts";
import type { Paint, Report } from "../report.ts";
import { alignRows } from "../output/lay-out-text.ts";

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
export async function archiveLs(options: ArchiveLsOptions, io: CliIo): Promise<Report> {
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
  const sum = `${count(totals.entries, "entry", "entries")}, ${sizes}`;
  return [paint.bold(title), ...lines, ...more, paint.dim(sum)].join("\n");
}
