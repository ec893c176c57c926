const SHOWN_CHARACTERS = 40;

/** A value in a few words, for the sentence that says what was found. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "string") return describeString(value);
  if (typeof value === "object") return describeObject(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return `a ${typeof value}`;
}

/** A member by its name: "`id` is 1.5", "`id` is missing". */
export function describeMember(name: string, value: unknown): string {
  return `\`${name}\` is ${describeValue(value)}`;
}

function describeString(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return JSON.stringify(text);
  return `${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}… (${text.length} characters)`;
}

function describeObject(value: object | null): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  return "an object";
}
