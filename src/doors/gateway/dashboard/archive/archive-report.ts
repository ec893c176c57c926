import type { ArchiveItem, ArchiveReport, ArchiveTenant } from "../protocol/places.ts";
import { ApiProblem } from "../dashboard-parts.ts";
import type { Traffic } from "../traffic/traffic.ts";
import type { Archives, Listing, PlacedEntry } from "./archives.ts";

const MAX_ITEMS = 200;

export interface ArchivePage {
  readonly tenantKey?: string | undefined;
  /** The last item that the page has: its tenant's key, a slash, its hash. */
  readonly after?: string | undefined;
}

/** Of the calls that name an entry, so many are given. */
const MAX_SEQS = 20;

/** Who knows which calls name an entry, and who made them. */
export type NamingCalls = Pick<Traffic, "seqsByArchive" | "upstreamsByTenant">;

function tenantsOf(
  entries: readonly PlacedEntry[],
  labels: ReadonlyMap<string, string>,
): readonly ArchiveTenant[] {
  const found = new Map<string, { entries: number; bytes: number; newestAtMs: number }>();
  for (const { tenantKey, bytes, storedAtMs } of entries) {
    const row = found.get(tenantKey) ?? { entries: 0, bytes: 0, newestAtMs: 0 };
    row.entries += 1;
    row.bytes += bytes;
    row.newestAtMs = Math.max(row.newestAtMs, storedAtMs);
    found.set(tenantKey, row);
  }
  // The entries are sorted, so the tenant with the newest one is the first.
  return Array.from(found, ([key, row]) => ({ key, label: labels.get(key), ...row }));
}

function sum(entries: readonly PlacedEntry[], key: "bytes" | "storedBytes"): number {
  return entries.reduce((total, entry) => total + entry[key], 0);
}

function startOf(entries: readonly PlacedEntry[], after: string | undefined): number {
  if (after === undefined) return 0;
  const [tenantKey, hash] = after.split("/");
  const at = entries.findIndex((entry) => entry.hash === hash && entry.tenantKey === tenantKey);
  if (at !== -1) return at + 1;
  throw new ApiProblem(
    "not-kept",
    "The entry that the list should go on after is not kept any more.",
    "Load the list from its beginning.",
  );
}

/** What is known of entries beside what their stores say. */
interface Known {
  /** By the tenant's key, a slash, the hash. */
  readonly seqs: ReadonlyMap<string, readonly number[]>;
  readonly sessions: ReadonlySet<string>;
}

function endOf({ tenantKey, place }: PlacedEntry, { sessions }: Known): ArchiveItem["endsWith"] {
  if (sessions.has(tenantKey)) return "session";
  return place.store.kind === "memory" ? "gateway" : undefined;
}

function toItem(entry: PlacedEntry, known: Known): ArchiveItem {
  const { hash, tenantKey, bytes, storedBytes, contentType, storedAtMs, expiresAtMs, lastUsedAtMs } = entry;
  const times = { storedAtMs, expiresAtMs, lastUsedAtMs };
  return {
    hash,
    tenantKey,
    bytes,
    storedBytes,
    contentType,
    ...times,
    endsWith: endOf(entry, known),
    seqs: (known.seqs.get(`${tenantKey}/${hash}`) ?? []).slice(0, MAX_SEQS),
  };
}

function placesOf({ places }: Listing): Pick<ArchiveReport, "kind" | "location"> {
  const kinds = new Set(places.map(({ store }) => store.kind));
  const locations = new Set(places.map(({ store }) => store.location));
  // No upstream keeps anything.
  if (kinds.size === 0) return { kind: "off", location: "" };
  return { kind: [...kinds].join(", "), location: [...locations].join(", ") };
}

/** What is kept, for whom, and a part of the list. */
export async function archiveReport(
  archives: Archives,
  { tenantKey, after }: ArchivePage,
  traffic: NamingCalls,
): Promise<ArchiveReport> {
  const listing = await archives.listing();
  const { entries } = listing;
  const asked = entries.filter((entry) => (tenantKey ?? entry.tenantKey) === entry.tenantKey);
  const start = startOf(asked, after);
  const callers = traffic.upstreamsByTenant();
  const known = { seqs: traffic.seqsByArchive(), sessions: archives.sessionKeys(callers.keys()) };
  const shown = asked.slice(start, start + MAX_ITEMS);
  return {
    ...placesOf(listing),
    entries: entries.length,
    wasEmptied: entries.length === 0 && (archives.hasListed || known.seqs.size > 0),
    bytes: sum(entries, "bytes"),
    storedBytes: sum(entries, "storedBytes"),
    tenants: tenantsOf(entries, archives.labels(callers)),
    items: shown.map((entry) => toItem(entry, known)),
    hasMore: asked.length > start + shown.length,
  };
}
