import { type JsonValue, isJsonObject } from "../json/json-value.ts";
import { foldText } from "../text/words.ts";
import type { RankedText } from "../text/bm25.ts";
import type { ItemList } from "./item-list.ts";

/**
 * Ranked places with those first whose item has the query as one of its own values. Others may only mention it, as a
 * commit mentions the hash of its parent, and may do so more often than the one that is meant.
 */
export function exactFirst(items: ItemList, ranked: readonly RankedText[], query: string): readonly number[] {
  const asked = query.trim();
  const wanted = foldText(asked).folded;
  const isAsked = (value: JsonValue | undefined): boolean => {
    if (typeof value === "number") return String(value) === asked;
    // Folding is for case: a text of another length is not worth it.
    return typeof value === "string" && value.length === asked.length && foldText(value).folded === wanted;
  };
  const exact: number[] = [];
  const others: number[] = [];
  for (const { index, isExact } of ranked) {
    const value = isExact ? items.at(index).value : null;
    const hasIt = isJsonObject(value) ? Object.values(value).some(isAsked) : isAsked(value);
    (hasIt ? exact : others).push(index);
  }
  return [...exact, ...others];
}
