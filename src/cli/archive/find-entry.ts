import { ToolFault } from "../../contract/tool-fault.ts";
import { parseArchiveReference } from "../../contract/wire-names.ts";
import { resolveArchive } from "../../retrieval/resolve-archive.ts";
import type { ArchiveEntry, ArchiveStore } from "../../stores/archive-store.ts";
import { tenantKey } from "../../stores/store-rules.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import { count, printable } from "../output/format-values.ts";

/** The tenant of a server on stdio that has no name of its own. */
const DEFAULT_TENANT = "local:waybill";

const SHOWN_DIGITS = 12;

/** A tenant's name where it is one we know; a store knows tenants by a hash only. */
export function knownTenant(key: string, given: string | undefined): string | undefined {
  return [given, DEFAULT_TENANT].find((name) => name !== undefined && tenantKey(name) === key);
}

/** For people: the name, or the beginning of the key. */
export function showTenant(key: string, given: string | undefined): string {
  return knownTenant(key, given) ?? key.slice(0, SHOWN_DIGITS);
}

/** The entry a reference names; a miss says whether another tenant has it, and which tenants there are. */
export async function findEntry(
  store: ArchiveStore,
  tenant: string,
  reference: string,
): Promise<ArchiveEntry> {
  try {
    return await resolveArchive({ store, tenant }, reference);
  } catch (error) {
    if (!ToolFault.isInstance(error) || error.code !== "NOT_FOUND") throw error;
    throw await explainMiss(store, tenant, reference);
  }
}

const MAX_TENANTS = 10;

async function explainMiss(store: ArchiveStore, tenant: string, reference: string): Promise<CliError> {
  const prefix = parseArchiveReference(reference) ?? "";
  const entries = new Map<string, number>();
  const owners = new Set<string>();
  for await (const entry of store.list()) {
    entries.set(entry.tenantKey, (entries.get(entry.tenantKey) ?? 0) + 1);
    if (entry.hash.startsWith(prefix)) owners.add(entry.tenantKey);
  }
  const tenants = [...entries].sort((a, b) => b[1] - a[1]).slice(0, MAX_TENANTS);
  const said = printable(reference);
  const [owner] = owners;
  const message =
    owner === undefined
      ? `${said} is not in the archive: it has expired, or was never kept there.`
      : `${said} is kept for another tenant, ${showTenant(owner, tenant)}, not for ${printable(tenant)}.`;
  return new CliError(message, {
    exitCode: exitCodes.violated,
    errorCode: "NOT_FOUND",
    lines: tenants.map(([key, amount]) => {
      return `tenant ${showTenant(key, tenant)}: ${count(amount, "entry", "entries")}`;
    }),
    remediation:
      entries.size === 0 ? "The store is empty: check --store." : adviceFor(owner, entries, tenant),
    details: { reference, tenant, tenant_keys: [...entries.keys()].slice(0, MAX_TENANTS) },
  });
}

function adviceFor(owner: string | undefined, entries: ReadonlyMap<string, number>, tenant: string): string {
  const named =
    "--tenant <name>: a server on stdio uses local:<its name>, others the caller's sub:<subject>.";
  if (owner !== undefined) return `Name that tenant with ${named}`;
  if (!entries.has(tenantKey(tenant)))
    return `Nothing is kept for ${printable(tenant)}. Name another with ${named}`;
  return "`waybill archive ls` lists what is there.";
}
