// Whether what a tool gives is a document that somebody else wrote: a file, a page, what a search found. Such a text may
// hold anything, also what elsewhere is a server's report of a failure, so nothing in it is taken for one.

import { isJsonObject } from "../../core/json/json-value.ts";

/** A tool as a list shows it, as far as it matters here. */
interface ShownTool {
  readonly name: string;
  readonly annotations?: unknown;
  readonly inputSchema?: unknown;
}

const words = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

function wordsOf(name: string): readonly string[] {
  return (name.match(words) ?? []).map((word) => word.toLowerCase());
}

/** What such a tool is told: where the document is, or what to look for. */
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

/** `path`, `file`, and `file_path` or `searchQuery`: the last word says what it is; of `file_name`, the last two. */
function namesPlace(argument: string): boolean {
  const said = wordsOf(argument);
  return places.has(said.at(-1) ?? "") || places.has(said.slice(-2).join(""));
}

/** What the server says of it; of a tool of which it says nothing, only a name with the word `read` says it. */
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
