import type { JsonValue } from "./json-value.ts";

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;
const BAD_ESCAPE = /~(?![01])/;

/** Adds one reference token to a JSON Pointer (RFC 6901), escaped. */
export function appendPointer(base: string, key: string | number): string {
  if (typeof key === "number") return `${base}/${key}`;
  return `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Splits a JSON Pointer into unescaped tokens; throws a SyntaxError on text that is no pointer. */
export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) {
    throw new SyntaxError(
      `${JSON.stringify(pointer)} is no JSON Pointer: start it with "/", or use "" for the whole value.`,
    );
  }
  if (BAD_ESCAPE.test(pointer)) {
    throw new SyntaxError(
      `${JSON.stringify(pointer)} is no JSON Pointer: write "~" as "~0" and "/" inside a key as "~1".`,
    );
  }
  // "~1" before "~0", so that "~01" becomes "~1" and not "/" (RFC 6901, section 4).
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value a JSON Pointer names, or undefined when nothing is there. */
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
