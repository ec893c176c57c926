import { describe, expect, it } from "vitest";
import type { FindingSeverity } from "../../core/rules/server-rule.ts";
import type { CheckFinding } from "./report/check-report.ts";
import { scoreOf } from "./judge.ts";

function finding(severity: FindingSeverity, rule: string, isKnown = false): CheckFinding {
  return { rule, severity, path: "", message: "wrong", fix: "mend it", source: "a page", isKnown };
}

function score(findings: readonly CheckFinding[], calledTools = 1, goodCalls = calledTools) {
  const coverage = {
    says: "",
    tools: 1,
    called: calledTools,
    succeeded: goodCalls,
    apart: [],
    isReachable: true,
    definitionsOnly: false,
    notCalled: [],
  };
  return scoreOf({ findings, coverage });
}

describe("scoreOf", () => {
  it("is 100 where nothing was found", () => {
    expect(score([])).toEqual({ value: 100, reasons: [] });
  });

  it("takes points for each broken rule, the worst first", () => {
    const found = [finding("info", "c/c"), finding("warning", "b/b"), finding("error", "a/a")];
    expect(score(found)).toEqual({
      value: 89,
      reasons: [
        { text: "a/a: 1 error", points: 8 },
        { text: "b/b: 1 warning", points: 2 },
        { text: "c/c: 1 remark", points: 1 },
      ],
    });
  });

  it("takes a little for each further finding of a rule, up to a limit", () => {
    expect(score([finding("error", "a/a"), finding("error", "a/a")])?.value).toBe(91);
    expect(score(Array.from({ length: 60 }, () => finding("error", "a/a")))?.value).toBe(84);
  });

  it("takes at most 5 points for remarks and 40 for warnings, however many there are", () => {
    const many = (severity: FindingSeverity) =>
      Array.from({ length: 90 }, (_, index) => finding(severity, `group/rule-${index}`));
    expect(score(many("info"))?.value).toBe(95);
    expect(score(many("warning"))?.value).toBe(60);
    expect(score(many("error"))?.value).toBe(0);
  });

  it("takes nothing for what a baseline knows", () => {
    expect(score([finding("error", "a/a", true)])).toEqual({ value: 100, reasons: [] });
  });

  it("is missing where no tool was called, whatever was found", () => {
    expect(score([], 0)).toBeNull();
    expect(score([finding("error", "a/a")], 0)).toBeNull();
  });

  it("is missing where no call succeeded", () => {
    expect(score([], 1, 0)).toBeNull();
  });
});
