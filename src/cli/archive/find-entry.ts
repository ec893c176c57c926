import { ToolFault } from "../../core/contract/tool-fault.ts";
import { parseArchiveReference } from "../../core/contract/wire-names.ts";
import { resolveArchive } from "../../engine/retrieve/resolve-archive.ts";
import type { ArchiveEntry, ArchiveStore, ListedEntry } from "../../engine/archive/archive-store.ts";
import { nameForKey, tenantKey } from "../../engine/archive/store-rules.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { countOf, printable } from "../output/format-values.ts";
import { loadConfig } from "../../engine/settings/load-config.ts";
import { readGatewayConfig } from "../../doors/gateway/config/read-gateway-config.ts";
import { localTenant } from "../../doors/gateway/upstream-contract.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { isTextType, readEntryBytes, readEntry } from "../../engine/retrieve/read-entry.ts";
import { eachItem } from "../../engine/retrieve/item-list.ts";
import { nothingAt, selectPointer } from "../../engine/retrieve/select-pointer.ts";

const KEY = /^[0-9a-f]{12,32}$/;

/**
 * The tenant that `--tenant` means: a name, or the digits that a listing shows if it does not know the name. A name is
 * tried first, in case it looks like the beginning of a key.
 */
export async function tenantNamed(store: ArchiveStore, given: string, names: TenantNames): Promise<string> {
  const ours = names.find(given);
  if (ours !== undefined) return ours;
  if (!KEY.test(given)) return given;
  const keys = new Set<string>();
  for await (const entry of store.list()) keys.add(entry.tenantKey);
  const meant = [...keys].filter((key) => key.startsWith(given));
  const [key] = meant;
  return key === undefined || meant.length > 1 || keys.has(tenantKey(given)) ? given : nameForKey(key);
}

interface FoundEntry {
  readonly entry: ArchiveEntry;
  /** The tenant to ask the store for. */
  readonly tenant: string;
  /** Lines for stderr: the owner of the entry, if no tenant was named. */
  readonly remarks: readonly string[];
}

/** The entry that a reference names, of the given tenant or of any; if it is missing, the error lists the tenants. */
export async function findEntry(
  store: ArchiveStore,
  given: string | undefined,
  reference: string,
  names: TenantNames,
): Promise<FoundEntry> {
  if (parseArchiveReference(reference) === undefined)
    throw new CliError(`${printable(reference)} does not name an entry.`, {
      remediation:
        "Give 8 digits of its hash or more, such as 3f2a9c01b7de, a key of content_archive_hashes, or a waybill:// URI. `waybill archive ls` lists what is kept.",
    });
  const tenant = given === undefined ? undefined : await tenantNamed(store, given, names);
  const owner = tenant === undefined ? await ownerOf(store, reference) : undefined;
  const asked = tenant ?? owner ?? names.usual;
  try {
    const { entry } = await resolveArchive({ store, tenant: asked }, reference);
    const key = tenantKey(asked);
    const isSaid = given !== undefined || key === tenantKey(names.usual);
    return {
      entry,
      tenant: asked,
      remarks: isSaid ? [] : [`waybill: kept for tenant ${showTenant(key, names)}`],
    };
  } catch (error) {
    if (!ToolFault.isInstance(error) || error.code !== "NOT_FOUND") throw error;
    throw await explainMiss(store, { given, key: tenantKey(asked), names }, reference);
  }
}

/** The tenant of the one entry a reference can mean; undefined if no entry fits, or the reference cannot be parsed. */
async function ownerOf(store: ArchiveStore, reference: string): Promise<string | undefined> {
  const prefix = parseArchiveReference(reference);
  if (prefix === undefined) return undefined;
  const found = new Map<string, ListedEntry>();
  for await (const entry of store.list()) if (entry.hash.startsWith(prefix)) found.set(entry.hash, entry);
  const [first, ...others] = found.values();
  if (others.length > 0)
    throw new CliError(`${printable(reference)} can mean ${found.size} entries.`, {
      errorCode: "CONFLICT",
      lines: [...found.keys()].slice(0, MAX_TENANTS),
      remediation: "Give more digits of the hash, or --tenant.",
    });
  return first === undefined ? undefined : nameForKey(first.tenantKey);
}

const MAX_TENANTS = 10;

interface AskedTenant {
  readonly given: string | undefined;
  readonly key: string;
  readonly names: TenantNames;
}

async function explainMiss(
  store: ArchiveStore,
  { given, key: asked, names }: AskedTenant,
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
    owner === undefined || given === undefined
      ? `${said} is not in the archive: it has expired, or was never kept there.`
      : `${said} is kept for another tenant, ${showTenant(owner, names, given)}, not for ${printable(given)}.`;
  return new CliError(message, {
    exitCode: exitCodes.violated,
    errorCode: "NOT_FOUND",
    lines: tenants.map(([key, amount]) => {
      return `tenant ${showTenant(key, names, given)}: ${countOf(amount, "entry", "entries")}`;
    }),
    remediation:
      entries.size === 0
        ? `Nothing is kept in ${printable(store.location)}: check --store.`
        : adviceFor(owner, entries.has(asked), given),
    details: {
      reference,
      tenant: given ?? null,
      tenant_keys: [...entries.keys()].slice(0, MAX_TENANTS),
    },
  });
}

