// Joins the pages of `waybill_retrieve`'s answer to `select`.

import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../core/json/json-value.ts";

/**
 * The answer to a question, from the data of all its pages in order. A list comes in pages of `selected`; a
 * value that is too large for a page comes in pieces of its text, as `slice`. Undefined if a page has
 * neither, or if a piece is missing.
 */
export function joinSelected(pages: readonly JsonObject[]): JsonValue | undefined {
  const [first] = pages;
  if (first === undefined) return undefined;
  if (pages.length === 1 && Object.hasOwn(first, "selected")) return first["selected"];
  const items: JsonValue[] = [];
  let text = "";
  for (const page of pages) {
    const { selected, slice } = page;
    if (Array.isArray(selected) && text === "") items.push(...(selected as readonly JsonValue[]));
    else if (!isJsonObject(slice) || typeof slice["text"] !== "string") return undefined;
    else {
      const { text: piece, from, to, of, pointer } = slice;
      if (from === 0 ? text !== "" : text === "") return undefined;
      text += piece;
      if (to !== of) continue;
      const value = slice["is_text"] === true ? text : jsonIn(text);
      if (value === undefined) return undefined;
      if (pointer === "") return pages.at(-1) === page && items.length === 0 ? value : undefined;
      items.push(value);
      text = "";
    }
  }
  return text === "" ? items : undefined;
}
