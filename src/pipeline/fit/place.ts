import { appendPointer } from "../../json/pointer.ts";
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

export function placeIn(place: Place, key: string | number): Place {
  return {
    pointer: appendPointer(place.pointer, key),
    name: typeof key === "string" ? key : place.name,
    elasticity: place.elasticity.at(key),
  };
}
