// Keeps a store that is away from delaying results: every call has a deadline, after some failures in a row
// calls fail at once, and one probe at a time finds out when the store is back. With a fallback, content that
// the first store could not keep is kept there, and reads search both.

import { ContractError } from "../../core/contract/contract-error.ts";
import { checkOptions } from "../../core/options/check-options.ts";
import { callback, optionsOf, whole, withMethods } from "../../core/options/option-kinds.ts";
import { createBreaker, failuresInARow } from "../runtime/trip-rules.ts";
import {
  type ArchiveContent,
  ArchiveError,
  type ArchiveErrorCode,
  type ArchivePut,
  type ArchiveStore,
  type ListedEntry,
  type PutOptions,
  answerInTime,
} from "./archive-store.ts";

type FailureCode = ArchiveErrorCode | "UNKNOWN";

/** What a guarded store reports to its operator. */
export type GuardedEvent =
  | {
      readonly type: "store-failed";
      readonly store: string;
      readonly call: string;
      readonly code: FailureCode;
    }
  | { readonly type: "sweep-failed"; readonly store: string; readonly code: FailureCode }
  | { readonly type: "breaker-opened" | "breaker-closed"; readonly store: string }
  | { readonly type: "fallback-used"; readonly store: string; readonly fallback: string };

interface GuardedBreakerOptions {
  /** Failures in a row that open the breaker. Default: 3. */
  readonly failures?: number;
  /** How long the breaker stays open before one call is tried. Default: 5,000. */
  readonly resetMs?: number;
}

export interface GuardedStoreOptions {
  /** How long one call may take. Default: 5,000. */
  readonly timeoutMs?: number;
  readonly breaker?: GuardedBreakerOptions;
  /**
   * Keeps what the first store could not. Content must then be an iterable that can be read twice, such as an
   * array.
   */
  readonly fallback?: ArchiveStore;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly onEvent?: (event: GuardedEvent) => void;
}

/** A list or a sweep reads everything: it may take this many times as long as a call. */
const LONG_CALL_FACTOR = 12;

const limit = whole({ min: 1, max: 600_000 });
const guardedOptions = optionsOf<GuardedStoreOptions>({
  timeoutMs: limit,
  breaker: optionsOf<GuardedBreakerOptions>({ failures: limit, resetMs: limit }),
  fallback: withMethods(["put", "get"], "give a store"),
  now: callback,
  onEvent: callback,
});

