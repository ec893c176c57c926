import { type JsonValue, setOwn } from "./json-value.ts";

/**
 * A deeply frozen copy of a JSON value. The original stays as it is: its owner may keep it and change it. The caller
 * has checked that the value is JSON and not too deep.
 */
export function frozenCopy<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value;
  const copy: Record<string, JsonValue> = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, key, frozenCopy(child as JsonValue));
  return Object.freeze(copy) as Value;
}
