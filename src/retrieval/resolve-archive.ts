import { isHash } from "../stores/store-rules.ts";
import type { ArchiveEntry } from "../stores/archive-store.ts";
import { ambiguousArchive, archiveNotFound, askStore, hashNeeded } from "./archive-faults.ts";
import { parseArchiveReference } from "./archive-reference.ts";
import type { EntrySource } from "./read-entry.ts";
import { refuseArgument } from "./retrieve-request.ts";

/** The one entry of a tenant that a reference names; a miss and an ambiguous handle are faults. */
export async function resolveArchive(
  { store, tenant, needsHash = false }: EntrySource,
  reference: string,
): Promise<ArchiveEntry> {
  const prefix = parseArchiveReference(reference);
  if (prefix === undefined) {
    const says = "archive is no handle: give 8 to 64 hex digits, such as 3f2a9c01b7de.";
    throw refuseArgument("archive", "8 to 64 hex digits", says);
  }
  if (needsHash && !isHash(prefix)) throw hashNeeded();
  const [entry, ...others] = await askStore(() => store.find(tenant, prefix));
  if (entry === undefined) throw archiveNotFound(reference);
  if (others.length === 0) return entry;
  throw ambiguousArchive(`Several archives begin with ${prefix}.`, [entry, ...others]);
}
