export interface EntryTimes {
  readonly storedAtMs: number;
  readonly expiresAtMs: number;
  /** The clock went back since it was stored: a store dates such an entry anew, from when this is seen. */
  readonly isFromFuture: boolean;
}

/**
 * When an entry was stored and until when it lives, as of now. After the clock went back an entry may seem stored in
 * the future: it is served, and counts as stored now, so that it never lives longer than one `ttlMs` from here.
 */
export function entryTimes(storedAtMs: number, nowMs: number, ttlMs: number): EntryTimes {
  const seenAtMs = Math.min(storedAtMs, nowMs);
  return { storedAtMs: seenAtMs, expiresAtMs: seenAtMs + ttlMs, isFromFuture: storedAtMs > nowMs };
}
