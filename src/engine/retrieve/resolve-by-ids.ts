import { faults } from "../../core/contract/faults.ts";
import type { ArchiveEntry, ListedEntry } from "../archive/archive-store.ts";
import { openTexts } from "./inner-json.ts";
import { ambiguousArchive, askStore } from "./resolve-archive.ts";
import { type EntrySource, isTextType, readEntry } from "./read-entry.ts";
import { refuseArgument } from "./argument-forms.ts";
import { type Naming, findOwnInside, isPlace } from "./select-items.ts";

// Each archive may have to be read and parsed, so their number and size are limited.
const MAX_ENTRIES = 50;
const MAX_BYTES = 256 * 1024 * 1024;

/** The one archive that has all of these ids, among the newest 50 of the tenant, or of those in `among`. */
export async function resolveByIds(
  source: EntrySource,
  ids: readonly string[],
  naming: Naming = {},
  among?: ReadonlySet<string>,
): Promise<ArchiveEntry> {
  const own = ids.filter((id) => !isPlace(id));
  if (own.length === 0) {
    const says = "Places fit many archives: say which one with archive.";
    throw refuseArgument("archive", "required when ids are places", says);
  }
  const having: ArchiveEntry[] = [];
  for (const entry of await newestEntries(source, among)) {
    const { value } = await readEntry(source, entry);
    if (findOwnInside(value, openTexts(value), own, naming).size === new Set(own).size) having.push(entry);
  }
  const [entry, ...others] = having;
  if (entry === undefined) throw notAmongNewest(own);
  if (others.length === 0) return entry;
  throw ambiguousArchive(`${having.length} archives have these ids.`, having);
}

async function newestEntries(
  { store, tenant }: EntrySource,
  among: ReadonlySet<string> | undefined,
): Promise<ListedEntry[]> {
  const entries = await askStore(async () => {
    const listed: ListedEntry[] = [];
    for await (const entry of store.list(tenant))
      if (isTextType(entry.contentType) && among?.has(entry.hash) !== false) listed.push(entry);
    return listed;
  });
  const newest = entries.sort((a, b) => b.storedAtMs - a.storedAtMs).slice(0, MAX_ENTRIES);
  let bytes = 0;
  return newest.filter((entry) => (bytes += entry.bytes) <= MAX_BYTES);
}

function notAmongNewest(ids: readonly string[]): Error {
  const shown = ids.slice(0, 10).map((id) => id.slice(0, 100));
  return faults.notFound("item", shown.join(", "), {
    remediation: `Say which archive: without it only the newest ${MAX_ENTRIES} were looked at, up to 256 MiB.`,
  });
}
