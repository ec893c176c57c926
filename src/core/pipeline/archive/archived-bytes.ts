// Joins the answers of `waybill_retrieve` into the bytes that were archived. Client and checker verify their hash.

import { countCodePoints } from "../../text/code-points.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { type Bytes, encode, sha256 } from "../../text/bytes.ts";

/** The items in an answer of the tool. */
export function itemsIn(data: JsonValue): readonly JsonObject[] {
  const items = isJsonObject(data) ? data["items"] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** A piece of the whole's text, and the item it belongs to. */
export interface TextPiece {
  readonly pointer: unknown;
  readonly text: string;
  /** The end of the slice and the length of its item, in code points. */
  readonly to: number | undefined;
  readonly of: number | undefined;
}

/** The next piece; undefined unless a slice is as long as it says and continues where its item's last slice ended. */
export function pieceOf(item: JsonObject, before: TextPiece | undefined): TextPiece | undefined {
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

/** A piece of a text as the JSON of the whole contains it; no piece ends inside a surrogate pair. */
function jsonPiece(text: string, from: number, to: number, of: number): string {
  return `${from === 0 ? '"' : ""}${JSON.stringify(text).slice(1, -1)}${to === of ? '"' : ""}`;
}

/** The text of the whole: the tool returns a list item by item, and an item that is too large slice by slice. */
export function joinPieces(pieces: readonly TextPiece[]): string {
  const isList = pieces[0]?.pointer !== "";
  const texts = pieces.map(({ pointer, text }, index) => {
    const isSame = index === 0 || pieces[index - 1]?.pointer === pointer;
    return `${isList && !isSame ? "," : ""}${text}`;
  });
  return isList ? `[${texts.join("")}]` : texts.join("");
}

/**
 * The archived bytes, from the text of all pieces. The tool shows lists where the archive has tables: if the text as it
 * is does not have the hash, its encoding as tables may.
 */
export async function asArchived(text: string, hash: string): Promise<Bytes> {
  const bytes = encode(text);
  if ((await sha256(bytes)) === hash) return bytes;
  const { encodeTables } = await import("../../json/table/encode-tables.ts");
  const { tableForms } = await import("../../json/table/choose-columns.ts");
  try {
    const value = JSON.parse(text) as JsonValue;
    // A text that changed but has the same value, such as 1E5 for 1e5, is still a changed text.
    if (JSON.stringify(value) !== text) return bytes;
    for (const form of tableForms) {
      const tables = encode(JSON.stringify(encodeTables(value, form)));
      if ((await sha256(tables)) === hash) return tables;
    }
    return bytes;
  } catch {
    return bytes;
  }
}
