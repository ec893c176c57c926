import { describe, expect, it } from "vitest";
import { warningRows } from "../../src/core/contract/warning-rows.ts";
import { warningSeverity } from "../../src/core/contract/warning.ts";

describe("the warnings of source 001", () => {
  // shows 001.48 with CONTENT_TRUNCATED
  // shows 001.51 with DEPRECATED_FIELD
  // shows 001.53 with FALLBACK_USED
  // shows 001.50 with PARTIAL_FAILURE
  // shows 001.52 with RATE_LIMIT_APPROACHING
  // shows 001.49 with STALE_CACHE
  it.each([
    ["CONTENT_TRUNCATED", "info"],
    ["STALE_CACHE", "warning"],
    ["PARTIAL_FAILURE", "warning"],
    ["DEPRECATED_FIELD", "info"],
    ["RATE_LIMIT_APPROACHING", "warning"],
    ["FALLBACK_USED", "info"],
  ])("%s has the severity %s", (code, severity) => {
    expect(warningRows.find((row) => row.code === code)).toMatchObject({ code, severity });
    expect(warningSeverity({ code, message: "Something is to be known" })).toBe(severity);
  });
});
