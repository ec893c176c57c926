import type { JsonValue } from "./json-value.ts";
import { readTable } from "./read-table.ts";

/** Whether a value stands for a list of objects, as `encodeTables` writes it. */
export function isTable(value: JsonValue): boolean {
  return readTable(value) !== undefined;
}
