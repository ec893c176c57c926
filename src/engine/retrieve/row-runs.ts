// Rows that follow each other in one list come as a run: their values, with the range of their places said once. A page
// then has about as many of them as the first cut, and its pointer is one that the tool takes.

import type { JsonValue } from "../../core/json/json-value.ts";
import type { FoundItem } from "../../core/json/main-collection.ts";

/** As long as the last place of a page in any list can be. */
const LONGEST_PLACE = "999999999";

/** Items that follow each other in one list; one item alone is written as it is. */
export function writeRun(run: readonly FoundItem[], write: (item: FoundItem) => JsonValue): JsonValue {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (run.length === 1) return write(first);
  const end = last.pointer.slice(last.pointer.lastIndexOf("/") + 1);
  return { pointer: `${first.pointer}..${end}`, values: run.map(({ value }) => value) };
}

/** The text of a run of this item alone, which no run that begins with it exceeds by more than its other values. */
export function runText({ pointer }: FoundItem, json: string): string {
  return `{"pointer":${JSON.stringify(`${pointer}..${LONGEST_PLACE}`)},"values":[${json}]}`;
}
