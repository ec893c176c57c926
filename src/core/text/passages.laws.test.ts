import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { countLineEnds } from "../text/code-points.ts";
import { passagesOf, rankPassages } from "./passages.ts";

const line = fc.oneof(
  fc.constantFrom("", "\r", "valve", "cold water", "water and the cold", "数据行 🚚"),
  fc.lorem({ maxCount: 30 }),
  fc.string({ unit: "binary", minLength: 900, maxLength: 2_500 }),
);
const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));

describe("the passages of a text", () => {
  test("are all of it, in order, each with the line it begins in", () => {
    fc.assert(
      fc.property(text, (whole) => {
        let end = 0;
        for (const passage of passagesOf(whole)) {
          expect(passage.start).toBe(end);
          expect(passage.end).toBeGreaterThan(end);
          expect(passage.line).toBe(countLineEnds(whole.slice(0, passage.start)) + 1);
          ({ end } = passage);
        }
        expect(end).toBe(whole.length);
      }),
      lawRuns(1_000),
    );
  });

  test("with all words are ranked before those with some", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const found = rankPassages(whole, "cold water", 1_000).map(({ start, end }) => {
          const words = new Set(
            whole
              .slice(start, end)
              .toLowerCase()
              .match(/[\p{L}\p{N}\p{M}]+/gu),
          );
          return words.has("cold") && words.has("water");
        });
        expect(found).toEqual(found.toSorted((a, b) => Number(b) - Number(a)));
      }),
      lawRuns(1_000),
    );
  });
});
