import type { JsonValue } from "./json-value.ts";
import { getByPointer } from "./pointer.ts";

/**
 * The value at a path inside an item: a JSON Pointer (`/user/login`), a key as it is, or keys joined by dots
 * (`user.login`, `labels.0.name`); undefined when nothing is there. Throws a SyntaxError on a broken pointer.
 */
export function resolvePath(item: JsonValue, path: string): JsonValue | undefined {
  if (path === "" || path.startsWith("/")) return getByPointer(item, path);
  // A key that has dots in it is meant before the keys it could be split into.
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
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(key)) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, JsonValue>>)[key] : undefined;
}
