const WHOLE = /^[0-9a-f]{64}$/;
const PREFIX = /^[0-9a-f]{1,64}$/;

/** 64 lower-case hex digits. Upper case and a `sha256:` in front are the caller's to take away. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && WHOLE.test(value);
}

/** What a hash may begin with: 1 to 64 lower-case hex digits. */
export function isHashPrefix(value: unknown): value is string {
  return typeof value === "string" && PREFIX.test(value);
}
