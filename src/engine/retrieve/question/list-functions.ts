// The functions of lists: order, extremes, sums and groups. Records without a key (null) are left out of
// extremes and sums, and are last in an order: real lists have gaps.

import { type JsonValue, setOwn } from "../../../core/json/json-value.ts";
import { compareText, compareValues, isEqual } from "./compare-values.ts";
import { type Evaluator, type FunctionCall, type List, type Meter, WrongArgument } from "./meter.ts";
import { typeOf } from "./function-signatures.ts";

interface Keyed {
  readonly record: JsonValue;
  readonly key: JsonValue;
}

/** Each record with its key, computed once. All keys have one type: numbers or texts. */
function withKeys(meter: Meter, list: List, key: Evaluator): Keyed[] {
  meter.values(list.length);
  const keyed = list.map((record) => ({ record, key: key(record) }));
  const first = keyed.find((one) => one.key !== null)?.key ?? null;
  for (const { key: other } of keyed) {
    if (other !== null && compareValues(first, other) === undefined)
      throw new WrongArgument(
        `its keys must all be numbers or all be text, and there are ${typeOf(first)} and ${typeOf(other)}`,
      );
  }
  return keyed;
}

/** Keys that are null come last, equal ones keep their order. */
function compareKeys(left: Keyed, right: Keyed): number {
  if (left.key === null || right.key === null) return Number(left.key === null) - Number(right.key === null);
  return compareValues(left.key, right.key) ?? 0;
}

function extreme(meter: Meter, list: List, key: Evaluator, sign: 1 | -1): JsonValue {
  let best: Keyed | undefined;
  for (const one of withKeys(meter, list, key)) {
    if (one.key === null) continue;
    if (best === undefined || sign * compareKeys(one, best) > 0) best = one;
  }
  return best?.record ?? null;
}

function extremeOf(list: List, sign: 1 | -1): JsonValue {
  let best: JsonValue = null;
  for (const one of list) if (best === null || sign * (compareValues(one, best) ?? 0) > 0) best = one;
  return best;
}

function sumOf(list: List): number {
  let sum = 0;
  for (const one of list) sum += one as number;
  return sum;
}

/** The numbers that an expression gives for the records; null is left out. */
function numbersOf(meter: Meter, list: List, amount: Evaluator): number[] {
  meter.values(list.length);
  const numbers: number[] = [];
  for (const record of list) {
    const one = amount(record);
    if (typeof one === "number") numbers.push(one);
    else if (one !== null)
      throw new WrongArgument(`it adds numbers, and one of the values is ${typeOf(one)}`);
  }
  return numbers;
}

function average(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : sumOf(numbers) / numbers.length;
}

/** A number for the whole list, or, with a second expression, one number for each group. */
function byGroup(total: (numbers: readonly number[]) => number | null): FunctionCall {
  return (meter: Meter, list: List, first: Evaluator, second?: Evaluator): JsonValue => {
    if (second === undefined) return total(numbersOf(meter, list, first));
    meter.values(list.length);
    const groups = foldGroups<JsonValue[]>(list, first, (record, group = []) => {
      group.push(record);
      return group;
    });
    const totals = new Map(
      [...groups].map(([name, group]) => [name, total(numbersOf(meter, group, second))]),
    );
    return groupsToObject(meter, totals);
  };
}

function uniqueBy(meter: Meter, list: List, key: Evaluator): JsonValue {
  const seen = new Set<unknown>();
  return list.filter((record) => {
    const identity = identityOf(meter, key(record));
    if (seen.has(identity)) return false;
    meter.values(1);
    seen.add(identity);
    return true;
  });
}

export const listFunctions = {
  avg: (_: Meter, list: readonly number[]) => average(list),
  contains: (_: Meter, searched: string | List, wanted: JsonValue) => {
    if (typeof searched !== "string") return searched.some((item) => isEqual(item, wanted));
    return typeof wanted === "string" ? searched.includes(wanted) : null;
  },
  group_by: (meter: Meter, list: List, key: Evaluator) => {
    meter.values(list.length);
    const groups = foldGroups<JsonValue[]>(list, key, (record, group = []) => {
      group.push(record);
      return group;
    });
    return groupsToObject(meter, groups);
  },
  map: (meter: Meter, each: Evaluator, list: List) => {
    meter.values(list.length);
    return list.map((item) => each(item));
  },
  max: (_: Meter, list: List) => extremeOf(list, 1),
  max_by: (meter: Meter, list: List, key: Evaluator) => extreme(meter, list, key, 1),
  min: (_: Meter, list: List) => extremeOf(list, -1),
  min_by: (meter: Meter, list: List, key: Evaluator) => extreme(meter, list, key, -1),
  sort: (meter: Meter, list: List) => {
    meter.values(list.length);
    const isText = typeof list[0] === "string";
    return [...list].sort((a, b) =>
      isText ? compareText(a as string, b as string) : (a as number) - (b as number),
    );
  },
  sort_by: (meter: Meter, list: List, key: Evaluator) =>
    withKeys(meter, list, key)
      .sort(compareKeys)
      .map(({ record }) => record),
  sum: (_: Meter, list: List) => sumOf(list),
  zip: (meter: Meter, ...lists: List[]) => {
    const length = lists.reduce((least, list) => Math.min(least, list.length), Number.POSITIVE_INFINITY);
    meter.values(length * lists.length);
    return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
  },

  avg_by: byGroup(average),
  count_by: (meter: Meter, list: List, key: Evaluator) =>
    groupsToObject(
      meter,
      foldGroups<number>(list, key, (_, count = 0) => count + 1),
    ),
  sum_by: byGroup(sumOf),
  top_by: (meter: Meter, list: List, key: Evaluator, count: number) =>
    withKeys(meter, list, key)
      .filter((one) => one.key !== null)
      .sort((left, right) => compareKeys(right, left))
      .slice(0, Math.max(0, count))
      .map(({ record }) => record),
  unique: (meter: Meter, list: List) => uniqueBy(meter, list, (item) => item),
  unique_by: uniqueBy,
} satisfies Record<string, FunctionCall>;

/** The name of a record's group: a text unchanged, a number, a boolean or null as JSON. */
function groupName(key: JsonValue): string {
  if (typeof key === "string") return key;
  if (typeof key === "object" && key !== null)
    throw new WrongArgument(`it groups by text, numbers or booleans, and the key is an ${typeOf(key)}`);
  return String(key);
}

/** One value for each group, in the order in which the groups appear. */
function foldGroups<T>(
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
function groupsToObject(meter: Meter, groups: ReadonlyMap<string, JsonValue>): JsonValue {
  meter.values(groups.size);
  const object: Record<string, JsonValue> = {};
  for (const [name, value] of groups) setOwn(object, name, value);
  return object;
}

/** Equal exactly for equal values, apart from key order: lists and objects as JSON text, other values as they are. */
function identityOf(meter: Meter, value: JsonValue): string | number | boolean | null {
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
