// Whether a tool returns a document that others wrote: a file, a page, search results. Such a text may
// contain anything, even what looks like a server's report of a failure, so nothing in it is read as a
// failure.

import { isJsonObject } from "../../core/json/json-value.ts";

/** The parts of a listed tool that matter here. */
interface ShownTool {
  readonly name: string;
  readonly annotations?: unknown;
  readonly inputSchema?: unknown;
}

const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

function wordsOf(name: string): readonly string[] {
  return (name.match(words) ?? []).map((word) => word.toLowerCase());
}

/** Arguments of such a tool: where the document is, or what to search for. */
const places = new Set([
  "path",
  "paths",
  "uri",
  "uris",
  "url",
  "urls",
  "query",
  "queries",
  "file",
  "files",
  "filename",
  "filenames",
]);

/** `path`, `file`, `file_path` or `searchQuery`: the last word decides; for `file_name`, the last two words. */
function namesPlace(argument: string): boolean {
  const said = wordsOf(argument);
  return places.has(said.at(-1) ?? "") || places.has(said.slice(-2).join(""));
}

/** The server's annotation decides. Without annotations, only a name with the word `read` counts. */
function isReadOnly({ name, annotations }: ShownTool): boolean {
  const hint = isJsonObject(annotations) ? annotations["readOnlyHint"] : undefined;
  return typeof hint === "boolean" ? hint : wordsOf(name).includes("read");
}

/** True for a tool that changes nothing and takes a path, a file, a URI, a URL or a query. */
export function readsDocuments(tool: ShownTool): boolean {
  const { inputSchema } = tool;
  const properties: unknown = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  if (!isJsonObject(properties) || !isReadOnly(tool)) return false;
  return Object.keys(properties).some(namesPlace);
}
