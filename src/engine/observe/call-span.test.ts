import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { parseTraceparent } from "./call-observer.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describe("parseTraceparent", () => {
  it("reads version 00", () => {
    expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, flags: 1 });
    expect(parseTraceparent(`00-${traceId}-${spanId}-00`)?.flags).toBe(0);
    expect(parseTraceparent(`00-${traceId}-${spanId}-ff`)?.flags).toBe(255);
  });

  it.each([
    ["capitals", `00-${traceId.toUpperCase()}-${spanId}-01`],
    ["another version", `01-${traceId}-${spanId}-01`],
    ["the forbidden version", `ff-${traceId}-${spanId}-01`],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["no flags", `00-${traceId}-${spanId}`],
    ["something behind", `00-${traceId}-${spanId}-01-x`],
    ["a line end behind", `00-${traceId}-${spanId}-01\n`],
    ["a blank before", ` 00-${traceId}-${spanId}-01`],
    ["a short trace id", `00-${traceId.slice(1)}-${spanId}-01`],
    ["nothing", ""],
    ["no string", 42],
    ["undefined", undefined],
  ])("refuses %s", (_, value) => {
    expect(parseTraceparent(value)).toBeUndefined();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseTraceparent(value)).toBeUndefined();
      }),
      lawRuns(1_000),
    );
  });
});
