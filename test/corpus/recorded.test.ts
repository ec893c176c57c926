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

function measured(isHeldOut: boolean, way: string): Figures {
  const half = readRecorded().filter((each) => each.isHeldOut === isHeldOut);
  const change = ways[way] ?? unpacked;
  const startsOf = (each: Recorded) => (way === BY_POLICY ? learntOf(each, half) : undefined);
  const figures = figuresOf(half.map((each) => readAs(each, change(each.result), startsOf(each))));
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
  it.each([...Object.keys(ways), BY_POLICY])("are read %s, and never invite a retry in vain", (way) => {
    const figures = measured(isHeldOut, way);
    expect(figures.precision).toBeGreaterThanOrEqual(0.99);
    expect(figures.falseInvitations).toEqual([]);
    // Without the mark only words are left, and only a policy makes failures of what the words merely suggest.
    const leastTold = way === "without its mark" ? 0.5 : 0.85;
    const leastFound = way === BY_POLICY ? 0.85 : 0.3;
    expect(figures.toldRecall).toBeGreaterThanOrEqual(leastTold);
    expect(figures.recall).toBeGreaterThanOrEqual(leastFound);
  });
});

describe("the recorded results", () => {
  it("are there where they are required", () => {
    expect(hasRecorded || !isRecordedRequired).toBe(true);
  });
});
