import type { JsonValue } from "../../core/json/json-value.ts";

/** An entry of `items`: one item, or a run of rows with the range of their places. */
interface Entry {
  readonly pointer: string;
  readonly value?: JsonValue;
}

/** The items of an answer of `waybill_retrieve`, each with its own pointer. */
export function eachRow<Item extends Entry>(entries: readonly Item[]): Item[] {
  return entries.flatMap((entry) => {
    const { pointer, values } = entry as Item & { readonly values?: readonly JsonValue[] };
    if (values === undefined) return [entry];
    const [, list = "", from = "", to = ""] = /^(.*)\/(\d+)\.\.(\d+)$/s.exec(pointer) ?? [];
    if (Number(to) - Number(from) + 1 !== values.length)
      throw new Error(`${pointer} has ${values.length} values`);
    return values.map((value, at) => ({ pointer: `${list}/${Number(from) + at}`, value }) as Item);
  });
}
