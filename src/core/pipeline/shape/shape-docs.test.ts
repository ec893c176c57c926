import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../json/json-value.ts";
import { type FieldFilter, type FilterFacts, filterData } from "./compile-filter.ts";

const page = readFileSync(new URL("../../../../docs/shape.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/```jsonc\n(.*?)```/gs)].map(([, body = ""]) => {
  const parts = [...body.matchAll(/^\/\/ (\w+)\n(.*)$/gm)].map(([, label, text = ""]) => [
    label,
    JSON.parse(text),
  ]);
  return Object.fromEntries(parts) as {
    data: JsonValue;
    filter: FieldFilter;
    facts?: FilterFacts;
    result: JsonValue;
  };
});

describe("docs/shape.md", () => {
  it("has examples", () => {
    expect(examples).toHaveLength(7);
  });

  it.each(examples)("shows what $filter really gives", ({ data, filter, facts, result }) => {
    expect(JSON.stringify(filterData(data, filter, facts))).toBe(JSON.stringify(result));
  });
});
