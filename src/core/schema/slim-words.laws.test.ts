import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../test/arbitrary/growth.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject } from "../json/json-value.ts";
import { slimSchema } from "./slim-schema.ts";
import { type FieldFacts, ToolLines, slimFieldText, tidyText } from "./slim-words.ts";

const words = fc.constantFrom(
  ..."the limit Limit (optional) [optional] Optional. required: default 10 (default: 10) defaults to . , ; : ( ) [ ] a".split(
    " ",
  ),
);
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .tuple(fc.array(words, { maxLength: 10 }), fc.constantFrom(" ", "\n", "\n\n  ", "  "))
    .map(([all, space]) => all.join(space)),
);
const field: fc.Arbitrary<FieldFacts> = fc.record({
  name: fc.constantFrom("limit", "a", "maxItems", ""),
  isRequired: fc.constantFrom(true, false, undefined),
  schema: fc.constantFrom<JsonObject>(
    {},
    { type: "integer", default: 10 },
    { type: ["string", "null"], default: "a" },
  ),
});

/** The characters that say something, in their order. */
function inkOf(said: string): string {
  return said.replaceAll(/\s+/g, "");
}

describe("the words of a definition", () => {
  it("lose only spaces where they are tidied, and nothing the second time", () => {
    const law = fc.property(text, (given) => {
      const tidy = tidyText(given);
      expect(inkOf(tidy)).toBe(inkOf(given));
      expect(tidyText(tidy)).toBe(tidy);
      expect(tidy.length).toBeLessThanOrEqual(given.length);
    });
    fc.assert(law, lawRuns(3_000));
  });

  it("stay in their order, as one piece of what a field was described with", () => {
    const law = fc.property(text, field, text, (given, facts, tool) => {
      const left = slimFieldText(given, facts, new ToolLines(tool));
      expect(inkOf(given)).toContain(inkOf(left ?? ""));
    });
    fc.assert(law, lawRuns(3_000));
  });

  it.each([
    ["clauses", "(optional) "],
    ["separators", ", optional"],
    ["brackets", "(((((("],
    ["lines", "  - a: b\n"],
    ["spaces", "      \n"],
  ])("are read in a time that grows with their length: %s", (_what, piece) => {
    const run = (times: number) => (): unknown => {
      const long = piece.repeat(times);
      const schema = {
        type: "object",
        properties: { a: { type: "string", title: long, description: long } },
      };
      return slimSchema(schema, { name: "t", description: long });
    };
    expect(growth(run(2_000), run(16_000))).toBeLessThan(24);
  });
});
