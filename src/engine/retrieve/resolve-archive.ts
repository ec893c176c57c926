import { parseArchiveReference } from "../../core/contract/wire-names.ts";
import { faults } from "../../core/contract/faults.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type ArchiveEntry, ArchiveError } from "../archive/archive-store.ts";
import { isHash } from "../archive/store-rules.ts";
import type { EntrySource } from "./read-entry.ts";
import { refuseArgument } from "./argument-forms.ts";

const MAX_CANDIDATES = 10;

export function archiveNotFound(reference: string): ToolFault {
  return faults.notFound("archive", reference.slice(0, 100), {
    remediation: "It has expired or was never stored. Call the tool that made the result again.",
  });
}

/** The same whether or not the entry exists: the answer to a handle must tell a stranger nothing. */
export function hashNeeded(): ToolFault {
  return faults.validation("Without sign-in an archive opens by its full hash only.", {
    remediation: "Set `archive` to the value in content_archive_hashes: sha256: and 64 hex digits.",
    details: { field: "archive", constraint: "full sha256 for callers without sign-in" },
  });
}

/** For a connection that was told of no archive, so that there is nothing to read. */
export function archiveNeeded(): ToolFault {
  return faults.validation("Say which archive: nothing was left out on this connection so far.", {
    remediation: "Set `archive` to a value of content_archive_hashes in the result that was cut.",
    details: { field: "archive", constraint: "required" },
  });
}

export function ambiguousArchive(says: string, entries: readonly ArchiveEntry[]): ToolFault {
  return faults.validation(says, {
    remediation: "Call again with `archive` set to one of the candidates.",
    details: {
      field: "archive",
      constraint: "unambiguous",
      candidates: entries.slice(0, MAX_CANDIDATES).map(({ hash }) => `sha256:${hash}`),
    },
  });
}

/** What the model learns when a store fails; the store's own error is the cause, for the log. */
function storeFault(error: unknown): ToolFault {
  if (ToolFault.isInstance(error)) return error;
  if (ArchiveError.isInstance(error) && error.code === "CORRUPT") {
    return faults.internal("The stored copy is damaged and was not served.", {
      remediation: "Call the tool that made the result again: that stores a new copy.",
      details: { resource_type: "archive", reason: "corrupt" },
      cause: error,
    });
  }
  if (ArchiveError.isInstance(error)) {
    return faults.unavailable("The archive cannot be read right now.", { cause: error });
  }
  return faults.internal("The archive could not be read.", { cause: error });
}

/** Runs one request to a store; anything it throws becomes a fault. */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw storeFault(error);
  }
}

/** An entry and its tenant. */
export interface OwnedEntry {
  readonly entry: ArchiveEntry;
  readonly tenant: string;
}

/** The entries with this beginning: the tenant's own, else those of other tenants that it may open, each once. */
async function entriesOf({ store, tenant, others }: EntrySource, prefix: string): Promise<OwnedEntry[]> {
  const own = await askStore(() => store.find(tenant, prefix));
  if (own.length > 0 || others === undefined) return own.map((entry) => ({ entry, tenant }));
  const found = new Map<string, OwnedEntry>();
  for (const other of await others())
    for (const entry of await askStore(() => store.find(other, prefix)))
      found.set(entry.hash, { entry, tenant: other });
  return [...found.values()];
}

/** The one entry that a reference names for a tenant; a miss and an ambiguous handle are faults. */
export async function resolveArchive(source: EntrySource, reference: string): Promise<OwnedEntry> {
  const { needsHash = false } = source;
  const prefix = parseArchiveReference(reference);
  if (prefix === undefined) {
    const says = "archive is not a handle: give 8 to 64 hex digits, such as 3f2a9c01b7de.";
    throw refuseArgument("archive", "8 to 64 hex digits", says);
  }
  if (needsHash && !isHash(prefix)) throw hashNeeded();
  const found = await entriesOf(source, prefix);
  const [owned, ...more] = found;
  if (owned === undefined) throw archiveNotFound(reference);
  if (more.length === 0) return owned;
  throw ambiguousArchive(
    `Several archives begin with ${prefix}.`,
    found.map(({ entry }) => entry),
  );
}
