import { useEffect, useState } from "preact/hooks";
import type {
  ArchiveItem,
  ArchiveReport,
  ArchiveTenant,
} from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { replace, route } from "../app/location.ts";
import { linkTo } from "../app/route.ts";
import { get, useGet } from "../live/api.ts";
import { useAction } from "../live/use-action.ts";
import { formatAge, formatBytes, formatCount, formatMany } from "../text/figures.ts";
import { Panel, ViewHead } from "../ui/panel.tsx";
import { EmptyState, ErrorState, Loading } from "../ui/states.tsx";
import { ArchiveEntry, readEntryName } from "./archive/archive-entry.tsx";
import { ArchiveItems } from "./archive/archive-items.tsx";
import { ArchiveSearch } from "./archive/archive-search.tsx";

/** What tenants are called, by their keys. Sessions of one server have one label, so the key tells them apart. */
function namesOf(tenants: readonly ArchiveTenant[]): ReadonlyMap<string, string> {
  const isAlone = (label: string): boolean => tenants.filter((one) => one.label === label).length === 1;
  return new Map(
    tenants.map(({ key, label }) => {
      if (label === undefined) return [key, key.slice(0, 12)];
      return [key, isAlone(label) ? label : `${label} ${key.slice(0, 6)}`];
    }),
  );
}

function addressOf(tenant: string, after?: ArchiveItem): string {
  const query = new URLSearchParams();
  if (tenant !== "") query.set("tenant", tenant);
  if (after !== undefined) query.set("after", `${after.tenantKey}/${after.hash}`);
  return `/api/archive?${query.toString()}`;
}

function Facts({ report, nowMs }: { readonly report: ArchiveReport; readonly nowMs: number }) {
  const newest = Math.max(0, ...report.tenants.map(({ newestAtMs }) => newestAtMs));
  return (
    <dl class="facts">
      <div>
        <dt>Entries</dt>
        <dd>{formatCount(report.entries)}</dd>
      </div>
      <div>
        <dt>Content</dt>
        <dd>
          {formatBytes(report.bytes)} <span class="quiet">{formatBytes(report.storedBytes)} stored</span>
        </dd>
      </div>
      <div>
        <dt>Newest</dt>
        <dd>{newest === 0 ? "–" : `${formatAge(nowMs - newest)} ago`}</dd>
      </div>
      <div>
        <dt>Store</dt>
        <dd>
          {report.kind} <span class="quiet">{report.location}</span>
        </dd>
      </div>
    </dl>
  );
}

function TenantChoice({ report, tenant }: { readonly report: ArchiveReport; readonly tenant: string }) {
  const names = namesOf(report.tenants);
  return (
    <label class="inline-choice">
      <span>Tenant</span>
      <select
        value={tenant}
        onChange={(event) => replace(linkTo("archive", { tenant: event.currentTarget.value }))}
      >
        <option value="">all ({formatCount(report.entries)})</option>
        {report.tenants.map((one) => (
          <option key={one.key} value={one.key}>
            {`${names.get(one.key) ?? one.key} (${formatMany(one.entries, "entry", "entries")}, ${formatBytes(one.bytes)})`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Entries({
  report,
  tenant,
  nowMs,
}: {
  readonly report: ArchiveReport;
  readonly tenant: string;
  readonly nowMs: number;
}) {
  const [more, setMore] = useState<readonly ArchiveReport[]>([]);
  const action = useAction<void>();
  useEffect(() => setMore([]), [report]);
  const items = [report, ...more].flatMap((page) => page.items);
  const hasMore = (more.at(-1) ?? report).hasMore;
  const next = (): void =>
    action.start(async (signal) => {
      const page = await get<ArchiveReport>(addressOf(tenant, items.at(-1)), signal);
      setMore([...more, page]);
    });
  return (
    <Panel title="Entries" isFlush actions={<TenantChoice report={report} tenant={tenant} />}>
      <ArchiveItems items={items} nowMs={nowMs} />
      {action.problem === undefined ? null : <ErrorState problem={action.problem} again={next} />}
      {hasMore ? (
        <p class="more">
          <button type="button" disabled={action.isBusy} onClick={next}>
            {action.isBusy ? "Asking…" : "Show older ones"}
          </button>
        </p>
      ) : null}
    </Panel>
  );
}

/** What is kept of results that were cut. */
export function ArchiveView() {
  const { query } = route.value;
  const tenant = query.get("tenant") ?? "";
  const entry = readEntryName(query.get("entry"));
  const { value, problem, isLoading, again } = useGet<ArchiveReport>(addressOf(tenant));
  const nowMs = Date.now();
  return (
    <>
      <ViewHead title="Archive" says="What was cut from results is kept here whole, under its SHA-256.">
        <button type="button" disabled={isLoading} onClick={again}>
          Refresh
        </button>
      </ViewHead>
      {problem === undefined ? null : <ErrorState problem={problem} again={again} />}
      {value === undefined && problem === undefined ? <Loading what="Listing the archive" /> : null}
      {entry === undefined ? null : <ArchiveEntry key={`${entry.tenantKey}/${entry.hash}`} name={entry} />}
      {value === undefined || value.entries > 0 ? null : (
        <EmptyState title={value.wasEmptied ? "Nothing is kept now." : "Nothing is archived yet."}>
          {value.wasEmptied ? (
            <p>
              There were entries: they have expired, were removed to make room, or ended with the session of a
              client that does not sign in.
            </p>
          ) : null}
          <p>
            An entry appears when a result is larger than its budget: it is cut, and the whole is kept here.
            To see it happen, call a tool with a large result, or give a tool a smaller budget in{" "}
            <a href={linkTo("config")}>Config</a>.
          </p>
          <p class="quiet">
            Store: {value.kind} {value.location}
          </p>
        </EmptyState>
      )}
      {value === undefined || value.entries === 0 ? null : (
        <>
          <div class="facts-frame">
            <Facts report={value} nowMs={nowMs} />
          </div>
          <ArchiveSearch tenantKey={tenant} names={namesOf(value.tenants)} />
          <Entries report={value} tenant={tenant} nowMs={nowMs} />
        </>
      )}
    </>
  );
}
