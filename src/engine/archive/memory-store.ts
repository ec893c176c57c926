import {
  type ArchiveContent,
  type ArchiveEntry,
  ArchiveError,
  type ArchivePut,
  type ArchiveRead,
  type ArchiveStore,
  type ListedEntry,
  type PutOptions,
  type SweepReport,
  closedError,
} from "./archive-store.ts";
import {
  DEFAULT_TTL_MS,
  clampRange,
  contentTypeOf,
  entryTimes,
  isHash,
  isHashPrefix,
  lifetimeOf,
  ownTtlOf,
  storeKinds,
  tenantKey,
} from "./store-rules.ts";
import { checkOptions } from "../../core/options/check-options.ts";
import { optionsOf } from "../../core/options/option-kinds.ts";
import { randomBase64url } from "../runtime/random-text.ts";
import { sha256OfMany } from "../runtime/sha256-hex.ts";
import { type Bytes, join } from "../../core/text/bytes.ts";
import { encodeBlocks } from "./blocks.ts";

export interface MemoryStoreOptions {
  /** How many bytes all entries may take; the least recently used are removed. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** How long an entry lives after its last put. Default: a week. */
  readonly ttlMs?: number;
  readonly now?: () => number;
}

interface Kept {
  readonly tenantKey: string;
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly ownTtlMs: number | undefined;
  storedAtMs: number;
  lastUsedAtMs: number;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** What an entry takes besides its bytes, approximately: without it, a million empty entries would count as nothing. */
const OVERHEAD_BYTES = 256;

const storedBytesOf = (kept: Kept): number => kept.bytes.byteLength + OVERHEAD_BYTES;

const memoryOptions = optionsOf<MemoryStoreOptions>(storeKinds);

class MemoryStore implements ArchiveStore {
  readonly kind = "memory";
  readonly location = "this process";
  readonly #maxBytes: number;
  readonly #ttlMs: number;
  readonly #now: () => number;
  /** In order of use: the first is removed next. */
  readonly #kept = new Map<string, Kept>();
  readonly #secrets = new Map<string, string>();
  #storedBytes = 0;
  #isClosed = false;

