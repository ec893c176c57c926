import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { startOfFailures } from "./failure-start.ts";

describe("how a tool begins what it does not mark", () => {
  it.each<[string, readonly string[], readonly string[], string | undefined]>([
    ["the same word", ["Error: a is missing", "Error: b is no number"], ["3 files"], "Error: "],
    ["the same words, longer than the first sign", ["Oops: bad: a", "Oops: bad: b"], ["x"], "Oops: "],
    ["the same text", ["[FAILED] no", "[FAILED] no"], ["x"], "[FAILED] "],
    ["different words", ["Error: a", "Invalid b"], ["x"], undefined],
    ["a good text that begins so too", ["Note: a", "Note: b"], ["Note: all is well"], undefined],
    ["a single refusal", ["Error: a"], ["x"], undefined],
    ["no good text", ["Error: a", "Error: b"], [], undefined],
    ["data", ['{"a": 1}', '{"a": 2}'], ["x"], undefined],
    ["a number", ["12: a", "12: b"], ["x"], undefined],
    ["no sign", ["Nothing here", "Nothing there"], ["x"], undefined],
  ])("is learnt only where it is certain: %s", (_what, bad, good, start) => {
    expect(startOfFailures(bad, good)).toBe(start);
  });

  it("begins every refusal and no good text, whatever they are", () => {
    const texts = fc.array(
      fc.oneof(fc.string(), fc.constantFrom("Error: a", "Error: b", "Oops! c", "fine")),
      {
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(texts, texts, (bad, good) => {
        const start = startOfFailures(bad, good);
        if (start === undefined) return;
        expect(start.length).toBeGreaterThan(3);
        expect(bad.every((text) => text.startsWith(start))).toBe(true);
        expect(good.some((text) => text.startsWith(start))).toBe(false);
      }),
      lawRuns(1_000),
    );
  });
});
