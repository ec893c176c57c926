// What the gateway's upstreams keep, as one archive: upstreams often share a store, and each has its own in memory. A
// listing goes over everything, so one serves all requests of two seconds.

import { identifyCall } from "../../../../engine/call/open-call.ts";
import type { ContractState } from "../../../../engine/call/contract-state.ts";
import {
  type ArchiveEntry,
  ArchiveError,
  type ArchiveStore,
  type ListedEntry,
} from "../../../../engine/archive/archive-store.ts";
import { nameForKey, tenantKey } from "../../../../engine/archive/store-rules.ts";
import type { WatchedGateway } from "../dashboard-parts.ts";
import { isOfSession, notKept } from "./why-gone.ts";

const LISTING_MS = 2_000;
/** Tenants that no listing shows are asked for by so many names at most: each name stays in memory. */
const MAX_NAMES = 10_000;
/** Kinds of stores of which one place is one store, however many upstreams opened it. */
const SHARED_KINDS: readonly string[] = ["file", "redis"];

/** A store, and one of the contracts that keep something there. */
export interface ArchivePlace {
  readonly store: ArchiveStore;
  readonly state: ContractState;
}

export interface PlacedEntry extends ListedEntry {
  readonly place: ArchivePlace;
}

/** An entry, and how it is read; undefined where it is there, and too damaged to say anything of itself. */
export interface FoundEntry extends ArchivePlace {
  readonly tenant: string;
  readonly hash: string;
  readonly entry: ArchiveEntry | undefined;
}

export interface Listing {
  readonly places: readonly ArchivePlace[];
  /** Newest first. */
  readonly entries: readonly PlacedEntry[];
  readonly tenantKeys: ReadonlySet<string>;
}

export class Archives {
  readonly #gateway: WatchedGateway;
  /** The names of tenants of whom only the key is known. */
  readonly #names = new Map<string, string>();
  /** Tenants that were seen to be sessions, by their keys: their calls may have made room since. */
  readonly #sessions = new Set<string>();
  #hasListed = false;
  #kept: { readonly listing: Promise<Listing>; readonly atMs: number } | undefined;

  constructor(gateway: WatchedGateway) {
    this.#gateway = gateway;
  }

  /** What tenants are called, by their keys, where the gateway knows it: its upstreams on stdio, and who called of late. */
  labels(callers: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const labels = new Map<string, string>();
    const add = (tenant: string, label: string): void => {
      const key = tenantKey(tenant);
      const known = labels.get(key);
      // Two upstreams that start the same command have one tenant.
      labels.set(key, known === undefined ? label : `${known}, ${label}`);
    };
    for (const { name, state } of this.#gateway.upstreams()) {
      add(identifyCall({ meta: {} }, state.options).tenant, name);
      add(identifyCall({ meta: {}, isHttp: true }, state.options).tenant, `${name}, without sign-in`);
    }
    for (const [tenant, upstream] of callers) {
      const key = tenantKey(tenant);
      if (!labels.has(key)) labels.set(key, labelOf(tenant, upstream));
    }
    return labels;
  }

  /** Whether some listing so far had entries. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** The keys of the tenants that are known to be sessions: those of these callers, and of earlier ones. */
  sessionKeys(callers: Iterable<string>): ReadonlySet<string> {
    for (const tenant of callers)
      if (isOfSession(tenant) && this.#sessions.size < MAX_NAMES) this.#sessions.add(tenantKey(tenant));
    return this.#sessions;
  }

  listing(): Promise<Listing> {
    const nowMs = performance.now();
    if (this.#kept !== undefined && nowMs - this.#kept.atMs < LISTING_MS) return this.#kept.listing;
    const listing = this.#list();
    this.#kept = { listing, atMs: nowMs };
    // A store that failed is asked again by the next request.
    listing.catch(() => (this.#kept = undefined));
    return listing;
  }

  /** Throws an `ApiProblem` for what is not, or not any more, kept. */
  async find(key: string, hash: string): Promise<FoundEntry> {
    const { places, tenantKeys } = await this.listing();
    // A listing passes over damaged entries, and with them perhaps over all of a tenant.
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

  /** The name under which stores give what they keep for a tenant of the listing. */
  tenantNamed(key: string): string {
    const name = this.#names.get(key) ?? nameForKey(key);
    this.#names.set(key, name);
    return name;
  }

  async #list(): Promise<Listing> {
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
    // Where upstreams share a store, whoever masks secrets decides what is shown of it.
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

/** A verified caller by its name; of a session or a token only a hash is known, which says nothing to people. */
function labelOf(tenant: string, upstream: string): string {
  if (isOfSession(tenant)) return `${upstream}, a session`;
  return /^(?:bearer|token):/.test(tenant) ? `${upstream}, a token` : tenant;
}

/** An entry of a tenant in one place; undefined where it is not there. */
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
