// A text that names a store may say three settings at once: its place, and in the query of an address how long and how
// much is kept. Each layer says them one by one, so that a stronger layer can change one of them.

import { openRemoteAddress } from "../archive/remote-address.ts";
import type { Entry } from "./entry.ts";

const PLACE: readonly string[] = ["store", "place"];

interface PlaceEntry extends Entry {
  readonly value: string;
}

/** `"store": "./archive"` is short for `"store": { "place": "./archive" }`. */
function isPlace(entry: Entry): entry is PlaceEntry {
  const { path, value } = entry;
  return typeof value === "string" && path[0] === "store" && (path.length === 1 || path[1] === "place");
}

function open(entry: PlaceEntry): Entry[] {
  const { place, ttl, maxBytes } = openRemoteAddress(entry.value);
  const said = (name: string, value: string | number | undefined): Entry[] =>
    value === undefined ? [] : [{ ...entry, path: ["store", name], value }];
  return [{ ...entry, path: PLACE, value: place }, ...said("ttl", ttl), ...said("max_bytes", maxBytes)];
}

/** What an address says comes first: in one file, a key of its own beats it. */
export function openStoreEntries(entries: readonly Entry[]): Entry[] {
  const places = entries.filter(isPlace);
  if (places.length === 0) return [...entries];
  return [...places.flatMap(open), ...entries.filter((entry) => !isPlace(entry))];
}
