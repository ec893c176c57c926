// Names of fields of many objects, as lean gives them: `/items/*/node_id` is the field of every item, `/**/node_id` the field
// wherever it is.

import type { JsonValue } from "./json-value.ts";
import type { FoundItem } from "./main-collection.ts";
import { appendPointer, parsePointer } from "./pointer.ts";

const STARS = /\/\*\*?\//;
/** Deeper values are not looked into. */
const MAX_DEPTH = 100;

export function hasStars(pointer: string): boolean {
  return STARS.test(pointer);
}

/**
 * The steps of a pointer with stars. Undefined if it has more than one `**`: a value would be walked again and again.
 * Throws a SyntaxError on text that is not a pointer.
 */
export function starredSteps(pointer: string): readonly string[] | undefined {
  const steps = parsePointer(pointer);
  return steps.indexOf("**") === steps.lastIndexOf("**") ? steps : undefined;
}

/** What is at these steps, in document order. `*` stands for any key, `**` for any way, the empty one too. */
export function fieldsAt(value: JsonValue, steps: readonly string[]): readonly FoundItem[] {
  const found: FoundItem[] = [];
  const visit = (at: JsonValue, place: string, step: number, depth: number): void => {
    const key = steps[step];
    if (key === undefined) return void found.push({ pointer: place, value: at });
    if (typeof at !== "object" || at === null || depth > MAX_DEPTH) return;
    const enter = (name: string, next: number): void =>
      visit(memberOf(at, name), appendPointer(place, name), next, depth + 1);
    if (key === "**") {
      const next = steps[step + 1];
      if (next !== undefined && Object.hasOwn(at, next)) enter(next, step + 2);
      for (const name of Object.keys(at)) enter(name, step);
    } else if (key === "*") for (const name of Object.keys(at)) enter(name, step + 1);
    else if (Object.hasOwn(at, key)) enter(key, step + 1);
  };
  visit(value, "", 0, 0);
  return found;
}

function memberOf(value: object, key: string): JsonValue {
  return (value as Readonly<Record<string, JsonValue>>)[key] ?? null;
}
