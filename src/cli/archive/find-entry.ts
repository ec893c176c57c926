import { ToolFault } from "../../contract/tool-fault.ts";
import { parseArchiveReference } from "../../contract/wire-names.ts";
import { resolveArchive } from "../../retrieval/resolve-archive.ts";
import type { ArchiveEntry, ArchiveStore } from "../../stores/archive-store.ts";
import { nameForKey, tenantKey } from "../../stores/store-rules.ts";
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

const KEY = /^[0-9a-f]{12,32}$/;

/**
 * The tenant that `--tenant` means: a name, or the digits that a listing shows where it does not know the name. A name
 * comes first, should somebody be called like the beginning of a key.
 */
export async function tenantNamed(store: ArchiveStore, given: string): Promise<string> {
  if (!KEY.test(given)) return given;
  const keys = new Set<string>();
  for await (const entry of store.list()) keys.add(entry.tenantKey);
  const meant = [...keys].filter((key) => key.startsWith(given));
  const [key] = meant;
  return key === undefined || meant.length > 1 || keys.has(tenantKey(given)) ? given : nameForKey(key);
}

interface FoundEntry {
  readonly entry: ArchiveEntry;
  /** The tenant that the store is to be asked for. */
  readonly tenant: string;
}

/** The entry a reference names; a miss says whether another tenant has it, and which tenants there are. */
export async function findEntry(store: ArchiveStore, given: string, reference: string): Promise<FoundEntry> {
  const tenant = await tenantNamed(store, given);
  try {
    return { entry: await resolveArchive({ store, tenant }, reference), tenant };
  } catch (error) {
    if (!ToolFault.isInstance(error) || error.code !== "NOT_FOUND") throw error;
    throw await explainMiss(store, { given, key: tenantKey(tenant) }, reference);
  }
}

const MAX_TENANTS = 10;

interface AskedTenant {
  readonly given: string;
  readonly key: string;
}

async function explainMiss(
  store: ArchiveStore,
  { given, key: asked }: AskedTenant,
  reference: string,
): Promise<CliError> {
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
      : `${said} is kept for another tenant, ${showTenant(owner, given)}, not for ${printable(given)}.`;
  return new CliError(message, {
    exitCode: exitCodes.violated,
    errorCode: "NOT_FOUND",
    lines: tenants.map(([key, amount]) => {
      return `tenant ${showTenant(key, given)}: ${count(amount, "entry", "entries")}`;
    }),
    remediation:
      entries.size === 0 ? "The store is empty: check --store." : adviceFor(owner, entries.has(asked), given),
    details: { reference, tenant: given, tenant_keys: [...entries.keys()].slice(0, MAX_TENANTS) },
  });
}

function adviceFor(owner: string | undefined, hasEntries: boolean, given: string): string {
  const named =
    "--tenant, by the digits shown here or by its name: local:<server name> on stdio, sub:<subject> for a caller over HTTP.";
  if (owner !== undefined) return `Name that tenant with ${named}`;
  if (!hasEntries) return `Nothing is kept for ${printable(given)}. Name another with ${named}`;
  return "`waybill archive ls` lists what is there.";
}
