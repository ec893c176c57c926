import { describe, expect, it } from "vitest";
import { mayNeedReading } from "../../src/pipeline/outcome/failure-signs.ts";
import { fromResult } from "../../src/pipeline/outcome/from-result.ts";
import { ordinaryResults } from "./ordinary.fixture.ts";

describe("an ordinary result", () => {
  it("is never read as a failure, and hardly ever noted", () => {
    expect(ordinaryResults.length).toBeGreaterThanOrEqual(500);
    const misread = ordinaryResults.filter(({ result }) => !fromResult(result).outcome.ok);
    expect(misread.map(({ name }) => name)).toEqual([]);
    const noted = ordinaryResults.filter(
      ({ result }) => fromResult(result).outcome.notes.warnings !== undefined,
    );
    // Two pieces of source code that begin in the middle, with "Error: ".
    expect(noted.length).toBeLessThanOrEqual(3);
  });

  it("seldom has to be read at all", () => {
    const read = ordinaryResults.filter(({ result }) => mayNeedReading(result));
    expect(read.length / ordinaryResults.length).toBeLessThan(0.2);
  });
});
