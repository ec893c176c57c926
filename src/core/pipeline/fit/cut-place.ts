import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { keysOf } from "../../json/json-chunks.ts";
import { appendPointer } from "../../json/pointer.ts";
import { isTable } from "../../json/table/decode-tables.ts";
import { TABLE } from "../../json/table/table-notation.ts";
import type { Elasticity } from "../pipeline-context.ts";
import { isDigestValue, shortestDigest } from "./digest-source.ts";
import type { Omission } from "./omission.ts";
import { MAX_TOKEN_BYTES, isElastic } from "./weigh-parcel.ts";

/** A value that fits, its weight, and what it lost. */
export interface CutPiece {
  readonly value: JsonValue;
  readonly weight: number;
  readonly omissions: readonly Omission[];
}

/** The place of a value in the whole, and what may be cut there. */
export interface CutPlace {
  readonly pointer: string;
  /** The nearest key above the value. */
  readonly name: string;
  readonly elasticity: Elasticity;
  /** Set inside a list that is written as a table: its rows are named like the list's items. */
  readonly isTable?: true;
}

/** Nothing is known of the data, so every list and every long text may be cut. */
export const elastic: Elasticity = { canDropItems: true, canCutText: true, at: () => elastic };

const rigid: Elasticity = { canDropItems: false, canCutText: false, at: () => rigid };

export function rootPlace(elasticity: Elasticity = elastic): CutPlace {
  return { pointer: "", name: "items", elasticity };
}

/** A table loses whole rows or nothing: the rest of it is needed to read the remaining rows. */
export function tablePlace({ pointer, name, elasticity: { canDropItems } }: CutPlace): CutPlace {
  const rows: Elasticity = { canDropItems, canCutText: false, at: () => rigid };
  const table: Elasticity = {
    canDropItems: false,
    canCutText: false,
    at: (key) => ({ [TABLE]: table, rows })[key] ?? rigid,
  };
  return { pointer, name, isTable: true, elasticity: table };
}

export function placeIn(place: CutPlace, key: string | number): CutPlace {
  if (place.isTable) return inTable(place, key);
  return {
    pointer: appendPointer(place.pointer, key),
    name: typeof key === "string" ? key : place.name,
    elasticity: place.elasticity.at(key),
  };
}

/** A row is named like its item, so that names are the same in both forms of the list. */
function inTable(place: CutPlace, key: string | number): CutPlace {
  if (typeof key === "number")
    return { ...place, pointer: appendPointer(place.pointer, key), elasticity: rigid };
  return { ...place, elasticity: place.elasticity.at(key) };
}

/** The text for a value in a skeleton; undefined means: look into the value, or write it whole. */
type Replace = (value: JsonValue, place: CutPlace) => string | undefined;

const EMPTY_TABLE = JSON.stringify({ [TABLE]: { columns: [], rows: [] } });

const emptied: Replace = (value, place) => {
  if (!isElastic(value, place)) return undefined;
  if (typeof value === "string") return '""';
  if (isDigestValue(value)) return JSON.stringify(shortestDigest(value));
  // A table with a heavy header can be rewritten, and then loses the header too.
  if (isJsonObject(value) && place.elasticity.canDropItems && isTable(value)) return EMPTY_TABLE;
  return Array.isArray(value) ? "[]" : undefined;
};

/**
 * The JSON text of what cannot be left out: keys, scalars, short texts; lists and long texts are empty. Undefined if it
 * is certainly longer than `room`.
 */
export function skeletonText(
  value: JsonValue,
  place: CutPlace,
  room: number,
  replace: Replace = emptied,
): string | undefined {
  const longest = room * MAX_TOKEN_BYTES;
  const parts: string[] = [];
  let length = 0;
  function write(text: string): boolean {
    parts.push(text);
    length += text.length;
    return length <= longest;
  }
  function visit(item: JsonValue, at: CutPlace, isRoot: boolean): boolean {
    const short = isRoot && replace !== emptied ? undefined : replace(item, at);
    if (short !== undefined) return write(short);
    if (!isJsonObject(item)) return write(JSON.stringify(item));
    let separator = "{";
    for (const key of keysOf(item)) {
      const child = item[key];
      if (child === undefined) continue;
      if (!write(`${separator}${JSON.stringify(key)}:`) || !visit(child, placeIn(at, key), false))
        return false;
      separator = ",";
    }
    return write(separator === "{" ? "{}" : "}");
  }
  return visit(value, place, true) ? parts.join("") : undefined;
}
