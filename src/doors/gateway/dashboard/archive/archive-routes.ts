import * as z from "zod/mini";
import { object } from "../../../../core/options/option-kinds.ts";
import { type ApiRoute, type WatchedGateway, ApiProblem } from "../dashboard-parts.ts";
import { explained, hashField, readPostBody, tenantKeyField, textUpTo } from "../serve/api-answer.ts";
import type {
  Verified,
  ArchiveHit,
  ArchiveHits,
  ArchiveItem,
  ArchiveReport,
  ArchiveTenant,
} from "../protocol/places.ts";
import { Archives, type PlacedEntry, type ArchiveListing, askFound, retrieveEntry } from "./archives.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { decodeTables } from "../../../../core/json/table/decode-tables.ts";
import { hasTables, isJsonType, isTextType } from "../../../../engine/retrieve/read-entry.ts";
import { ArchiveError } from "../../../../engine/archive/archive-store.ts";
import { turn } from "../body.ts";
import { type SearchedText, type Wanted, findPlaces, wantedIn } from "./find-words.ts";
import type { Traffic } from "../traffic/traffic.ts";

const MAX_WORDS_CHARS = 200;
const MAX_SELECT_CHARS = 10_000;

/** A question that a page may ask. */
export const selectField = textUpTo(MAX_SELECT_CHARS);

const named = object({ tenantKey: tenantKeyField, hash: hashField });
const asked = object({ tenantKey: tenantKeyField, hash: hashField, select: selectField });
const sought = object({ words: textUpTo(MAX_WORDS_CHARS), tenantKey: z.optional(tenantKeyField) });

/** The archive of all upstreams: what is kept, and what the page can do with it. */
export function archiveRoutes(gateway: WatchedGateway, traffic: NamingCalls): readonly ApiRoute[] {
  const archives = new Archives(gateway);
  return [
    {
      method: "GET",
      path: "/api/archive",
      answer: ({ query }) =>
        explained(() => {
          const page = {
            tenantKey: query.get("tenant") ?? undefined,
            after: query.get("after") ?? undefined,
          };
          return archiveReport(archives, page, traffic);
        }),
    },
    {
      method: "POST",
      path: "/api/archive/verify",
      answer: ({ body }) =>
        explained(async (): Promise<Verified> => {
          const { tenantKey, hash } = readPostBody(named, body);
          const found = await archives.find(tenantKey, hash);
          const { isVerified, bytes, problem } = await retrieveEntry(found, { hasBodies: false });
          return { hash, isVerified, bytes, problem };
        }),
    },
    {
      method: "POST",
      path: "/api/archive/read",
      needs: "bodies",
      answer: ({ body }) =>
        explained(async () => {
          const { tenantKey, hash } = readPostBody(named, body);
          return retrieveEntry(await archives.find(tenantKey, hash), { hasBodies: true });
        }),
    },
    {
      method: "POST",
      path: "/api/archive/search",
      needs: "bodies",
      answer: ({ body, signal }) =>
        explained(() => searchArchive(archives, readPostBody(sought, body), signal)),
    },
    {
      method: "POST",
      path: "/api/archive/ask",
      needs: "bodies",
      answer: ({ body, signal }) =>
        explained(async () => {
          const { tenantKey, hash, select } = readPostBody(asked, body);
          return askFound(await archives.find(tenantKey, hash), select, signal);
        }),
    },
  ];
}

// Searches everything that is kept, the newest first, within limits, because calls continue meanwhile.

