// What the gateway's upstreams keep, as one archive: upstreams often share a store, and each has its own store in
// memory. A listing reads everything, so one listing serves all requests for two seconds.

import { tenantOf } from "../../../../engine/call/open-call.ts";
import type { ContractState } from "../../../../engine/call/contract-state.ts";
import {
  type ArchiveEntry,
  ArchiveError,
  type ArchiveStore,
  type ListedEntry,
} from "../../../../engine/archive/archive-store.ts";
import { nameForKey, tenantKey } from "../../../../engine/archive/store-rules.ts";
import { type WatchedGateway, ApiProblem } from "../dashboard-parts.ts";
import type { JsonValue } from "../../../../core/json/json-value.ts";
import { askEntry } from "../../../../engine/retrieve/ask-archive.ts";
import { eachItem } from "../../../../engine/retrieve/item-list.ts";
import { isBlockType, isJsonType, isTextType, readEntry } from "../../../../engine/retrieve/read-entry.ts";
import { selectItems } from "../../../../engine/retrieve/select-items.ts";
import { sha256Hex } from "../../../../engine/runtime/sha256-hex.ts";
import { bodyOf, bodyOfBytes } from "../body.ts";
import type { QuestionReply, Body, RetrieveReply } from "../protocol/result.ts";

const LISTING_MS = 2_000;
/** Tenants that are not in a listing are looked up by at most this many names: each name stays in memory. */
const MAX_NAMES = 10_000;
/** Kinds of stores for which one location is one store, however many upstreams opened it. */
const SHARED_KINDS: readonly string[] = ["file", "redis", "postgres"];

/** A store, and one of the contracts that use it. */
export interface ArchivePlace {
  readonly store: ArchiveStore;
  readonly state: ContractState;
}

export interface PlacedEntry extends ListedEntry {
  readonly place: ArchivePlace;
}

/** An entry, and how it is read; undefined if it exists but is too damaged to be described. */
export interface FoundEntry extends ArchivePlace {
  readonly tenant: string;
  readonly hash: string;
  readonly entry: ArchiveEntry | undefined;
}

export interface ArchiveListing {
  readonly places: readonly ArchivePlace[];
  /** Newest first. */
  readonly entries: readonly PlacedEntry[];
  readonly tenantKeys: ReadonlySet<string>;
}

export class Archives {
  readonly #gateway: WatchedGateway;
  /** The names of tenants that are known only by their key. */
  readonly #names = new Map<string, string>();
  /** The keys of tenants that were seen to be sessions: their calls may have been dropped since. */
  readonly #sessions = new Set<string>();
  #hasListed = false;
  #kept: { readonly listing: Promise<ArchiveListing>; readonly atMs: number } | undefined;

  constructor(gateway: WatchedGateway) {
    this.#gateway = gateway;
  }

  /** The names of tenants by their keys, if the gateway knows them: its upstreams on stdio, and recent callers. */
  labels(callers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const labels = new Map<string, string>();
    const add = (tenant: string, label: string): void => {
      const key = tenantKey(tenant);
      const known = labels.get(key);
      // Two upstreams with the same command share one tenant.
      labels.set(key, known === undefined ? label : `${known}, ${label}`);
    };
    for (const { name, state } of this.#gateway.upstreams()) {
      add(tenantOf({ meta: {} }, state.options).tenant, name);
      add(tenantOf({ meta: {}, isHttp: true }, state.options).tenant, `${name}, without sign-in`);
    }
    for (const [tenant, upstream] of callers) {
      const key = tenantKey(tenant);
      if (!labels.has(key)) labels.set(key, labelOf(tenant, upstream));
    }
    return labels;
  }