  constructor({ maxBytes = DEFAULT_MAX_BYTES, ttlMs = DEFAULT_TTL_MS, now = Date.now }: MemoryStoreOptions) {
    this.#maxBytes = maxBytes;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  async put(tenant: string, content: ArchiveContent, options: PutOptions = {}): Promise<ArchivePut> {
    this.#assertOpen();
    const key = tenantKey(tenant);
    const contentType = contentTypeOf(options.contentType);
    const ownTtlMs = ownTtlOf(options.ttlMs, this.#ttlMs);
    const bytes = this.#collect(content);
    const hash = await sha256OfMany(bytes);
    this.#assertOpen();
    const nowMs = this.#now();
    const times = { ownTtlMs, storedAtMs: nowMs, lastUsedAtMs: nowMs };
    const kept = { tenantKey: key, hash, bytes, contentType, ...times };
    const known = this.#kept.get(`${key}/${hash}`);
    if (known !== undefined) this.#remove(known);
    this.#kept.set(`${key}/${hash}`, kept);
    this.#storedBytes += storedBytesOf(kept);
    this.#evict();
    return { entry: this.#entryOf(kept) };
  }

  async get(tenant: string, hash: string): Promise<ArchiveRead | undefined> {
    return this.#read(tenant, hash, 0, Number.POSITIVE_INFINITY);
  }

  async getRange(tenant: string, hash: string, start: number, end: number): Promise<ArchiveRead | undefined> {
    return this.#read(tenant, hash, start, end);
  }

  async find(tenant: string, prefix: string): Promise<readonly ArchiveEntry[]> {
    this.#assertOpen();
    if (!isHashPrefix(prefix)) return [];
    return this.#living(tenant)
      .filter(({ hash }) => hash.startsWith(prefix))
      .map((kept) => this.#entryOf(kept));
  }

  async has(tenant: string, hash: string): Promise<boolean> {
    return this.#find(tenant, hash) !== undefined;
  }

  async *list(tenant?: string): AsyncGenerator<ListedEntry> {
    this.#assertOpen();
    for (const kept of this.#living(tenant)) {
      const { lastUsedAtMs } = kept;
      const storedBytes = storedBytesOf(kept);
      yield { ...this.#entryOf(kept), tenantKey: kept.tenantKey, storedBytes, lastUsedAtMs };
    }
  }

  async delete(tenant: string, hash: string): Promise<boolean> {
    const kept = this.#find(tenant, hash);
    if (kept !== undefined) this.#remove(kept);
    return kept !== undefined;
  }

  async sweep(): Promise<SweepReport> {
    this.#assertOpen();
    const before = this.#storedBytes;
    const count = this.#kept.size;
    const entries = this.#living().length;
    const freedBytes = before - this.#storedBytes;
    return { expired: count - entries, evicted: 0, freedBytes, entries, storedBytes: this.#storedBytes };
  }

  async secret(name: string): Promise<string> {
    this.#assertOpen();
    const known = this.#secrets.get(name) ?? randomBase64url(32);
    this.#secrets.set(name, known);
    return known;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#kept.clear();
    this.#secrets.clear();
    this.#storedBytes = 0;
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedError(this.kind);
  }

  /** The content as one array; throws as soon as it does not fit. */
  #collect(content: ArchiveContent): Bytes {
    const blocks: Uint8Array[] = [];
    let bytes = OVERHEAD_BYTES;
    for (const block of encodeBlocks(content)) {
      bytes += block.byteLength;
      if (bytes > this.#maxBytes) {
        const message = `The content does not fit in ${this.#maxBytes} bytes: raise maxBytes, or use a file store.`;
        throw new ArchiveError("TOO_LARGE", message);
      }
      blocks.push(block);
    }
    return join(blocks);
  }

  #read(tenant: string, hash: string, start: number, end: number): ArchiveRead | undefined {
    const kept = this.#find(tenant, hash);
    if (kept === undefined) return undefined;
    const range = clampRange(start, end, kept.bytes.byteLength);
    kept.lastUsedAtMs = this.#now();
    this.#kept.delete(`${kept.tenantKey}/${hash}`);
    this.#kept.set(`${kept.tenantKey}/${hash}`, kept);
    // A copy: no other code has these bytes, so the hash computed when they came in stays valid.
    return { entry: this.#entryOf(kept), bytes: new Uint8Array(kept.bytes.subarray(range.start, range.end)) };
  }

  #find(tenant: string, hash: string): Kept | undefined {
    this.#assertOpen();
    const kept = isHash(hash) ? this.#kept.get(`${tenantKey(tenant)}/${hash}`) : undefined;
    return kept !== undefined && this.#isLiving(kept) ? kept : undefined;
  }

  /** Entries that have not expired, of one tenant or of all. */
  #living(tenant?: string): Kept[] {
    const key = tenant === undefined ? undefined : tenantKey(tenant);
    return [...this.#kept.values()].filter(
      (kept) => (key ?? kept.tenantKey) === kept.tenantKey && this.#isLiving(kept),
    );
  }

  /** False for an expired entry, which is removed here; the time of an entry that seems to be from the future is set to now. */
  #isLiving(kept: Kept): boolean {
    const nowMs = this.#now();
    const times = entryTimes(kept.storedAtMs, nowMs, this.#lifetimeOf(kept));
    kept.storedAtMs = times.storedAtMs;
    kept.lastUsedAtMs = Math.min(kept.lastUsedAtMs, nowMs);
    if (times.expiresAtMs > nowMs) return true;
    this.#remove(kept);
    return false;
  }

  #remove(kept: Kept): void {
    if (this.#kept.delete(`${kept.tenantKey}/${kept.hash}`)) this.#storedBytes -= storedBytesOf(kept);
  }

  #evict(): void {
    for (const kept of this.#kept.values()) {
      if (this.#storedBytes <= this.#maxBytes) return;
      this.#remove(kept);
    }
  }

  #lifetimeOf({ ownTtlMs }: Kept): number {
    return lifetimeOf(ownTtlMs, this.#ttlMs);
  }

  #entryOf(kept: Kept): ArchiveEntry {
    const { hash, bytes, contentType, storedAtMs } = kept;
    const expiresAtMs = storedAtMs + this.#lifetimeOf(kept);
    return { hash, bytes: bytes.byteLength, contentType, storedAtMs, expiresAtMs };
  }
}

/** Keeps entries in this process: they are lost when it ends, and other processes do not see them. */
export function memoryStore(options: MemoryStoreOptions = {}): ArchiveStore {
  checkOptions("memoryStore", memoryOptions, options);
  return new MemoryStore(options);
}
