const pattern = /^[A-Za-z0-9_-]{1,128}$/;

/** True for an id that may be echoed; a client's id of any other form is replaced. */
export function isRequestId(value: unknown): value is string {
  return typeof value === "string" && pattern.test(value);
}

/** A fresh id: prefix, underscore, twelve hex digits. */
export function newRequestId(prefix = "req"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
