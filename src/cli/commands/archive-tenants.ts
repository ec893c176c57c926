import type { JsonObject } from "../../core/json/json-value.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import { type TenantNames, knownTenant, readTenantNames, showTenant } from "../archive/tenant-names.ts";
import { exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { count, formatBytes, formatDuration } from "../output/format-values.ts";
import { alignRows } from "../output/lay-out-text.ts";
import type { Paint, Report } from "../report.ts";

/** What is kept for one tenant. */
interface TenantRow {
  readonly key: string;
  entries: number;
  bytes: number;
  newestAtMs: number;
}

/** Lists the tenants that have entries, the one with the newest entry first. */
export async function archiveTenants(options: StoreOptions, io: CliIo): Promise<Report> {
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
        tenants: sorted.map((row) => toJson(row, names)),
      },
      text: (paint) => printTenants(sorted, names, paint),
    };
  });
}

function toJson({ key, entries, bytes, newestAtMs }: TenantRow, names: TenantNames): JsonObject {
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
  return [paint.bold(title), ...lines, paint.dim(count(rows.length, "tenant"))].join("\n");
}