  /** Whether any listing so far had entries. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** The keys of tenants known to be sessions: those of these callers, and of earlier ones. */
  sessionKeys(callers: Iterable<string>): ReadonlySet<string> {
    for (const tenant of callers)
      if (isOfSession(tenant) && this.#sessions.size < MAX_NAMES) this.#sessions.add(tenantKey(tenant));
    return this.#sessions;
  }

  listing(): Promise<ArchiveListing> {
    const nowMs = performance.now();
    if (this.#kept !== undefined && nowMs - this.#kept.atMs < LISTING_MS) return this.#kept.listing;
    const listing = this.#list();
    this.#kept = { listing, atMs: nowMs };
    // If the store failed, the next request asks it again.
    listing.catch(() => (this.#kept = undefined));
    return listing;
  }

  /** Throws an `ApiProblem` if the entry is not kept, or no longer kept. */
  async find(key: string, hash: string): Promise<FoundEntry> {
    const { places, tenantKeys } = await this.listing();
    // A listing skips damaged entries, and so may miss all entries of a tenant.
    if (tenantKeys.has(key) || this.#names.size < MAX_NAMES) {
      const tenant = this.tenantNamed(key);
      for (const place of places) {
        const found = await findIn(place, tenant, hash);
        if (found !== undefined) return found;
      }
    }
    const mayEndWithGateway = places.some(({ store }) => store.kind === "memory");
    throw notKept({ isOfSession: this.#sessions.has(key) ? true : undefined, mayEndWithGateway });
  }

  /** The name by which stores return what they keep for a tenant of the listing. */
  tenantNamed(key: string): string {
    const name = this.#names.get(key) ?? nameForKey(key);
    this.#names.set(key, name);
    return name;
  }

  async #list(): Promise<ArchiveListing> {
    const places = await this.#places();
    const found = new Map<string, PlacedEntry>();
    for (const place of places)
      for await (const entry of place.store.list()) {
        const name = `${entry.tenantKey}/${entry.hash}`;
        if (!found.has(name)) found.set(name, { ...entry, place });
      }
    const entries = [...found.values()].sort(newestFirst);
    this.#hasListed ||= entries.length > 0;
    return { places, entries, tenantKeys: new Set(entries.map((entry) => entry.tenantKey)) };
  }

  async #places(): Promise<readonly ArchivePlace[]> {
    const states = this.#gateway.upstreams().map(({ state }) => state);
    const keeping = states.filter(({ archive }) => archive.isOn);
    // If upstreams share a store, an upstream that masks secrets decides what is shown.
    keeping.sort((a, b) => Number(b.redactor !== undefined) - Number(a.redactor !== undefined));
    const seen = new Set<string>();
    const places: ArchivePlace[] = [];
    for (const state of keeping) {
      const store = await state.archive.store();
      const name = `${store.kind} ${store.location}`;
      if (SHARED_KINDS.includes(store.kind) && seen.has(name)) continue;
      seen.add(name);
      places.push({ store, state });
    }
    return places;
  }
}

/** A verified caller has its name; of a session or a token only a hash is known, which means nothing to people. */
function labelOf(tenant: string, upstream: string): string {
  if (isOfSession(tenant)) return `${upstream}, a session`;
  return /^(?:bearer|token):/.test(tenant) ? `${upstream}, a token` : tenant;
}

/** An entry of a tenant in one store; undefined if it is not there. */
export async function findIn(
  place: ArchivePlace,
  tenant: string,
  hash: string,
): Promise<FoundEntry | undefined> {
  try {
    const [entry] = await place.store.find(tenant, hash);
    return entry === undefined ? undefined : { ...place, tenant, hash, entry };
  } catch (error) {
    if (!ArchiveError.isInstance(error) || error.code !== "CORRUPT") throw error;
    return { ...place, tenant, hash, entry: undefined };
  }
}

function newestFirst(a: ListedEntry, b: ListedEntry): number {
  if (a.storedAtMs !== b.storedAtMs) return b.storedAtMs - a.storedAtMs;
  if (a.hash !== b.hash) return a.hash < b.hash ? -1 : 1;
  return a.tenantKey < b.tenantKey ? -1 : 1;
}

// Why an entry is no longer kept. The store cannot know, so all possible reasons are named.

/** A client without sign-in: its entries are removed when its session ends. */
export function isOfSession(tenant: string): boolean {
  return tenant.startsWith("session:");
}

/** What ends an entry, besides its expiry and the need for room. */
export interface Endings {
  /** Whether the entry was kept for a session; undefined if its owner is not known. */
  readonly isOfSession: boolean | undefined;
  /** Whether the entry may have been in the memory of a gateway that has ended. */
  readonly mayEndWithGateway: boolean;
}

function reasonsOf({ isOfSession: isSession, mayEndWithGateway }: Endings): string {
  const reasons = ["it has expired", "was removed to make room"];
  if (isSession === true) reasons.unshift("its client's session has ended");
  if (isSession === undefined) reasons.push("ended with its client's session");
  if (mayEndWithGateway) reasons.push("ended with the gateway that had it in memory");
  return `${reasons.slice(0, -1).join(", ")}, or ${reasons.at(-1) ?? ""}`;
}

/** The sentence for the person at the page. */
export function whyGone(endings: Endings): string {
  return `This is not in the archive any more: ${reasonsOf(endings)}.`;
}

export function notKept(endings: Endings): ApiProblem {
  const again = "Call the tool that made the result again.";
  const advice = `${again} What is kept for a client that signs in outlives its sessions.`;
  return new ApiProblem("not-kept", whyGone(endings), endings.isOfSession === false ? again : advice);
}

// One entry as a whole, with its hash computed again, whatever the store has checked itself.

/** A larger entry is not read into the gateway's memory only to be shown. */
const MAX_READ_BYTES = 256 * 1024 * 1024;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

type Read =
  | { readonly isVerified: true; readonly bytes: Uint8Array }
  | { readonly isVerified: false; readonly problem: string };

const damaged = "The stored copy is damaged: its bytes do not have the hash that it was stored under.";

/** The whole of an entry; a damaged entry is an answer, an unavailable store is an error. */
async function readVerified({ store, tenant }: FoundEntry, entry: ArchiveEntry): Promise<Read> {
  if (entry.bytes > MAX_READ_BYTES)
    throw new ApiProblem(
      "invalid",
      `It has ${entry.bytes} bytes; up to ${MAX_READ_BYTES} are read here.`,
      `Read and verify it with \`waybill archive get ${entry.hash.slice(0, 12)} --out FILE\`.`,
    );
  try {
    const read = await store.get(tenant, entry.hash);
    // The entry existed a moment ago.
    if (read === undefined) throw notKept({ isOfSession: undefined, mayEndWithGateway: false });
    if (sha256Hex(read.bytes) !== entry.hash) return { isVerified: false, problem: damaged };
    return { isVerified: true, bytes: read.bytes };
  } catch (error) {
    if (!ArchiveError.isInstance(error) || error.code !== "CORRUPT") throw error;
    return { isVerified: false, problem: damaged };
  }
}

export interface RetrieveOptions {
  /** Whether its content may be shown. */
  readonly hasBodies: boolean;
  /** Names of what a call left out: only these are shown. */
  readonly ids?: readonly string[] | undefined;
}

/** Reads an entry and verifies it; returns it, or the requested items. */
export async function retrieveEntry(found: FoundEntry, options: RetrieveOptions): Promise<RetrieveReply> {
  const { hash, entry, state } = found;
  if (entry === undefined)
    return { hash, bytes: 0, contentType: "unknown", isVerified: false, problem: damaged };
  const { contentType } = entry;
  const read = await readVerified(found, entry);
  const about = { hash, bytes: entry.bytes, contentType };
  if (!read.isVerified) return { ...about, isVerified: false, problem: read.problem };
  if (!options.hasBodies || !isTextType(contentType)) return { ...about, isVerified: true };
  if (options.ids === undefined)
    return { ...about, isVerified: true, body: await wholeBody(found, read.bytes) };
  const { text, missing } = await pickItems(found, entry, options.ids);
  return { ...about, isVerified: true, body: await bodyOf(state, text), missing };
}

/** A text that was kept as JSON is shown decoded, up to this many bytes. */
const MAX_DECODED_BYTES = 4 * 1024 * 1024;
const QUOTE = 0x22;

async function wholeBody({ state, entry }: FoundEntry, bytes: Uint8Array): Promise<Body> {
  const isText = bytes[0] === QUOTE && isJsonType(entry?.contentType ?? "");
  if (!isText || bytes.byteLength > MAX_DECODED_BYTES) return bodyOfBytes(state, bytes);
  try {
    return await bodyOf(state, String(JSON.parse(new TextDecoder().decode(bytes))));
  } catch {
    // The entry is declared as JSON and is not JSON.
    return bodyOfBytes(state, bytes);
  }
}

function written(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function pickItems(
  found: FoundEntry,
  entry: ArchiveEntry,
  ids: readonly string[],
): Promise<{ readonly text: string; readonly missing: readonly string[] }> {
  const { value } = await readEntry(found, entry);
  const { items, missing } = selectItems(value, { ids }, { isBlock: isBlockType(entry.contentType) });
  return { text: Array.from(eachItem(items), (item) => written(item.value)).join("\n"), missing };
}

/** Applies a question to the whole of an entry. */
export async function askFound(
  found: FoundEntry,
  select: string,
  signal: AbortSignal,
): Promise<QuestionReply> {
  const { hash, entry, state } = found;
  if (entry === undefined)
    throw new ApiProblem("failed", damaged, "Call the tool that made the result again.");
  const questions = await state.questions.open();
  if (questions === undefined)
    throw new ApiProblem(
      "failed",
      "Questions cannot be answered here: no worker thread can be started.",
      "Look at the whole instead.",
    );
  await questions.check(select);
  const { value, records, note } = await askEntry(found, entry, select, {
    questions,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal,
  });
  const hints = note === undefined ? [] : [note];
  return { select, body: await bodyOf(state, JSON.stringify(value)), count: records, hash, hints };
}
