import { describe, expect, it } from "vitest";
import { reportedFailure } from "./from-result.ts";

describe("reportedFailure", () => {
  it("reads a value that says by its flag that it failed, as the gateway reads it", () => {
    expect(reportedFailure({ success: false, error: "no such table: users" })).toMatchObject({
      ok: false,
      fault: { code: "NOT_FOUND", message: "no such table: users" },
    });
    expect(reportedFailure({ success: false, error: { message: "Slow down", code: 429 } })).toMatchObject({
      fault: { code: "RATE_LIMIT_EXCEEDED", message: "Slow down" },
    });
  });

  it("leaves data alone: an error without the flag, a flag without words, data beside the report", () => {
    for (const value of [
      { error: "x" },
      { success: false },
      { success: false, error: null },
      { success: true, error: "none" },
      { success: false, error: "2 of 3 failed", rows: [{ id: 1 }] },
    ])
      expect(reportedFailure(value)).toBeUndefined();
  });
});
