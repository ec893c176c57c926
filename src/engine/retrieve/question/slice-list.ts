import type { JsonValue } from "../../../core/json/json-value.ts";
import type { NodeOf } from "./expression-node.ts";
import type { Meter } from "./meter.ts";

/** Where a slice starts and stops in a list of a length: negative numbers count from its end. */
function boundsOf({ start, stop, step }: NodeOf<"Slice">, length: number): [number, number, number] {
  const by = step ?? 1;
  const cap = (index: number): number => {
    const place = index < 0 ? index + length : index;
    return by < 0 ? Math.min(Math.max(place, -1), length - 1) : Math.min(Math.max(place, 0), length);
  };
  return [
    start === null ? (by < 0 ? length - 1 : 0) : cap(start),
    stop === null ? (by < 0 ? -1 : length) : cap(stop),
    by,
  ];
}

/** A slice of a list, or of a text by its characters; null of anything else. */
export function sliceOf(meter: Meter, value: JsonValue, node: NodeOf<"Slice">): JsonValue {
  if (typeof value === "string") {
    meter.values(value.length);
    return take(Array.from(value), node).join("");
  }
  if (!Array.isArray(value)) return null;
  const slice = take(value as readonly JsonValue[], node);
  meter.values(slice.length);
  return slice;
}

function take<Item>(items: readonly Item[], node: NodeOf<"Slice">): Item[] {
  const [start, stop, step] = boundsOf(node, items.length);
  if (step === 1) return items.slice(start, Math.max(start, stop));
  const taken: Item[] = [];
  for (let index = start; step > 0 ? index < stop : index > stop; index += step) {
    const item = items[index];
    if (item !== undefined) taken.push(item);
  }
  return taken;
}
