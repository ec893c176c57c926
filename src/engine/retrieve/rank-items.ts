// Which items a query finds, and in what order.

import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { type RankedText, foldText, rankByQuery } from "../../core/text/bm25.ts";
import type { Passage } from "../../core/text/passages.ts";
import { type ItemList, pickItems } from "./item-list.ts";
import { passageItem, passagesIn } from "./passage-items.ts";

/** The strings and numbers of an item, one per line in document order: a query searches this text. */
function itemText(item: JsonValue): string {
  if (typeof item === "string") return item;
  const lines: string[] = [];
  const pending: JsonValue[] = [item];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string") lines.push(value);
    else if (typeof value === "number") lines.push(String(value));
    else if (typeof value === "object" && value !== null) pushInner(value, pending);
  }
  return lines.join("\n");
}

// One by one: spreading a long list overflows the stack. Backwards, because the last one pushed is taken first.
function pushInner(value: object, pending: JsonValue[]): void {
  const inner = Object.values(value) as JsonValue[];
  for (let index = inner.length - 1; index >= 0; index--) pending.push(inner[index] ?? null);
}

/**
 * The ranked places, with those first whose item has the query as one of its own values. Other items may only
 * mention it, as a commit mentions the hash of its parent, and may mention it more often.
 */
function exactFirst(
  valueAt: (place: number) => JsonValue,
  ranked: readonly RankedText[],
  query: string,
): readonly number[] {
  const asked = query.trim();
  const wanted = foldText(asked).folded;
  const isAsked = (value: JsonValue | undefined): boolean => {
    if (typeof value === "number") return String(value) === asked;
    // Folding is for case only, so a text of another length cannot match.
    return typeof value === "string" && value.length === asked.length && foldText(value).folded === wanted;
  };
  const exact: number[] = [];
  const others: number[] = [];
  for (const { index, isExact } of ranked) {
    const value = isExact ? valueAt(index) : null;
    const hasIt = isJsonObject(value) ? Object.values(value).some(isAsked) : isAsked(value);
    (hasIt ? exact : others).push(index);
  }
  return [...exact, ...others];
}

/** The items that have words of a query, best first; of a long text the passages that have them. */
export function rankItems(items: ItemList, query: string): ItemList {
  // What was searched, by its place: an item, or a passage of it.
  const indexes: number[] = [];
  const passages: (Passage | undefined)[] = [];
  function* texts(): Iterable<string> {
    for (let index = 0; index < items.count; index++) {
      const { value } = items.at(index);
      const found = typeof value === "string" ? passagesIn(value) : undefined;
      for (const passage of found ?? [undefined]) {
        indexes.push(index);
        passages.push(passage);
        yield passage !== undefined && typeof value === "string"
          ? value.slice(passage.start, passage.end)
          : itemText(value);
      }
    }
  }
  const ranked = rankByQuery(texts(), query, { allWordsFirst: true });
  const valueAt = (place: number): JsonValue =>
    passages[place] === undefined ? items.at(indexes[place] ?? -1).value : null;
  const order = exactFirst(valueAt, ranked, query);
  const kept = order.map((place) => indexes[place] ?? -1);
  if (passages.every((passage) => passage === undefined)) return pickItems(items, kept);
  // The passages that were not found are not kept.
  const parts = order.map((place) => passages[place]);
  const at = (place: number): ReturnType<ItemList["at"]> => {
    const [item, part] = [items.at(kept[place] ?? -1), parts[place]];
    return part === undefined ? item : passageItem(item, part);
  };
  return { count: kept.length, at };
}
