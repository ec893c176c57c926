import { rememberText } from "../../core/json/exact-text.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import { skipSpace } from "../../core/json/scan-json.ts";
import { memberStart, skipValue } from "../../engine/transport/raw-message.ts";

/** The places of a tool result's structure in a response: of a call, of a finished task, beside an error. */
const structurePaths = [
  ["result", "structuredContent"],
  ["result", "result", "structuredContent"],
  ["error", "data"],
  ["params", "result", "structuredContent"],
] as const;

/** The position of the value of a member whose name occurs once in the message: searching is faster than parsing. */
function onlyPlace(text: string, name: string): number | undefined {
  const quoted = JSON.stringify(name);
  const at = text.indexOf(quoted);
  if (at === -1 || text.includes(quoted, at + quoted.length)) return undefined;
  // Quotes inside a text are preceded by a backslash, so this is a whole text; a name is followed by a colon.
  const colon = skipSpace(text, at + quoted.length);
  return text[colon] === ":" ? skipSpace(text, colon + 1) : undefined;
}

/** The position at which the value at a path begins. */
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

/** Links each structure to its text in the message, which `read` returns: a rewritten structure must keep that text. */
export function noteStructures(message: JsonObject, read: () => string): void {
  for (const path of structurePaths) {
    let value: unknown = message;
    for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
    if (typeof value === "object" && value !== null) rememberText(value, () => textAt(read(), path));
  }
}