export function guardedStore(store: ArchiveStore, options: GuardedStoreOptions = {}): ArchiveStore {
  const { timeoutMs = 5_000, breaker: breakerOptions = {}, fallback, onEvent } = options;
  const { failures = 3, resetMs = 5_000 } = breakerOptions;
  checkOptions("guardedStore", guardedOptions, options);
  const breaker = createBreaker({
    rule: failuresInARow(failures),
    resetMs,
    now: options.now,
    onTurn: (isOpen) =>
      onEvent?.({ type: isOpen ? "breaker-opened" : "breaker-closed", store: store.location }),
  });
  const secrets = new Map<string, string>();

  async function guard<T>(call: string, run: () => Promise<T>, limitMs = timeoutMs): Promise<T> {
    const entry = breaker.enter();
    if (!entry.allowed) throw openError(store.location);
    try {
      const answer = await answerInTime(run, limitMs, `The store at ${store.location}`);
      entry.done(true);
      return answer;
    } catch (error) {
      judge(call, error, entry.done);
      throw error;
    }
  }

  /** A store that answers is reachable, even if it refuses. */
  function judge(call: string, error: unknown, done: (ok: boolean) => void): void {
    if (ContractError.isInstance(error) || error instanceof ContentFailure) return;
    const code = codeOf(error);
    onEvent?.({ type: "store-failed", store: store.location, call, code });
    done(code !== "UNREACHABLE" && code !== "TIMEOUT" && code !== "UNKNOWN");
  }

  async function putFirst(
    tenant: string,
    content: WatchedContent,
    put: PutOptions | undefined,
  ): Promise<ArchivePut> {
    try {
      const { sweepFailure, ...kept } = await store.put(tenant, content, put);
      if (sweepFailure !== undefined)
        onEvent?.({ type: "sweep-failed", store: store.location, code: codeOf(sweepFailure) });
      return kept;
    } catch (error) {
      // An error in reading the content says nothing about the store.
      throw content.hasFailed ? new ContentFailure(error) : error;
    }
  }

  async function putSomewhere(
    tenant: string,
    content: ArchiveContent,
    put?: PutOptions,
  ): Promise<ArchivePut> {
    const watched = new WatchedContent(content);
    try {
      return await guard("put", () => putFirst(tenant, watched, put));
    } catch (error) {
      if (error instanceof ContentFailure) throw error.cause;
      const isHopeless = ContractError.isInstance(error) || isClosed(error) || !watched.canBeReadAgain;
      if (fallback === undefined || isHopeless) throw error;
      const kept = await fallback.put(tenant, content, put);
      onEvent?.({ type: "fallback-used", store: store.location, fallback: fallback.location });
      return { ...kept, usedFallback: true };
    }
  }

  /** The first answer found; if the fallback has none either, the failure of the first store. */
  async function look<T>(
    call: string,
    ask: (from: ArchiveStore) => Promise<T>,
    isMiss: (answer: T) => boolean,
  ): Promise<T> {
    if (fallback === undefined) return guard(call, () => ask(store));
    const first = await settled(guard(call, () => ask(store)));
    if (first.ok && !isMiss(first.value)) return first.value;
    if (!first.ok && isClosed(first.error)) throw first.error;
    const second = await ask(fallback);
    if (!isMiss(second) || first.ok) return second;
    throw first.error;
  }

  async function* listBoth(tenant: string | undefined): AsyncGenerator<ListedEntry> {
    const seen = new Set<string>();
    const first = await settled(
      guard("list", () => collect(store.list(tenant)), timeoutMs * LONG_CALL_FACTOR),
    );
    const second = fallback === undefined ? [] : await collect(fallback.list(tenant));
    for (const entry of [...(first.ok ? first.value : []), ...second]) {
      const name = `${entry.tenantKey}/${entry.hash}`;
      if (!seen.has(name)) yield entry;
      seen.add(name);
    }
    if (!first.ok) throw first.error;
  }

  return {
    kind: store.kind,
    location: store.location,
    isExposed: store.isExposed,
    ...sharedPartOf(store),
    put: putSomewhere,
    get: (tenant, hash) => look("get", (from) => from.get(tenant, hash), isUndefined),
    getRange: (tenant, hash, start, end) =>
      look("getRange", (from) => from.getRange(tenant, hash, start, end), isUndefined),
    find: (tenant, prefix) =>
      look(
        "find",
        (from) => from.find(tenant, prefix),
        (found) => found.length === 0,
      ),
    has: (tenant, hash) =>
      look(
        "has",
        (from) => from.has(tenant, hash),
        (isThere) => !isThere,
      ),
    list: listBoth,
    async delete(tenant, hash) {
      const wasInFallback = (await fallback?.delete(tenant, hash)) ?? false;
      return (await guard("delete", () => store.delete(tenant, hash))) || wasInFallback;
    },
    async sweep() {
      const more = await fallback?.sweep();
      const swept = await guard("sweep", () => store.sweep(), timeoutMs * LONG_CALL_FACTOR);
      if (more === undefined) return swept;
      const { expired, evicted, freedBytes, entries, storedBytes } = swept;
      return {
        expired: expired + more.expired,
        evicted: evicted + more.evicted,
        freedBytes: freedBytes + more.freedBytes,
        entries: entries + more.entries,
        storedBytes: storedBytes + more.storedBytes,
      };
    },
    async secret(name) {
      // A known secret never changes, and signing must go on while the store is away.
      const secret = secrets.get(name) ?? (await guard("secret", () => store.secret(name)));
      secrets.set(name, secret);
      return secret;
    },
    async close() {
      await Promise.all([store.close(), fallback?.close()]);
    },
  };
}

/** Other state that replicas share, such as rate limits, is reached through the guarded store. */
function sharedPartOf(store: ArchiveStore): object {
  return "connection" in store && "prefix" in store
    ? { connection: store.connection, prefix: store.prefix }
    : {};
}

/** Marks an error of the content itself, so that the breaker ignores it. */
class ContentFailure extends Error {
  constructor(cause: unknown) {
    super("The content could not be read.", { cause });
  }
}

type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

async function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error }),
  );
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const isUndefined = (answer: unknown): boolean => answer === undefined;

function codeOf(error: unknown): FailureCode {
  return ArchiveError.isInstance(error) ? error.code : "UNKNOWN";
}

function isClosed(error: unknown): boolean {
  return ArchiveError.isInstance(error) && error.code === "CLOSED";
}

function openError(location: string): ArchiveError {
  return new ArchiveError(
    "UNREACHABLE",
    `The store at ${location} keeps failing and is not used for a moment; it is tried again shortly.`,
  );
}

/** Content that remembers whether reading it failed. Each reading starts from the beginning, if that is possible. */
class WatchedContent implements Iterable<string | Uint8Array> {
  hasFailed = false;
  private hasStarted = false;
  private readonly content: ArchiveContent;

  constructor(content: ArchiveContent) {
    this.content = content;
  }

  /** A generator can be read only once: a second reader would get the rest, or nothing, and take it for the whole. */
  get canBeReadAgain(): boolean {
    const isOneShot = (this.content[Symbol.iterator]() as unknown) === this.content;
    return !isOneShot || !this.hasStarted;
  }

  *[Symbol.iterator](): Generator<string | Uint8Array> {
    this.hasStarted = true;
    const chunks = this.content[Symbol.iterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = this.step(chunks);
        isDone = next.done === true;
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      if (!isDone && !this.hasFailed) chunks.return?.();
    }
  }

  private step(chunks: Iterator<string | Uint8Array>): IteratorResult<string | Uint8Array> {
    try {
      return chunks.next();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}