const MAX_SEARCH_MS = 5_000;
const MAX_ENTRIES = 500;
/** Searching a larger entry would delay calls. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
const MAX_HITS = 100;
const MAX_HITS_OF_ENTRY = 3;

interface ArchiveSearch {
  readonly words: string;
  readonly tenantKey?: string | undefined;
}

function textOf(bytes: Uint8Array, contentType: string): SearchedText {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!isJsonType(contentType)) return { text, isJson: false };
  try {
    // A single text that was kept as JSON has lines, and no pointers into it.
    if (text.startsWith('"')) return { text: String(JSON.parse(text)), isJson: false };
    if (!hasTables(contentType)) return { text, isJson: true };
    // Pointers refer to the lists, not to the tables that represent them.
    return { text: JSON.stringify(decodeTables(JSON.parse(text) as JsonValue)), isJson: true };
  } catch {
    return { text, isJson: false };
  }
}

/** The hits in one entry; undefined if it could not be searched. */
async function searchEntry(
  { place, hash, tenantKey, bytes, contentType }: PlacedEntry,
  tenant: string,
  { inJson, inText }: { readonly inJson: Wanted; readonly inText: Wanted },
): Promise<readonly ArchiveHit[] | undefined> {
  if (bytes > MAX_ENTRY_BYTES) return undefined;
  try {
    const read = await place.store.get(tenant, hash);
    // The entry has expired since it was listed.
    if (read === undefined) return [];
    const searched = textOf(read.bytes, contentType);
    const wanted = searched.isJson ? inJson : inText;
    const places = findPlaces(searched, wanted, place.state.mask, MAX_HITS_OF_ENTRY);
    return places.map((found) => ({ hash, tenantKey, ...found }));
  } catch (error) {
    // A damaged entry is left out of the search; an unavailable store ends the search.
    if (ArchiveError.isInstance(error) && error.code === "CORRUPT") return undefined;
    throw error;
  }
}

async function searchArchive(
  archives: Archives,
  { words, tenantKey }: ArchiveSearch,
  signal: AbortSignal,
): Promise<ArchiveHits> {
  const wanted = { inJson: wantedIn(words, true), inText: wantedIn(words, false) };
  const { entries } = await archives.listing();
  const texts = entries.filter(
    (entry) => isTextType(entry.contentType) && (tenantKey ?? entry.tenantKey) === entry.tenantKey,
  );
  const endMs = performance.now() + MAX_SEARCH_MS;
  const hits: ArchiveHit[] = [];
  let searched = 0;
  let isComplete = texts.length <= MAX_ENTRIES;
  for (const entry of texts.slice(0, MAX_ENTRIES)) {
    if (signal.aborted || performance.now() > endMs || hits.length >= MAX_HITS) {
      isComplete = false;
      break;
    }
    const found = await searchEntry(entry, archives.tenantNamed(entry.tenantKey), wanted);
    if (found === undefined) isComplete = false;
    else {
      searched += 1;
      hits.push(...found);
    }
    await turn();
  }
  return { hits: hits.slice(0, MAX_HITS), searched, isComplete: isComplete && hits.length <= MAX_HITS };
}

const MAX_ITEMS = 200;

interface ArchivePage {
  readonly tenantKey?: string | undefined;
  /** The last item on the page: its tenant's key, a slash, its hash. */
  readonly after?: string | undefined;
}

/** The most calls that are returned for one entry. */
const MAX_SEQS = 20;

/** Knows which calls name an entry, and who made them. */
type NamingCalls = Pick<Traffic, "seqsByArchive" | "upstreamsByTenant">;

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
  // The entries are sorted, so the tenant with the newest entry comes first.
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

/** Facts about entries that their stores do not know. */
interface Known {
  /** The key is the tenant's key, a slash, the hash. */
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

function placesOf({ places }: ArchiveListing): Pick<ArchiveReport, "kind" | "location"> {
  const kinds = new Set(places.map(({ store }) => store.kind));
  const locations = new Set(places.map(({ store }) => store.location));
  // No upstream archives anything.
  if (kinds.size === 0) return { kind: "off", location: "" };
  return { kind: [...kinds].join(", "), location: [...locations].join(", ") };
}

/** What is kept, for which tenants, and a part of the list. */
async function archiveReport(
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
