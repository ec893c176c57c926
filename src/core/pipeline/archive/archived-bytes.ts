// What `waybill_retrieve` answers with, put together again: the bytes that were archived. Client and checker verify their
// hash.

import { countCodePoints } from "../../contract/code-points.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type Bytes, encode } from "../../text/bytes.ts";
import { sha256 } from "../../text/sha256.ts";

/** The items in an answer of the tool. */
export function itemsIn(data: JsonValue): readonly JsonObject[] {
  const items = isJsonObject(data) ? data["items"] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** A piece of the text of the whole, and of which item. */
export interface Piece {
  readonly pointer: unknown;
  readonly text: string;
  /** Where a slice ends, and how long its item is, in code points. */
  readonly to: number | undefined;
  readonly of: number | undefined;
}

/** The next piece. A slice must be as long as it says, and go on where the last one of its item ended; else undefined. */
export function pieceOf(item: JsonObject, before: Piece | undefined): Piece | undefined {
  const { pointer, text, value, from, to, of } = item;
  if (typeof text !== "string")
    return { pointer, text: JSON.stringify(value ?? null), to: undefined, of: undefined };
  if (typeof from !== "number" || typeof to !== "number" || typeof of !== "number")
    return { pointer, text, to: undefined, of: undefined };
  const last = before?.pointer === pointer ? before : undefined;
  if (from !== (last?.to ?? 0) || to - from !== countCodePoints(text) || to > of || of !== (last?.of ?? of))
    return undefined;
  return { pointer, text: item["is_text"] === true ? jsonPiece(text, from, to, of) : text, to, of };
}

/** A piece of a text as it stands in the JSON of the whole; no piece ends inside a pair of surrogates. */
function jsonPiece(text: string, from: number, to: number, of: number): string {
  return `${from === 0 ? '"' : ""}${JSON.stringify(text).slice(1, -1)}${to === of ? '"' : ""}`;
}

/** The text of the whole: the tool gives a list item by item, and an item that is too large in slices, one by one. */
export function joinPieces(pieces: readonly Piece[]): string {
  const isList = pieces[0]?.pointer !== "";
  const texts = pieces.map(({ pointer, text }, index) => {
    const isSame = index === 0 || pieces[index - 1]?.pointer === pointer;
    return `${isList && !isSame ? "," : ""}${text}`;
  });
  return isList ? `[${texts.join("")}]` : texts.join("");
}

/** The bytes that were archived, from the text of all pieces. The tool shows lists where the archive has tables: what has not the hash as it is may have it when encoded again. */
export async function asArchived(text: string, hash: string): Promise<Bytes> {
  const bytes = encode(text);
  if ((await sha256(bytes)) === hash) return bytes;
  const { encodeTables } = await import("../../json/table/encode-tables.ts");
  try {
    const value = JSON.parse(text) as JsonValue;
    // A changed text that reads the same, such as 1E5 for 1e5, is a changed text.
    if (JSON.stringify(value) !== text) return bytes;
    const tables = encode(JSON.stringify(encodeTables(value)));
    return (await sha256(tables)) === hash ? tables : bytes;
  } catch {
    return bytes;
  }
}
