import type { JsonValue } from "../json/json-value.ts";

/** The strings and numbers of an item, a line each in document order: what a query is looked for in. */
export function itemText(item: JsonValue): string {
  if (typeof item === "string") return item;
  const lines: string[] = [];
  const pending: JsonValue[] = [item];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string") lines.push(value);
    else if (typeof value === "number") lines.push(String(value));
    else if (typeof value === "object" && value !== null) pushInner(value, pending);
  }
  return lines.join("\n");
}

// One by one: a spread of a long list overflows the stack. Backwards, since the last one pushed comes first.
function pushInner(value: object, pending: JsonValue[]): void {
  const inner = Object.values(value) as JsonValue[];
  for (let index = inner.length - 1; index >= 0; index--) pending.push(inner[index] ?? null);
}
