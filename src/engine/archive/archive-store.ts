import { withinDeadline } from "../runtime/deadline.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import { edgeRuntime } from "../runtime/edge-runtime.ts";

// Where the whole of a cut result is kept. Stores differ only in the place; all keep the same promises, which
// one list of facts (store-facts.fixture.ts) checks for every store.

/** The content, in pieces of any size: a large value is written record by record, never as one text. */
export type ArchiveContent = Iterable<string | Uint8Array>;

/** One entry of one tenant, identified by the sha256 of its bytes. */
export interface ArchiveEntry {
  /** 64 lower-case hex digits. */
  readonly hash: string;
  /** Length of the content, not of its stored form. */
  readonly bytes: number;
  readonly contentType: string;
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
}

export interface PutOptions {
  /** Default: `application/json`. */
  readonly contentType?: string;
  /** How long this entry lives, if that is less than the store's own `ttlMs`. */
  readonly ttlMs?: number | undefined;
}

export interface ArchivePut {
  readonly entry: ArchiveEntry;
  /** True if the first store was away and the fallback keeps the entry. */
  readonly usedFallback?: boolean;
  /** Why the store's own sweeps fail by now, so that it fills; told to one put until a sweep goes well. */
  readonly sweepFailure?: unknown;
}

export interface ArchiveRead {
  readonly entry: ArchiveEntry;
  readonly bytes: Uint8Array;
}

export interface ListedEntry extends ArchiveEntry {
  /** The hash of the tenant's name: stores and listings never contain the name itself. */
  readonly tenantKey: string;
  /** How many bytes the entry takes in the store. */
  readonly storedBytes: number;
  readonly lastUsedAtMs: number;
}

export interface SweepReport {
  readonly expired: number;
  /** Entries removed because the quota was full, least recently used first. */
  readonly evicted: number;
  readonly freedBytes: number;
  readonly entries: number;
  readonly storedBytes: number;
}

export interface ArchiveStore {
  /** The kind of store: `memory`, `file`, `redis`, `postgres`. */
  readonly kind: string;
  /** The place, for people; never with a password. */
  readonly location: string;
  /**
   * Resolves when every process that shares the store can read the entry. Storing an entry again restarts its
   * lifetime.
   */
  put(tenant: string, content: ArchiveContent, options?: PutOptions): Promise<ArchivePut>;
  /** The whole content, with its hash checked; undefined if the entry is unknown, expired, or another tenant's. */
  get(tenant: string, hash: string): Promise<ArchiveRead | undefined>;
  /** Bytes from `start` up to, not including, `end`; a part cannot be checked against the hash. */
  getRange(tenant: string, hash: string, start: number, end: number): Promise<ArchiveRead | undefined>;
  /** The entries of a tenant whose hash begins with this text; a handle is the first 12 digits. */
  find(tenant: string, prefix: string): Promise<readonly ArchiveEntry[]>;
  has(tenant: string, hash: string): Promise<boolean>;
  /** Entries of one tenant, or of all. */
  list(tenant?: string): AsyncIterable<ListedEntry>;
  delete(tenant: string, hash: string): Promise<boolean>;
  /** Removes expired entries, then those beyond the quota. */
  sweep(): Promise<SweepReport>;
  /** A random secret kept in the store, so that all processes that share the store sign with the same secret. */
  secret(name: string): Promise<string>;
  /** Undefined if several users may share the store: it cannot tell which tenants belong to one user. */
  readonly localTenants?: LocalTenants | undefined;
  /** Whether content goes to another machine without TLS, and its address does not say that this is meant. */
  readonly isExposed?: boolean | undefined;
  close(): Promise<void>;
}

/** The stdio servers of one user: each opens by hash or handle what another of them keeps. */
interface LocalTenants {
  /** False if it could not be noted, for example before anything is kept. */
  note(tenant: string): Promise<boolean>;
  all(): Promise<readonly string[]>;
}

/** Why a store failed. An unknown entry is not an error: the answer is undefined. */
const archiveErrorCodes = [
  "CORRUPT",
  "FULL",
  "READ_ONLY",
  "TOO_LARGE",
  "UNREACHABLE",
  "TIMEOUT",
  "CLOSED",
] as const;

export type ArchiveErrorCode = (typeof archiveErrorCodes)[number];

// Two copies of the package may be installed side by side, so identity is a registered symbol, not the class.
const brand = Symbol.for("waybill.ArchiveError");

/** Thrown by stores; the message says what happened and what to do, for logs and operators, never for a model. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  static isInstance(value: unknown): value is ArchiveError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** The error for every call on a closed store. */
export function closedError(kind: string): ArchiveError {
  return new ArchiveError("CLOSED", `The ${kind} store is closed: make a new one to go on.`);
}

/** Makes the errors of a server that others may write to: `where` they must have written. */
export function corruptIn(server: string, where: string): (hash: string, cause?: unknown) => ArchiveError {
  return (hash, cause) => {
    const message = `The entry ${hash} in ${server} is not what was stored: something else writes ${where}. Put it again.`;
    return new ArchiveError("CORRUPT", message, { cause });
  };
}

/** Settles like `run`, or rejects with TIMEOUT if that takes too long. */
export async function answerInTime<T>(run: () => Promise<T>, timeoutMs: number, what: string): Promise<T> {
  return withinDeadline(run, {
    timeoutMs,
    onTimeout: () => new ArchiveError("TIMEOUT", `${what} did not answer in ${timeoutMs} ms.`),
  });
}

/** Refuses a store that needs files or lasting sockets on a runtime without them. `runtime` is for tests. */
export function assertServerRuntime(store: string, runtime: string | undefined = edgeRuntime()): void {
  if (runtime === undefined) return;
  const message = `${store} does not work on ${runtime}, which has neither files nor connections that last: use memoryStore(), or a store of your own.`;
  throw new ContractError("INVALID_OPTION", message, { option: "store" });
}
