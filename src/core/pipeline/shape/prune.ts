import { type JsonObject, type JsonValue, setOwn } from "../../json/json-value.ts";
import type { FilterState } from "./filter-state.ts";

/** Which empty values an object loses. Array items are never removed. */
export interface Drops {
  readonly emptyArrays: boolean;
  readonly emptyObjects: boolean;
  readonly nulls: boolean;
}

/** The part of a value that a state keeps; parts without a change are the same references as in the value. */
export function prune(value: JsonValue, state: FilterState, drops: Drops): JsonValue {
  if (typeof value !== "object" || value === null || state.verdict === "untouched") return value;
  return isArray(value) ? pruneArray(value, state, drops) : pruneObject(value, state, drops);
}

function pruneArray(array: readonly JsonValue[], state: FilterState, drops: Drops): readonly JsonValue[] {
  const { named, rest } = state.items();
  if (named.size === 0 && rest.verdict === "untouched") return array;
  let pruned: JsonValue[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const item = array[index];
    if (typeof item !== "object" || item === null) continue;
    const next = named.size === 0 ? rest : (named.get(index) ?? rest);
    const kept = prune(item, next, drops);
    if (kept === item) continue;
    pruned ??= array.slice();
    pruned[index] = kept;
  }
  return pruned ?? array;
}

function pruneObject(object: JsonObject, state: FilterState, drops: Drops): JsonObject {
  const { named, rest } = state.names();
  const keys = Object.keys(object);
  let pruned: Record<string, JsonValue> | undefined;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    const value = object[key];
    const kept = pruneProperty(value, named.get(key) ?? rest, drops);
    if (pruned === undefined) {
      if (kept === value) continue;
      pruned = copyFirst(object, keys, index);
    }
    if (kept !== undefined) setOwn(pruned, key, kept);
  }
  return pruned ?? object;
}

function pruneProperty(
  value: JsonValue | undefined,
  state: FilterState,
  drops: Drops,
): JsonValue | undefined {
  if (state.verdict === "gone" || value === undefined) return undefined;
  if (value === null) return drops.nulls ? undefined : value;
  if (typeof value !== "object") return state.keepsRest ? value : undefined;
  const kept = prune(value, state, drops);
  if (isArray(kept)) return drops.emptyArrays && kept.length === 0 ? undefined : kept;
  return drops.emptyObjects && isEmptyObject(kept) ? undefined : kept;
}

function copyFirst(object: JsonObject, keys: readonly string[], count: number): Record<string, JsonValue> {
  const copy: Record<string, JsonValue> = {};
  for (let index = 0; index < count; index++) {
    const key = keys[index] ?? "";
    const value = object[key];
    if (value !== undefined) setOwn(copy, key, value);
  }
  return copy;
}

function isEmptyObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Array.isArray does not narrow readonly arrays away from objects. */
function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
