import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import {
  type Figures,
  type Recorded,
  figuresOf,
  hasRecorded,
  learntOf,
  isRecordedRequired,
  readAs,
  readRecorded,
  unmarked,
  unpacked,
} from "./recorded-results.ts";

if (!hasRecorded) process.stderr.write("recorded.test: no ../shared/data/results; nothing is measured\n");

/** The three ways in which the same result can arrive. */
const ways: Readonly<Record<string, (result: JsonObject) => JsonObject>> = {
  "as recorded": (result) => result,
  "as the server sent it": unpacked,
  "without its mark": (result) => unmarked(unpacked(result)),
};

const BY_POLICY = "with a policy learnt from the tool's other results";
/** No annotations were recorded, so only the word `read` makes a tool one that gives documents. */
const BY_NAME = "with the tool's name and arguments known";

function readingOf(each: Recorded, way: string, half: readonly Recorded[]) {
  if (way === BY_NAME) return { isDocument: each.isDocument };
  const failureStarts = way === BY_POLICY ? learntOf(each, half) : undefined;
  return failureStarts === undefined ? {} : { failureStarts };
}

function measured(isHeldOut: boolean, way: string): Figures {
  const half = readRecorded().filter((each) => each.isHeldOut === isHeldOut);
  const change = ways[way] ?? unpacked;
  const figures = figuresOf(
    half.map((each) => readAs(each, change(each.result), readingOf(each, way, half))),
  );
  const { failures, found, noted, precision, ofKind, falseNotes, falseInvitations } = figures;
  process.stdout.write(
    `${isHeldOut ? "held out" : "tuning"}, ${way}: ${found} of ${failures} failures (recall ` +
      `${figures.recall.toFixed(3)}), ${noted} more noted (${figures.toldRecall.toFixed(3)}), precision ` +
      `${precision.toFixed(3)}, ${falseNotes} successes noted, ${ofKind} of ${found} of the right type, ` +
      `${falseInvitations.length} false invitations\n`,
  );
  return figures;
}

describe.runIf(hasRecorded).each([
  ["results that rules may be written for", false],
  ["results of servers and tools that no rule was written for", true],
] as const)("%s", (_name, isHeldOut) => {
  it.each([...Object.keys(ways), BY_POLICY, BY_NAME])(
    "are read %s, and never invite a retry in vain",
    (way) => {
      const figures = measured(isHeldOut, way);
      expect(figures.precision).toBeGreaterThanOrEqual(0.99);
      expect(figures.falseInvitations).toEqual([]);
      // Without the mark only words are left.
      const least = way === "without its mark" ? 0.75 : 0.85;
      expect(figures.recall).toBeGreaterThanOrEqual(least);
    },
  );
});

describe("the recorded results", () => {
  it("are there where they are required", () => {
    expect(hasRecorded || !isRecordedRequired).toBe(true);
  });
});