function adviceFor(owner: string | undefined, hasEntries: boolean, given: string | undefined): string {
  const named =
    "--tenant, by the digits shown here or by its name: local:<server name> on stdio, sub:<subject> for a caller over HTTP.";
  if (given !== undefined && owner !== undefined) return `Name that tenant with ${named}`;
  if (given !== undefined && !hasEntries)
    return `Nothing is kept for ${printable(given)}. Name another with ${named}`;
  return "`waybill archive ls` lists what is there.";
}

/** The tenant of a server on stdio without a name. */
const USUAL_TENANT = "local:waybill";
const SHOWN_DIGITS = 12;

/** What is known about tenants besides their keys: a store knows only a hash of each. */
export interface TenantNames {
  /** The tenant that is tried first. */
  readonly usual: string;
  /** Names for people, by key: the gateway's servers on stdio, as named in the configuration. */
  readonly byKey: ReadonlyMap<string, string>;
  /** The tenant that a name for people refers to. */
  readonly find: (name: string) => string | undefined;
}

function makeNames(servers: readonly (readonly [name: string, tenant: string])[]): TenantNames {
  const byName = new Map(servers);
  return {
    usual: USUAL_TENANT,
    byKey: new Map([
      [tenantKey(USUAL_TENANT), USUAL_TENANT],
      ...servers.map(([name, tenant]) => [tenantKey(tenant), name] as const),
    ]),
    find: (name) => byName.get(name),
  };
}

/** The names of the gateway's servers in the configuration. An invalid file gives no names: it is not checked here. */
export async function readTenantNames(configPath: string | undefined, io: CliIo): Promise<TenantNames> {
  try {
    const loaded = await loadConfig({
      configPath,
      namedBy: "--config",
      cwd: io.cwd,
      home: io.env["HOME"],
      environment: io.env,
    });
    const { upstreams } = readGatewayConfig(loaded, io.env);
    return makeNames(Object.entries(upstreams).map(([name, upstream]) => [name, localTenant(upstream)]));
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    return makeNames([]);
  }
}

/** A tenant's name, if it is known. */
export function knownTenant(key: string, { byKey }: TenantNames, given?: string): string | undefined {
  return given !== undefined && tenantKey(given) === key ? given : byKey.get(key);
}

/** For people: the name, or the beginning of the key. */
export function showTenant(key: string, names: TenantNames, given?: string): string {
  return knownTenant(key, names, given) ?? key.slice(0, SHOWN_DIGITS);
}

export interface ByteRange {
  readonly start: number;
  /** Exclusive; undefined means to the end. */
  readonly end: number | undefined;
}

/** The requested part of an entry: all of it, a range of bytes, or the value at a pointer. */
interface Selector {
  readonly range?: ByteRange | undefined;
  readonly pointer?: string | undefined;
}

export interface Selected {
  readonly bytes: Uint8Array;
  readonly isText: boolean;
  readonly from?: number;
  readonly to?: number;
}

interface Source {
  readonly store: ArchiveStore;
  readonly tenant: string;
}

/** The whole entry is always read and its hash checked: a part alone cannot be checked. */
export async function readSelection(
  source: Source,
  entry: ArchiveEntry,
  selector: Selector,
): Promise<Selected> {
  const isText = isTextType(entry.contentType);
  if (selector.pointer !== undefined) return readPointer(source, entry, selector.pointer);
  const bytes = await readEntryBytes(source, entry);
  const { range } = selector;
  if (range === undefined) return { bytes, isText };
  const { start, end = entry.bytes } = range;
  if (start > entry.bytes || start > end) {
    throw new CliError(`The range starts after its end: the entry has ${entry.bytes} bytes.`, {
      remediation: "Give --range S-E with S <= E; byte E itself is left out.",
      details: { bytes: entry.bytes },
    });
  }
  const to = Math.min(end, entry.bytes);
  return { bytes: bytes.subarray(start, to), isText, from: start, to };
}

/** A value as JSON; a range of items has one item on each line. */
async function readPointer(source: Source, entry: ArchiveEntry, pointer: string): Promise<Selected> {
  if (!isTextType(entry.contentType)) throw noItemsError(entry);
  const { value } = await readEntry(source, entry);
  const found = selectPointer(value, pointer);
  if (found === undefined) throw nothingAt([pointer]);
  const lines = Array.from(eachItem(found), (item) => JSON.stringify(item.value));
  return { bytes: Buffer.from(lines.join("\n")), isText: true };
}

export function noItemsError({ contentType }: ArchiveEntry): CliError {
  return new CliError(`The entry is ${contentType}: it holds bytes, no items.`, {
    remediation: "`waybill archive get` writes it to a file with --out.",
  });
}
