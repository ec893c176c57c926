const pattern = /^[A-Za-z0-9_-]{1,128}$/;

/** True for an id that may be echoed. A client's id of any other form is replaced. */
export function isRequestId(value: unknown): value is string {
  return typeof value === "string" && pattern.test(value);
}

const ID_BYTES = 6;
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// Random bytes are fetched for many ids at once: one fetch per id costs more than the rest of a small response.
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

/** A request id: given, asked from a source, or `false` for none. */
export type RequestIdOption = string | false | (() => string | undefined);

let source: (() => string | undefined) | undefined;

/**
 * Where builders get an id that the caller did not give. The server door sets it to the id of the running
 * request; `setRequestIdSource(newRequestId)` generates one for each envelope. Returns the source it replaced.
 */
export function setRequestIdSource(next: (() => string | undefined) | undefined): typeof source {
  const previous = source;
  source = next;
  return previous;
}

/** Option first, then the author's own `meta.request_id`, then the source; an empty id means none. */
export function chooseRequestId(
  option: RequestIdOption | undefined,
  fromMeta: string | undefined,
): string | undefined {
  if (option === false) return undefined;
  const id = typeof option === "function" ? option() : (option ?? fromMeta ?? source?.());
  return id === "" ? undefined : id;
}
