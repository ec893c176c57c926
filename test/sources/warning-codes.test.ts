import { describe, expect, it } from "vitest";
import { warningRows } from "../../src/core/contract/warning-rows.ts";
import { severityOf } from "../../src/core/contract/warning.ts";

describe("the warnings of source 001", () => {
  it.each([
    ["CONTENT_TRUNCATED", "info"],
    ["STALE_CACHE", "warning"],
    ["PARTIAL_FAILURE", "warning"],
    ["DEPRECATED_FIELD", "info"],
    ["RATE_LIMIT_APPROACHING", "warning"],
    ["FALLBACK_USED", "info"],
  ])("%s has the severity %s", (code, severity) => {
    expect(warningRows.find((row) => row.code === code)).toMatchObject({ code, severity });
    expect(severityOf({ code, message: "Something is to be known" })).toBe(severity);
  });
});
