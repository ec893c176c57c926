import { describe, expect, test } from "vitest";
import type { Notes } from "../../contract/outcome.ts";
import { trimLevels, trimNotes } from "./candidate.ts";

const notes: Notes = {
  requestId: "req_1",
  warnings: [
    {
      code: "PARTIAL_FAILURE",
      severity: "warning",
      message: `Long ${"x".repeat(200)}`,
      context: { failed: 3 },
    },
    { code: "STALE_CACHE", severity: "info", message: "Old", context: { age: 9 } },
    { code: "DEPRECATED_FIELD", severity: "info", message: "Gone soon" },
  ],
  pagination: { cursor: "abc", has_more: true },
  fidelity: { level: "partial", dropped: ["/a"], archives: { "a-1": "sha256:1" } },
  rateLimit: { limit: 1 },
  telemetry: { duration_ms: 1 },
  upgradeHints: [{ feature: "f", tier: "pro", reason: "r" }],
  extra: { author: "note" },
  toolId: "list",
};

describe("trimNotes", () => {
  test("gives notes back untouched at the first level", () => {
    expect(trimNotes(notes, "none")).toBe(notes);
  });

  test("gives up in this order: names in the hint, context, info warnings, extras, details, everything that may go", () => {
    expect(trimNotes(notes, "hint")).toBe(notes);
    expect(trimLevels).toEqual(["none", "hint", "context", "info", "extras", "details", "all", "least"]);
  });

  test("drops the context of warnings and keeps what they say", () => {
    const { warnings } = trimNotes(notes, "context");
    expect(warnings?.map(({ code }) => code)).toEqual(["PARTIAL_FAILURE", "STALE_CACHE", "DEPRECATED_FIELD"]);
    expect(warnings?.some((warning) => "context" in warning)).toBe(false);
  });

  test("drops info warnings and says how many", () => {
    const { warnings } = trimNotes(notes, "info");
    expect(warnings?.map(({ message }) => message.slice(0, 40))).toEqual([
      `Long ${"x".repeat(35)}`,
      "2 warnings omitted due to token limits",
    ]);
  });

  test("drops the author's extras and what only explains, then shortens what is left", () => {
    expect(trimNotes(notes, "info").extra).toEqual({ author: "note" });
    expect(trimNotes(notes, "extras")).not.toHaveProperty("extra");
    const { warnings } = trimNotes(notes, "details");
    expect(warnings?.[0]).toEqual({
      code: "PARTIAL_FAILURE",
      severity: "warning",
      message: `Long ${"x".repeat(115)}`,
    });
  });

  test("says last of all that the budget was raised", () => {
    const context = { asked: 1, used: 256 };
    const floored = {
      code: "TOKEN_BUDGET_FLOORED",
      severity: "warning",
      message: "Too small",
      context,
    } as const;
    const warnings = [floored, { message: "Another" }];
    expect(trimNotes({ warnings }, "all").warnings).toEqual([
      { code: "TOKEN_BUDGET_FLOORED", severity: "warning", message: "Budget 1 raised to 256" },
      { message: "1 warning omitted due to token limits" },
    ]);
    expect(trimNotes({ warnings }, "least").warnings).toEqual([
      { message: "2 warnings omitted due to token limits" },
    ]);
  });

  test("counts what is left out of ten thousand warnings", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ message: `Warning ${index}` }));
    const { warnings = [] } = trimNotes({ warnings: many }, "details");
    expect(warnings.map(({ message }) => message)).toEqual([
      "Warning 0",
      "Warning 1",
      "Warning 2",
      "9997 warnings omitted due to token limits",
    ]);
    expect(trimNotes({ warnings: many }, "all").warnings).toEqual([
      { message: "10000 warnings omitted due to token limits" },
    ]);
  });

  test("says it in the singular of one", () => {
    expect(trimNotes({ warnings: [{ message: "One" }] }, "all").warnings).toEqual([
      { message: "1 warning omitted due to token limits" },
    ]);
  });

  test("never gives up the request id, the cursor, or what an earlier cut left out", () => {
    for (const level of trimLevels) {
      expect(trimNotes(notes, level)).toMatchObject({
        requestId: "req_1",
        pagination: { cursor: "abc", has_more: true },
        fidelity: { dropped: ["/a"], archives: { "a-1": "sha256:1" } },
      });
    }
  });

  test("adds nothing to notes that have nothing", () => {
    for (const level of trimLevels) expect(trimNotes({}, level)).toEqual({});
  });
});
