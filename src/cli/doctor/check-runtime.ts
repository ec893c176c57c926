import type { JsonObject } from "../../core/json/json-value.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import {
  type ReaderKind,
  packagesFor,
  readerKinds,
  readerPackages,
} from "../../engine/digest/sources/reader-packages.ts";
import { installedVersion } from "../../engine/digest/sources/installed-readers.ts";
import { howToInstall } from "../output/how-to-install.ts";
import { type CliIo, CliError, readPackage } from "../cli-io.ts";
import { randomBytes } from "node:crypto";
import { ContractError } from "../../core/contract/contract-error.ts";
import { ArchiveError, type ArchiveStore } from "../../engine/archive/archive-store.ts";
import { DEFAULT_MAX_BYTES } from "../../engine/archive/file/file-store-options.ts";
import type { OpenStoreOptions } from "../../engine/archive/open-store.ts";
import { exposedPlace, remoteKindOf } from "../../engine/archive/remote-address.ts";
import { storePackages } from "../../engine/archive/store-package.ts";
import type { RedisStore } from "../../engine/archive/redis/redis-store.ts";
import { isMemory, openNamedStore } from "../archive/named-store.ts";
import { countOf, formatBytes } from "../output/format-values.ts";

export const checkStatuses = ["ok", "note", "problem"] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** One line of `waybill doctor`. */
export interface Check {
  /** Does not depend on the result, for scripts. */
  readonly id: string;
  readonly status: CheckStatus;
  readonly says: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
  readonly details?: JsonObject;
}

/** Compares this Node with the oldest version that the package supports. */
export function checkNode(version: string = process.versions.node): Check {
  const wanted = readPackage().engines.node;
  const isEnough = isAtLeast(version, wanted.replace(/^>=\s*/, ""));
  return {
    id: "node",
    status: isEnough ? "ok" : "problem",
    says: `Node ${version}, wanted ${wanted}`,
    advice: isEnough ? undefined : "Install a newer Node: https://nodejs.org.",
    details: { version, wanted },
  };
}

function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split(".").map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (own?.[place] ?? 0) - (other?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

const uses: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server": "contract.server() wraps its McpServer",
  "@redis/client": "a redis:// store speaks through it",
  pg: "a postgres:// store speaks through it",
  zod: "every command reads with it",
};

/** The packages beside this one: which are installed, and whether their version is known to work. */
export function checkPackages(
  store: string | undefined,
  versionOf: (name: string) => string | undefined = installedVersion,
): readonly Check[] {
  const kind = store === undefined ? undefined : remoteKindOf(store);
  const ofStores: readonly string[] = Object.values(storePackages);
  const isAsked = (name: string): boolean =>
    !ofStores.includes(name) || (kind !== undefined && storePackages[kind] === name);
  return Object.entries(readPackage().peerDependencies)
    .filter(([name]) => Object.hasOwn(uses, name) && isAsked(name))
    .map(([name, wanted]) =>
      checkPackage(name, wanted, versionOf(name), name !== "@modelcontextprotocol/server"),
    );
}

function checkPackage(name: string, wanted: string, version: string | undefined, isNeeded: boolean): Check {
  const id = `package ${name}`;
  const advice = `Run \`npm i ${name}@${wanted}\`.`;
  const details = { wanted, version: version ?? null };
  if (version === undefined) {
    const says = `not installed; ${uses[name] ?? "it is a peer"}`;
    return { id, status: isNeeded ? "problem" : "note", says, advice, details };
  }
  const says = `${version}, wanted ${wanted}`;
  if (isInCaret(version, wanted)) return { id, status: "ok", says, details };
  return { id, status: "problem", says, advice, details };
}

/** Caret ranges from major 1 up; package.json uses no others. */
function isInCaret(version: string, wanted: string): boolean {
  const least = wanted.replace(/^\^/, "");
  return version.split(".")[0] === least.split(".")[0] && isAtLeast(version.replace(/-.*$/, ""), least);
}

/** Which documents can be digested here. That of HTML also reads pages before they are cut. */
export function checkReaders(
  versionOf: (name: string) => string | undefined = installedVersion,
): readonly Check[] {
  return readerKinds.map((kind) => checkReader(kind, versionOf));
}

function checkReader(kind: ReaderKind, versionOf: (name: string) => string | undefined): Check {
  const found = Object.keys(readerPackages[kind]).map((name) => [name, versionOf(name)] as const);
  const missing = found.filter(([, version]) => version === undefined).map(([name]) => name);
  const id = `reader ${kind}`;
  const details = Object.fromEntries(found.map(([name, version]) => [name, version ?? null]));
  if (missing.length === 0) {
    return {
      id,
      status: "ok",
      says: found.map(([name, version]) => `${name} ${version}`).join(", "),
      details,
    };
  }
  return {
    id,
    status: "note",
    says: `not installed: ${missing.join(", ")}; ${lacks[kind]}`,
    advice: howToInstall(packagesFor(kind), "digest <source>"),
    details,
  };
}

