import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

/** The key of a value if only objects can be sent; `wrapData` writes it, and so do other frameworks. */
export const WRAPPER = "result";

/**
 * The value of `@` in a question: the tool's own value, both before it is wrapped and in the archive, which
 * keeps it as it was sent. `{"result": {…}}` is a tool's own object: objects are never wrapped.
 */
export function ownValue(data: JsonValue): JsonValue {
  if (!isJsonObject(data) || !Object.hasOwn(data, WRAPPER) || Object.keys(data).length !== 1) return data;
  const inner = data[WRAPPER] ?? null;
  return isJsonObject(inner) ? data : inner;
}

/**
 * The value as a cut named it. If only objects can be sent, a list is under `result`, and its names say so,
 * while the archive has the text that the server wrote: the list alone.
 */
export function asNamed(value: JsonValue, names: readonly (string | undefined)[]): JsonValue {
  if (isJsonObject(value) || !names.some((name) => name?.startsWith(`/${WRAPPER}`) === true)) return value;
  return { [WRAPPER]: value };
}
