import { jsonEqual } from "../../json/canonical-json.ts";
import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { parseJson } from "../../json/parse-json.ts";

/** JSON text becomes a value only if every number and key survives; otherwise it is sent as text. */
function jsonIn(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.reordersKeys) return undefined;
  const { value } = parsed;
  const isStructure = typeof value === "object" && value !== null;
  return isStructure && parsed.findings.every(({ kind }) => kind === "lone-surrogate") ? value : undefined;
}

/** The JSON in texts; each is parsed once, since parsing a large one is most of what an answer costs. */
export type ReadJson = (text: string) => JsonValue | undefined;

export function readOnce(): ReadJson {
  const known = new Map<string, JsonValue | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, jsonIn(text));
    return known.get(text);
  };
}

/** A text that only repeats what the structure says, as JSON or as one of its fields, or that says nothing. */
export function repeats(text: string, structured: JsonValue, read: ReadJson): boolean {
  if (text.trim() === "") return true;
  const json = read(text);
  if (json !== undefined && jsonEqual(json, structured)) return true;
  if (!isJsonObject(structured)) return false;
  const values = Object.values(structured);
  const [only = null] = values;
  // A list has to stand under a name in the structure; its text is often the list alone.
  return values.includes(text) || (json !== undefined && values.length === 1 && jsonEqual(json, only));
}