const undigested = "such documents cannot be digested";
const lacks: Readonly<Record<ReaderKind, string>> = {
  html: `${undigested}, and a cut of a web page keeps less of what it says`,
  markdown: undigested,
  pdf: undigested,
};

/** Whether pictures that are too large can be scaled. */
export function checkScaling(versionOf: (name: string) => string | undefined = installedVersion): Check {
  const version = versionOf("sharp");
  const known = { id: "reader pictures", details: { sharp: version ?? null } };
  if (version !== undefined) return { ...known, status: "ok", says: `sharp ${version}` };
  const says = "not installed: sharp; pictures that are too large for a model are sent as links";
  const wanted = readPackage().peerDependencies["sharp"]?.replace(/^\^/, "");
  const advice = howToInstall([`sharp@${wanted}`], "gateway -- <command>");
  return { ...known, status: "note", says, advice };
}

/** 4 tokens in tiktoken. */
const KNOWN_TEXT = "Grüße 😀";
const KNOWN_TOKENS = 4;

/** Whether the vocabulary is present and counts a known text correctly. */
export async function checkCounter(load: typeof loadCounter = loadCounter): Promise<Check> {
  const id = "tokens";
  const advice = "The installation is incomplete: install waybill again.";
  const startMs = performance.now();
  try {
    const counter = await load();
    const tokens = counter.count(KNOWN_TEXT);
    const loadMs = Math.round(performance.now() - startMs);
    const details = { encoding: counter.encoding, load_ms: loadMs };
    if (tokens === KNOWN_TOKENS) {
      return {
        id,
        status: "ok",
        says: `${counter.encoding}, loaded in ${loadMs} ms, counts a known text right`,
        details,
      };
    }
    const says = `${counter.encoding} counts ${tokens} tokens in a text of ${KNOWN_TOKENS}`;
    return { id, status: "problem", says, advice, details };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return { id, status: "problem", says: `the vocabulary cannot be loaded (${code})`, advice };
  }
}

/** What Redis reports about itself: whether entries survive a restart, and what happens when its memory is full. */
async function describeRedis({ connection }: RedisStore): Promise<readonly Check[]> {
  let info: ReadonlyMap<string, string>;
  try {
    const [memory, persistence] = [
      await connection.send("INFO", "memory"),
      await connection.send("INFO", "persistence"),
    ];
    info = parseInfo(`${String(memory)}\n${String(persistence)}`);
  } catch {
    const says = "Redis does not tell how it is set up: this user may not run INFO";
    return [{ id: "store-durability", status: "note", says }];
  }
  return [durabilityOf(info), memoryOf(info)];
}

function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.includes(":"));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}

function durabilityOf(info: ReadonlyMap<string, string>): Check {
  const id = "store-durability";
  if (info.get("aof_enabled") === "1") {
    return { id, status: "ok", says: "entries survive a restart of Redis (appendonly)" };
  }
  return {
    id,
    status: "note",
    says: "a restart of Redis may lose entries and the cursor key: appendonly is off",
    advice: "Set `appendonly yes` in redis.conf if hashes must outlive Redis.",
  };
}

function memoryOf(info: ReadonlyMap<string, string>): Check {
  const policy = info.get("maxmemory_policy") ?? "unknown";
  const limit = Number(info.get("maxmemory") ?? 0);
  const used = Number(info.get("used_memory") ?? 0);
  const room =
    limit > 0 ? `${formatBytes(used)} of ${formatBytes(limit)}` : `${formatBytes(used)}, no maxmemory`;
  const check = { id: "store-memory", says: `Redis uses ${room}, policy ${policy}` };
  if (limit === 0) {
    const advice = "Set maxmemory, or maxBytes on the store, so that the archive cannot fill the machine.";
    return { ...check, status: "note", advice };
  }
  if (!policy.startsWith("allkeys")) return { ...check, status: "ok" };
  const advice = "Choose volatile-lru, volatile-ttl or noeviction: allkeys policies may drop the cursor key.";
  return { ...check, status: "note", advice };
}

/** Above this share of the quota the oldest entries will soon be removed. */
const NEARLY_FULL = 0.9;

/** How durable a store is, and how much of its room is used. */
async function describeSize(
  spec: string,
  store: ArchiveStore,
  { maxBytes }: OpenStoreOptions,
): Promise<readonly Check[]> {
  const tenants = new Set<string>();
  let [entries, storedBytes] = [0, 0];
  for await (const entry of store.list()) {
    tenants.add(entry.tenantKey);
    entries++;
    storedBytes += entry.storedBytes;
  }
  const owners = entries === 0 ? "" : ` of ${countOf(tenants.size, "tenant")}`;
  const kept = `${countOf(entries, "entry", "entries")}${owners}, ${formatBytes(storedBytes)}`;
  const details = { entries, tenants: tenants.size, stored_bytes: storedBytes };
  const size: Check = { id: "store-size", status: "ok", says: kept, details };
  if (isRedis(store)) return [size, ...(await describeRedis(store))];
  if (store.kind === "postgres") {
    const { describePostgres } = await import("./describe-postgres.ts");
    return [size, await describePostgres(spec)];
  }
  return [sizeOfFiles(kept, storedBytes, { details, maxBytes }), durabilityOfFiles];
}

