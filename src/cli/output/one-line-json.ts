import type { JsonValue } from "../../json/json-value.ts";

/** Compact JSON on one line; what does not fit is cut where an ellipsis says so. */
export function oneLineJson(value: JsonValue, maxCharacters: number): string {
  const characters = Array.from(JSON.stringify(value).slice(0, 2 * maxCharacters + 2));
  if (characters.length <= maxCharacters) return characters.join("");
  return `${characters.slice(0, Math.max(1, maxCharacters - 1)).join("")}…`;
}
