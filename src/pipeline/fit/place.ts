import { appendPointer } from "../../json/pointer.ts";
import { TABLE } from "../../json/table-notation.ts";
import type { Elasticity } from "../parcel.ts";

/** Where in the whole a value stands, and what may be cut there. */
export interface Place {
  readonly pointer: string;
  /** The nearest key above it. */
  readonly name: string;
  readonly elasticity: Elasticity;
}

/** Nothing is known of the data, so every list and every long text may be cut. */
export const elastic: Elasticity = { canDropItems: true, canCutText: true, at: () => elastic };

export function rootPlace(elasticity: Elasticity = elastic): Place {
  return { pointer: "", name: "items", elasticity };
}

const rigid: Elasticity = { canDropItems: false, canCutText: false, at: () => rigid };

/** Of a table only whole rows may go: a shorter row decodes to nothing, and other columns may repeat a cell's text. */
function tableElasticity({ canDropItems }: Elasticity): Elasticity {
  const rows: Elasticity = { canDropItems, canCutText: false, at: () => rigid };
  return { ...rigid, at: (key) => (key === "rows" ? rows : rigid) };
}

export function placeIn(place: Place, key: string | number): Place {
  return {
    pointer: appendPointer(place.pointer, key),
    name: typeof key === "string" ? key : place.name,
    elasticity: key === TABLE ? tableElasticity(place.elasticity) : place.elasticity.at(key),
  };
}
