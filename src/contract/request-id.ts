const pattern = /^[A-Za-z0-9_-]{1,128}$/;

/** True for an id that may be echoed; a client's id of any other form is replaced. */
export function isRequestId(value: unknown): value is string {
  return typeof value === "string" && pattern.test(value);
}

const ID_BYTES = 6;
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// Randomness is fetched for many ids at once: a call for each costs more than the rest of a small response.
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

/** A fresh id: prefix, underscore, twelve hex digits. */
export function newRequestId(prefix = "req"): string {
  if (used + ID_BYTES > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  let id = `${prefix}_`;
  for (const end = used + ID_BYTES; used < end; used++) id += hex[pool[used] ?? 0];
  return id;
}
