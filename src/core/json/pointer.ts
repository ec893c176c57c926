import type { JsonValue } from "./json-value.ts";

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;
const BAD_ESCAPE = /~(?![01])/;

/** Adds one reference token to a JSON Pointer (RFC 6901), escaped. */
export function appendPointer(base: string, key: string | number): string {
  if (typeof key === "number") return `${base}/${key}`;
  return `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Splits a JSON Pointer into unescaped tokens; throws a SyntaxError on text that is not a pointer. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new SyntaxError(
      `${JSON.stringify(pointer)} is not a JSON Pointer: start it with "/", or use "" for the whole value.`,
    );
  }
  if (BAD_ESCAPE.test(pointer)) {
    throw new SyntaxError(
      `${JSON.stringify(pointer)} is not a JSON Pointer: write "~" as "~0" and "/" inside a key as "~1".`,
    );
  }
  // "~1" before "~0", so that "~01" becomes "~1" and not "/" (RFC 6901, section 4).
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value a JSON Pointer names, or undefined. */
export function getByPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const token of parsePointer(pointer)) {
    if (typeof current !== "object" || current === null) return undefined;
    if (Array.isArray(current) && !ARRAY_INDEX.test(token)) return undefined;
    if (!Object.hasOwn(current, token)) return undefined;
    current = (current as Readonly<Record<string, JsonValue>>)[token];
  }
  return current;
}

/**
 * The value at a path inside an item: a JSON Pointer (`/user/login`), a key as it is, or keys joined by dots
 * (`user.login`, `labels.0.name`); undefined if nothing is there. Throws a SyntaxError on a broken pointer.
 */
export function resolvePath(item: JsonValue, path: string): JsonValue | undefined {
  if (path === "" || path.startsWith("/")) return getByPointer(item, path);
  // A key that contains dots takes precedence over the keys it could be split into.
  const asKey = stepInto(item, path);
  if (asKey !== undefined || !path.includes(".")) return asKey;
  let current: JsonValue | undefined = item;
  for (const key of path.split(".")) {
    if (current === undefined) return undefined;
    current = stepInto(current, key);
  }
  return current;
}

function stepInto(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value) && !ARRAY_INDEX.test(key)) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, JsonValue>>)[key] : undefined;
}
