import { describe, expect, it } from "vitest";
import { sampleFindings, sampleReport, untestedReport } from "./sample-report.fixture.ts";
import { verdictOf } from "./check-report.ts";

const warnings = sampleFindings.filter(({ severity }) => severity === "warning");

describe("verdictOf", () => {
  it("fails for errors", () => {
    expect(verdictOf(sampleReport())).toEqual({ outcome: "failed", because: ["2 errors"] });
  });

  it("passes with warnings, and fails for them where it is strict", () => {
    const report = sampleReport({ findings: warnings });
    expect(verdictOf(report)).toEqual({ outcome: "passed", because: [] });
    expect(verdictOf(report, { strict: true })).toEqual({ outcome: "failed", because: ["2 warnings"] });
  });

  it("passes with errors that are known", () => {
    const findings = sampleFindings.map((finding) => ({ ...finding, isKnown: true }));
    expect(verdictOf(sampleReport({ findings }), { strict: true }).outcome).toBe("passed");
  });

  it("fails for a stale entry and for a breaking change, not for a harmless one", () => {
    const change = { path: "", message: "gone", tool: "a" };
    expect(verdictOf(sampleReport({ findings: [], stale: [{ rule: "a/b", path: "" }] })).because).toEqual([
      "1 stale entry in the baseline",
    ]);
    expect(
      verdictOf(sampleReport({ findings: [], changes: [{ ...change, kind: "breaking" }] })).because,
    ).toEqual(["1 breaking change"]);
    expect(
      verdictOf(sampleReport({ findings: [], changes: [{ ...change, kind: "harmless" }] })).outcome,
    ).toBe("passed");
  });

  it("fails where no tool was called, unless only definitions were asked for", () => {
    const untested = untestedReport();
    expect(verdictOf(untested)).toEqual({
      outcome: "failed",
      because: ["nothing was tested: no tool was called"],
    });
    const coverage = { ...untested.coverage, definitionsOnly: true };
    expect(verdictOf(untestedReport({ coverage }))).toEqual({ outcome: "passed", because: [] });
    expect(verdictOf(untestedReport({ coverage, findings: sampleFindings })).because).toEqual(["2 errors"]);
  });

  it("says that a server could not be reached, and that a strict check was not finished", () => {
    expect(verdictOf(sampleReport({ isReachable: false, stopped: "no such file" }))).toEqual({
      outcome: "unreachable",
      because: ["no such file"],
    });
    const cut = sampleReport({ findings: [], isComplete: false });
    expect(verdictOf(cut).outcome).toBe("passed");
    expect(verdictOf(cut, { strict: true }).because).toEqual(["the check was not finished"]);
  });
});
