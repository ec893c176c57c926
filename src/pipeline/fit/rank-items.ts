import type { JsonValue } from "../../json/json-value.ts";
import { rankByQuery } from "../../text/bm25.ts";
import type { FitContext } from "../parcel.ts";

function* textsOf(items: readonly JsonValue[]): Generator<string> {
  for (const item of items) yield typeof item === "string" ? item : JSON.stringify(item);
}

/**
 * The places of items by how well they answer the call's own words, then the others in their order; undefined for
 * the strategy `head`, or when no item has any of the words.
 */
export function rankItems({
  strategy,
  query,
}: Pick<FitContext, "strategy" | "query">):
  | ((items: readonly JsonValue[]) => readonly number[] | undefined)
  | undefined {
  if (strategy === "head" || query === undefined || query.trim() === "") return undefined;
  return (items) => {
    const ranked = rankByQuery(textsOf(items), query).map(({ index }) => index);
    if (ranked.length === 0) return undefined;
    const seen = new Set(ranked);
    return [...ranked, ...[...items.keys()].filter((index) => !seen.has(index))];
  };
}
