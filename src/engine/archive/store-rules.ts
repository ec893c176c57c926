import { ContractError } from "../../core/contract/contract-error.ts";
import { callback, whole } from "../../core/options/option-kinds.ts";
import { sha256Hex, utf16Bytes } from "../runtime/sha256-hex.ts";

const WHOLE = /^[0-9a-f]{64}$/;
const PREFIX = /^[0-9a-f]{1,64}$/;

/** 64 lower-case hex digits. The caller must lower the case and remove a leading `sha256:`. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && WHOLE.test(value);
}

/** A possible beginning of a hash: 1 to 64 lower-case hex digits. */
export function isHashPrefix(value: unknown): value is string {
  return typeof value === "string" && PREFIX.test(value);
}

/** Enough of a sha256 that no two tenants collide; short enough for the name of a directory. */
const KEY_DIGITS = 32;

/** Tenants of whom only the key is known, by a made-up name of this process that cannot be guessed. */
const keysByName = new Map<string, string>();

/** A name for a tenant of whom a listing shows only the key: for an operator, never for input of a caller. */
export function nameForKey(key: string): string {
  const name = `key:${globalThis.crypto.randomUUID()}`;
  keysByName.set(name, key);
  return name;
}

/** How stores identify a tenant: 32 hex digits that do not reveal the name. Different names give different keys. */
export function tenantKey(tenant: string): string {
  if (typeof tenant !== "string" || tenant === "") {
    const message =
      "The tenant is empty: give each caller's own name, or one fixed name when there is only one.";
    throw new ContractError("INVALID_OPTION", message, { option: "tenant" });
  }
  const known = keysByName.get(tenant);
  if (known !== undefined) return known;
  // UTF-16 keeps lone surrogates distinct; UTF-8 would turn all of them into the same replacement character.
  return sha256Hex(utf16Bytes(tenant)).slice(0, KEY_DIGITS);
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long an entry lives by default: a week. */
export const DEFAULT_TTL_MS = 7 * DAY_MS;

/** Longer than any sensible value; a larger number is a wrong unit or a wrong computation. */
const MAX_TTL_MS = 36_525 * DAY_MS;
const MAX_CONTENT_TYPE_CHARACTERS = 200;
const CONTENT_TYPE = /^[\u0020-\u007e]+$/;

const DEFAULT_CONTENT_TYPE = "application/json";

/** What an index of entries asks of time. */
export interface IndexTimes {
  /** Undefined: the clock of the server that keeps them. */
  readonly now: (() => number) | undefined;
  /** No entry lives longer than this, however long it was kept for; undefined: as long as it was kept for. */
  readonly maxTtlMs: number | undefined;
}

/** The options that every kind of store has. */
export const storeKinds = {
  ttlMs: whole({ min: 1, max: MAX_TTL_MS, unit: "milliseconds" }),
  maxBytes: whole({ min: 1, unit: "bytes" }),
  now: callback,
};

/** The content type to keep; it is used in file headers and MCP answers, so it is one line of ASCII. */
export function contentTypeOf(given: string = DEFAULT_CONTENT_TYPE): string {
  if (given.length <= MAX_CONTENT_TYPE_CHARACTERS && CONTENT_TYPE.test(given)) return given;
  const rule = `1 to ${MAX_CONTENT_TYPE_CHARACTERS} printable ASCII characters, such as "${DEFAULT_CONTENT_TYPE}"`;
  throw new ContractError("INVALID_OPTION", `The content type cannot be kept: give ${rule}.`, {
    option: "contentType",
  });
}

/**
 * How long an entry lives: as long as it was put for, but never longer than this store was told to keep entries. So a
 * shorter `ttlMs` of the store holds for what was kept before, too.
 */
export function lifetimeOf(ownTtlMs: number | undefined, storeTtlMs: number, isTold = true): number {
  const ttlMs = ownTtlMs ?? storeTtlMs;
  return isTold ? Math.min(ttlMs, storeTtlMs) : ttlMs;
}

/** The lifetime that a put asks for; undefined if the entry lives as long as the others. */
export function ownTtlOf(given: number | undefined, storeTtlMs: number): number | undefined {
  if (given === undefined) return undefined;
  if (!Number.isSafeInteger(given) || given < 1) {
    const message = `The lifetime ${given} cannot be used: give a whole number of milliseconds above 0.`;
    throw new ContractError("INVALID_OPTION", message, { option: "ttlMs" });
  }
  return given < storeTtlMs ? given : undefined;
}

interface EntryTimes {
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
  /** The clock was set back since the entry was stored: a store then sets the entry's time to now. */
  readonly isFromFuture: boolean;
}

/**
 * When an entry was stored and when it expires, as of now. After the clock was set back, an entry may seem
 * stored in the future: it is served, and counts as stored now, so that it never lives longer than one
 * `ttlMs` from now.
 */
export function entryTimes(storedAtMs: number, nowMs: number, ttlMs: number): EntryTimes {
  const seenAtMs = Math.min(storedAtMs, nowMs);
  return { storedAtMs: seenAtMs, expiresAtMs: seenAtMs + ttlMs, isFromFuture: storedAtMs > nowMs };
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The part of a range that is within the content; may be empty. `Infinity` means to the end. */
export function clampRange(start: number, end: number, bytes: number): ByteRange {
  if (Number.isNaN(start) || Number.isNaN(end)) {
    const message = `The range ${start} to ${end} is not a range: give two byte offsets, the second one excluded.`;
    throw new ContractError("INVALID_OPTION", message, { option: "range" });
  }
  const from = Math.min(Math.max(0, Math.trunc(start)), bytes);
  return { start: from, end: Math.min(Math.max(from, Math.trunc(end)), bytes) };
}
