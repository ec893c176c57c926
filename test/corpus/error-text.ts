import type { JsonObject } from "../../src/json/json-value.ts";

/**
 * The code a careful reader expects, and what a failed tool says: the text of a result that says it failed, or a result
 * as it was sent. `OPERATION_FAILED` means that no code is to be given.
 */
export type ErrorRow = readonly [code: string, said: string | JsonObject];

/** What one file of one server can say. */
export interface ErrorSource {
  readonly server: string;
  /** Repository and file, or thread, that the texts were found in. */
  readonly source: string;
  readonly rows: readonly ErrorRow[];
  /** Texts of failures that the server does not mark as such: at most a note is made of them. */
  readonly unmarked?: readonly string[];
}

/** The result that a row stands for. */
export function resultOf(said: string | JsonObject): JsonObject {
  return typeof said === "string" ? { content: [{ type: "text", text: said }], isError: true } : said;
}

/** A success, as far as MCP is told, whose one text is JSON. */
export function unmarkedJson(value: JsonObject): JsonObject {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}

/** The same with the mark that it is a failure. */
export function markedJson(value: JsonObject): JsonObject {
  return { ...unmarkedJson(value), isError: true };
}
