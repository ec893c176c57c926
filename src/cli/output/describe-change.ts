import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { jsonEqual } from "../../json/canonical-json.ts";
import { appendPointer } from "../../json/pointer.ts";

export const NOTHING_CHANGED = "nothing changed";

/** What a stage did to a value, in one line; places inside a list are named once, with `*` for the item. */
export function describeChange(before: JsonValue, after: JsonValue): string {
  if (jsonEqual(before, after)) return NOTHING_CHANGED;
  const removed = missingIn(before, after, "");
  const added = missingIn(after, before, "");
  const parts = [
    ...(removed.size > 0 ? [`removed ${[...removed].join(", ")}`] : []),
    ...(added.size > 0 ? [`added ${[...added].join(", ")}`] : []),
  ];
  return parts.length === 0 ? "values changed" : parts.join("; ");
}

function missingIn(value: JsonValue, other: JsonValue | undefined, path: string): Set<string> {
  const found = new Set<string>();
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    value.forEach((item, index) => {
      const inner = index < others.length ? missingIn(item, others[index], `${path}/*`) : [`${path}/*`];
      for (const place of inner) found.add(place);
    });
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const place = appendPointer(path, key);
      const kept = isJsonObject(other) && Object.hasOwn(other, key) ? other[key] : undefined;
      for (const inner of kept === undefined ? [place] : missingIn(item, kept, place)) found.add(inner);
    }
  }
  return found;
}
