import { rememberText } from "../../core/json/exact-text.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { skipSpace } from "../../core/json/scan-token.ts";
import { memberStart, skipValue } from "../../engine/transport/raw-message.ts";

/** Where a response has the structure of a tool result: of a call, of a task that is done, beside an error. */
const structurePaths = [
  ["result", "structuredContent"],
  ["result", "result", "structuredContent"],
  ["error", "data"],
  ["params", "result", "structuredContent"],
] as const;

/** Where the value of a member stands whose name the message has once: to look for that is quicker than to read. */
function onlyPlace(text: string, name: string): number | undefined {
  const quoted = JSON.stringify(name);
  const at = text.indexOf(quoted);
  if (at === -1 || text.includes(quoted, at + quoted.length)) return undefined;
  // Quotes inside of a text have a backslash before them, so this is a whole text; a name has a colon behind it.
  const colon = skipSpace(text, at + quoted.length);
  return text[colon] === ":" ? skipSpace(text, colon + 1) : undefined;
}

/** Where the value at a path begins. */
function placeOf(text: string, path: readonly string[]): number | undefined {
  return (
    onlyPlace(text, path.at(-1) ?? "") ??
    path.reduce<number | undefined>(
      (from, name) => (from === undefined ? undefined : memberStart(text, from, name)),
      0,
    )
  );
}

function textAt(text: string, path: readonly string[]): string | undefined {
  const start = placeOf(text, path);
  return start === undefined ? undefined : text.slice(start, skipValue(text, start));
}

/** What is written anew of a structure must say what its message said, whose text `read` gives. */
export function noteStructures(message: JsonObject, read: () => string): void {
  for (const path of structurePaths) {
    let value: unknown = message;
    for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
    if (typeof value === "object" && value !== null) rememberText(value, () => textAt(read(), path));
  }
}
