import { appendPointer } from "../../json/pointer.ts";
import { TABLE } from "../../json/table/table-notation.ts";
import type { Elasticity } from "../parcel.ts";

/** Where in the whole a value stands, and what may be cut there. */
export interface Place {
  readonly pointer: string;
  /** The nearest key above it. */
  readonly name: string;
  readonly elasticity: Elasticity;
  /** Set inside a list that is written as a table: its rows go by the names of the list's items. */
  readonly isTable?: true;
}

/** Nothing is known of the data, so every list and every long text may be cut. */
export const elastic: Elasticity = { canDropItems: true, canCutText: true, at: () => elastic };

const rigid: Elasticity = { canDropItems: false, canCutText: false, at: () => rigid };

export function rootPlace(elasticity: Elasticity = elastic): Place {
  return { pointer: "", name: "items", elasticity };
}

/** A table loses whole rows or nothing: what else it says is needed to read the rows that are left. */
export function tablePlace({ pointer, name, elasticity: { canDropItems } }: Place): Place {
  const rows: Elasticity = { canDropItems, canCutText: false, at: () => rigid };
  const table: Elasticity = {
    canDropItems: false,
    canCutText: false,
    at: (key) => ({ [TABLE]: table, rows })[key] ?? rigid,
  };
  return { pointer, name, isTable: true, elasticity: table };
}

export function placeIn(place: Place, key: string | number): Place {
  if (place.isTable) return inTable(place, key);
  return {
    pointer: appendPointer(place.pointer, key),
    name: typeof key === "string" ? key : place.name,
    elasticity: place.elasticity.at(key),
  };
}

/** A row is named as the item it stands for, so that names hold for the list however it is written. */
function inTable(place: Place, key: string | number): Place {
  if (typeof key === "number")
    return { ...place, pointer: appendPointer(place.pointer, key), elasticity: rigid };
  return { ...place, elasticity: place.elasticity.at(key) };
}
