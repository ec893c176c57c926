import type { JsonValue } from "../../json/json-value.ts";
import { compileFilter } from "./compile-filter.ts";
import type { FieldFilter, FilterFacts } from "./field-filter.ts";

/**
 * The part of `data` that a filter keeps. Compile a filter that is used again with `compileFilter`.
 *
 * @example
 * filterData({ tasks: [{ id: 1, log: "…" }], took: 3 }, { includeOnly: ["tasks.id"] }); // { tasks: [{ id: 1 }] }
 */
export function filterData(data: JsonValue, filter: FieldFilter, facts: FilterFacts = {}): JsonValue {
  return compileFilter(filter)(data, facts);
}
