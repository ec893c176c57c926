import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { compilePattern, searchLines } from "./search-lines.ts";

const text = fc
  .array(fc.constantFrom("a", "b", "ab", "é", "😀", " ", "\n", "\r\n", "\ud800"), { maxLength: 60 })
  .map((parts) => parts.join(""));

/** The lines of a text, found in another way. */
function linesOf(given: string): string[] {
  const lines = given.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "" && (given === "" || given.endsWith("\n"))) lines.pop();
  return lines;
}

describe("searchLines", () => {
  test("numbers lines as splitting does, and finds what a filter finds with what is around it", () =>
    fc.assert(
      fc.property(
        text,
        fc.option(fc.constantFrom("a", "b$", "^$", "[é😀]", "a.*b"), { nil: undefined }),
        fc.nat(3),
        fc.nat(10),
        (given, pattern, context, skip) => {
          const all = linesOf(given);
          const own = pattern === undefined ? undefined : new RegExp(pattern, "u");
          const isMatch = all.map((line) => own?.test(line) ?? true);
          const shown = all.flatMap((line, at) => {
            const near = isMatch.slice(Math.max(0, at - context), at + context + 1);
            return near.includes(true) ? [`${at + 1} ${line}`] : [];
          });
          const compiled = pattern === undefined ? undefined : compilePattern(pattern);
          const search = { context, skip, maxUnits: Number.POSITIVE_INFINITY };
          const found = searchLines(given, "", search, compiled);
          expect(found.totalLines).toBe(all.length);
          expect(found.matched).toBe(isMatch.filter(Boolean).length);
          expect(found.found).toBe(shown.length);
          expect(found.lines.map((each) => `${each.line} ${each.text}`)).toEqual(shown.slice(skip));
          for (const { at, text: line } of found.lines)
            expect(
              Array.from(given)
                .slice(at, at + Array.from(line).length)
                .join(""),
            ).toBe(line);
        },
      ),
      lawRuns(1_000),
    ));
});
