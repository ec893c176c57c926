import { type JsonValue, setOwn } from "../../../core/json/json-value.ts";
import { type Evaluator, type List, WrongArgument } from "./function-call.ts";
import type { Meter } from "./meter.ts";
import { typeOf } from "./value-kinds.ts";

/** The name of a record's group: a text as it is, a number, a boolean or null as JSON writes it. */
function groupName(key: JsonValue): string {
  if (typeof key === "string") return key;
  if (typeof key === "object" && key !== null)
    throw new WrongArgument(`it groups by text, numbers or booleans, and the key is an ${typeOf(key)}`);
  return String(key);
}

/** One value for each group, in the order in which the groups appear. */
export function foldGroups<T>(
  list: List,
  key: Evaluator,
  fold: (record: JsonValue, current: T | undefined) => T,
): Map<string, T> {
  const groups = new Map<string, T>();
  for (const record of list) {
    const name = groupName(key(record));
    groups.set(name, fold(record, groups.get(name)));
  }
  return groups;
}

/** The groups as an object. `__proto__` is a name like any other. */
export function groupsToObject(meter: Meter, groups: ReadonlyMap<string, JsonValue>): JsonValue {
  meter.values(groups.size);
  const object: Record<string, JsonValue> = {};
  for (const [name, value] of groups) setOwn(object, name, value);
  return object;
}

/** Texts, numbers and the rest by their JSON text, which is equal exactly where the values are, key order aside. */
export function identityOf(meter: Meter, value: JsonValue): string | number | boolean | null {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? `"${value}` : value;
  meter.values(1);
  return sortedText(meter, value);
}

function sortedText(meter: Meter, value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => sortedText(meter, item as JsonValue))
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => `${JSON.stringify(key)}:${sortedText(meter, item)}`);
  const text = parts.join(",");
  meter.text(text.length);
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}
