import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

/** The key that a value stands under where only objects can be sent; `wrapData` writes it, and other frameworks do too. */
export const WRAPPER = "result";

/**
 * What `@` is in a question: the tool's own value, whether it is looked at before it is wrapped or in the archive, where
 * it stands as it was sent. `{"result": {…}}` is a tool's own object: nobody wraps an object.
 */
export function ownValue(data: JsonValue): JsonValue {
  if (!isJsonObject(data) || !Object.hasOwn(data, WRAPPER) || Object.keys(data).length !== 1) return data;
  const inner = data[WRAPPER] ?? null;
  return isJsonObject(inner) ? data : inner;
}

/**
 * The value as a cut named it. A list stands under `result` where only objects can be sent, and its names say so, while
 * the archive has the text that the server wrote: the list alone.
 */
export function asNamed(value: JsonValue, names: readonly (string | undefined)[]): JsonValue {
  if (isJsonObject(value) || !names.some((name) => name?.startsWith(`/${WRAPPER}`) === true)) return value;
  return { [WRAPPER]: value };
}