function isRedis(store: ArchiveStore): store is RedisStore {
  return store.kind === "redis" && "connection" in store;
}

function sizeOfFiles(
  kept: string,
  storedBytes: number,
  { details, maxBytes }: { readonly details: JsonObject; readonly maxBytes: number | undefined },
): Check {
  const quota = maxBytes ?? DEFAULT_MAX_BYTES;
  const says = `${kept} of ${formatBytes(quota)}, the ${maxBytes === undefined ? "default " : ""}quota`;
  const known = {
    id: "store-size",
    says,
    details: { ...details, quota_bytes: quota },
  };
  if (storedBytes <= quota * NEARLY_FULL) return { ...known, status: "ok" };
  const advice = "The least recently used entries go first: raise maxBytes, or let entries expire sooner.";
  return { ...known, status: "note", advice };
}

const durabilityOfFiles: Check = {
  id: "store-durability",
  status: "ok",
  says: 'entries survive the end of any process; a power cut too with fileStore(dir, { durability: "fsync" })',
};

const PROBE_TENANT = "waybill:doctor";

/** Whether the store can write, read and delete; how durable it is, and how full. */
export async function checkStore(
  spec: string | undefined,
  io: CliIo,
  limits: OpenStoreOptions = {},
): Promise<readonly Check[]> {
  if (spec === undefined || isMemory(spec)) return [inMemory(spec)];
  try {
    const ttlMs = remoteKindOf(spec) === undefined ? undefined : PROBE_TTL_MS;
    const found = await withOpen(spec, io, probeLimits(spec), (store) => probe(store, ttlMs));
    const size = await withOpen(spec, io, limits, (store) => describeSize(spec, store, limits));
    return [found, ...exposureOf(spec), ...size];
  } catch (error) {
    return [toProblem(error), ...exposureOf(spec)];
  }
}

function exposureOf(spec: string): readonly Check[] {
  const place = exposedPlace(spec);
  if (place === undefined) return [];
  const says = `what is kept, and the password's proof, go unencrypted to ${place}`;
  const advice =
    "Add ?sslmode=verify-full to the address, or ?sslmode=disable if nobody can listen in on the way.";
  return [{ id: "store-encryption", status: "note", says, advice }];
}

function inMemory(spec: string | undefined): Check {
  const named =
    spec === undefined ? "no store is named, so a server of yours keeps cut results in memory" : "in memory";
  return {
    id: "store",
    status: "note",
    says: `${named}: they end with its process`,
    advice:
      "Give serve or createContract a `store`, or set `store` (a directory, or redis://… or postgres://… for several processes) in a file that WAYBILL_CONFIG names. --store tries one here.",
  };
}

const AGES_MS = 36_525 * 86_400_000;

/** A store may be swept after a put, by the limits it was opened with: these remove nothing that a server still needs. */
function probeLimits(spec: string): OpenStoreOptions {
  const isRemote = remoteKindOf(spec) !== undefined;
  return { ttlMs: AGES_MS, ...(isRemote ? {} : { maxBytes: Number.MAX_SAFE_INTEGER }) };
}

/** Behind a network the probe has its own expiry, so that it ends soon if this process cannot remove it. */
const PROBE_TTL_MS = 60_000;

async function withOpen<Result>(
  spec: string,
  io: CliIo,
  limits: OpenStoreOptions,
  use: (store: ArchiveStore) => Promise<Result>,
): Promise<Result> {
  const store = await openNamedStore(spec, io, limits);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function probe(store: ArchiveStore, ttlMs: number | undefined): Promise<Check> {
  const content = `waybill doctor ${randomBytes(16).toString("hex")}`;
  const { entry } = await store.put(PROBE_TENANT, [content], { contentType: "text/plain", ttlMs });
  const read = await store.get(PROBE_TENANT, entry.hash);
  const isForgotten = await store.delete(PROBE_TENANT, entry.hash);
  const isSame = read !== undefined && Buffer.from(read.bytes).toString() === content;
  const says = `${store.kind} at ${store.location}`;
  const details = { kind: store.kind, location: store.location };
  if (isSame && isForgotten) {
    return { id: "store", status: "ok", says: `${says}: writes, reads and deletes`, details };
  }
  const wrong = isSame ? "could not delete a probe" : "did not return a test entry";
  const advice = "Check that nothing else writes or evicts there.";
  return { id: "store", status: "problem", says: `${says} ${wrong}`, advice, details };
}

function toProblem(error: unknown): Check {
  const isKnown =
    ArchiveError.isInstance(error) || ContractError.isInstance(error) || error instanceof CliError;
  if (!isKnown) throw error;
  const advice =
    "Repair it, or name another. Until then results are still cut, and what is cut is lost (ARCHIVE_WRITE_FAILED).";
  return { id: "store", status: "problem", says: error.message, advice };
}
