type JsonPrimitive = string | number | boolean | null;

export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own property, also when its key is `__proto__`. */
export function setOwn<T>(target: Record<string, T>, key: string, value: T): void {
  if (key !== "__proto__") {
    target[key] = value;
    return;
  }
  // Plain assignment would call the setter of Object.prototype and lose the data.
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Maps each own property in order; a property mapped to undefined is dropped. */
export function mapObject(
  object: JsonObject,
  map: (value: JsonValue, key: string) => JsonValue | undefined,
): JsonObject {
  const mapped: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) {
    const result = map(value, key);
    if (result !== undefined) setOwn(mapped, key, result);
  }
  return mapped;
}

/** Without the keys that have no value. */
export function withoutUndefined<Given extends object>(object: Given): Partial<Given> {
  return mapObject(object as JsonObject, (value) => value) as Partial<Given>;
}

/** The value that a text is the JSON of; undefined if the text is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The object that a text is the JSON of; undefined for every other text. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? value : undefined;
}
