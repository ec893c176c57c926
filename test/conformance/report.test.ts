import { describe, expect, it } from "vitest";
import { type SuiteRun, findProblems, readSummary, tableOf } from "../../scripts/conformance-report.ts";

const output = `
=== Running scenario: tools-list ===

=== SUMMARY ===
✓ tools-list: 3 passed, 0 failed
✗ tools-call-error: 1 passed, 1 failed
✗ tasks-lifecycle: 1 passed, 8 failed

Total: 5 passed, 9 failed

Not scored for 2026-07-28: 1 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ tasks-lifecycle (extension)
`;

function run(variant: string, counts: Readonly<Record<string, readonly [number, number]>>): SuiteRun {
  const scenarios = Object.entries(counts).map(([name, [passed, failed]]) => ({
    name,
    passed,
    failed,
    isScored: !name.startsWith("tasks-"),
  }));
  return { variant, set: "2026-07-28", exitCode: 0, scenarios };
}

const fine = { "tools-list": [3, 0], "tasks-lifecycle": [1, 8] } as const;

describe("readSummary", () => {
  it("reads every scenario's counts, and which of them are scored", () => {
    expect(readSummary(output)).toEqual([
      { name: "tools-list", passed: 3, failed: 0, isScored: true },
      { name: "tools-call-error", passed: 1, failed: 1, isScored: true },
      { name: "tasks-lifecycle", passed: 1, failed: 8, isScored: false },
    ]);
  });

  it("finds nothing in the output of a suite that did not finish", () => {
    expect(readSummary("SyntaxError: no export named globSync")).toEqual([]);
  });
});

describe("tableOf", () => {
  it("counts scenarios that are scored, and all checks", () => {
    expect(tableOf([{ variant: "plain", set: "s", exitCode: 1, scenarios: readSummary(output) }])).toEqual([
      {
        set: "s",
        variant: "plain",
        "scored passed": 1,
        "scored failed": 1,
        "checks passed": 5,
        "checks failed": 9,
        "of them scored": 1,
        exit: 1,
      },
    ]);
  });
});

describe("findProblems", () => {
  it("finds none when every scored scenario passes with the same counts", () => {
    expect(findProblems([run("plain", fine), run("waybill", fine)])).toEqual([]);
  });

  it.each([
    ["a scored scenario that fails", { ...fine, "tools-list": [2, 1] as const }, "tools-list does not pass"],
    [
      "a scored scenario that checks nothing",
      { ...fine, "tools-list": [0, 0] as const },
      "tools-list does not pass",
    ],
    [
      "other counts than without Waybill",
      { ...fine, "tasks-lifecycle": [2, 7] as const },
      "tasks-lifecycle: 2 passed, 7 failed",
    ],
    ["a scenario that did not run", { "tools-list": [3, 0] as const }, "tasks-lifecycle: not run"],
    ["a run without scenarios", {}, "no scored scenario ran"],
  ])("names %s", (_, counts, problem) => {
    const problems = findProblems([run("plain", fine), run("waybill", counts)]);
    expect(problems.join("\n")).toContain(`2026-07-28, waybill: ${problem}`);
  });

  it("names an exit code that is not 0, of the run without Waybill too", () => {
    const failed = { ...run("plain", fine), exitCode: null };
    expect(findProblems([failed, run("waybill", fine)])).toEqual([
      "2026-07-28, plain: the suite exits with null",
    ]);
  });

  it("lets a variant pass fewer checks only where it says so, and none of them failed", () => {
    const plain = run("plain", fine);
    const fewer = { ...run("command", { ...fine, "tools-list": [2, 0] }), mayPassFewer: ["tools-list"] };
    expect(findProblems([plain, fewer])).toEqual([]);
    const failing = { ...run("command", { ...fine, "tools-list": [2, 1] }), mayPassFewer: ["tools-list"] };
    expect(findProblems([plain, failing])).not.toEqual([]);
  });

  describe("of a variant that lacks what a scenario needs", () => {
    const plain = run("plain", { ...fine, "tools-call-sampling": [2, 0] });
    const lacking = (counts: readonly [number, number], exitCode: number): SuiteRun => ({
      ...run("serve", { ...fine, "tools-call-sampling": counts }),
      exitCode,
      lacks: ["tools-call-sampling"],
    });

    it("lets that one fail, and the suite say so", () => {
      expect(findProblems([plain, lacking([1, 1], 1)])).toEqual([]);
      expect(findProblems([plain, lacking([0, 0], 0)])).toEqual([]);
    });

    it("names one that passes all the same, another that fails, and another exit code", () => {
      const passes = findProblems([plain, lacking([2, 0], 0)]);
      expect(passes).toEqual(["2026-07-28, serve: tools-call-sampling passes: it is not lacking"]);
      expect(findProblems([plain, lacking([1, 1], 2)])).toEqual([
        "2026-07-28, serve: the suite exits with 2",
      ]);
      const other = { ...run("serve", { ...fine, "tools-list": [2, 1] }), lacks: ["tools-call-sampling"] };
      expect(findProblems([plain, other]).join()).toContain("tools-list does not pass");
    });
  });
});
