import { describe, expect, it } from "vitest";
import { ContractError } from "../../core/contract/contract-error.ts";
import { applyBaseline, readBaseline, writeBaseline } from "./baseline.ts";
import { sampleFindings, sampleReport } from "./report/sample-report.fixture.ts";

const [first, second] = sampleFindings;
const entryOf = (index: number) => {
  const { rule = "", tool, path = "" } = sampleFindings[index] ?? {};
  return { rule, tool, path };
};

/** What is said of a file that is wrong. */
function complaint(json: string): string {
  try {
    readBaseline(json);
  } catch (error) {
    if (ContractError.isInstance(error)) return error.message;
  }
  return "nothing";
}

describe("a baseline", () => {
  it("that was written of a report knows all of its findings", () => {
    const report = sampleReport();
    const known = applyBaseline(report, readBaseline(writeBaseline(report)));
    expect(known.counts).toMatchObject({ error: 0, warning: 0, info: 0, known: 5 });
    expect(known.score?.value).toBe(100);
    expect(known.stale).toEqual([]);
    expect(known.findings.every(({ isKnown }) => isKnown)).toBe(true);
  });

  it("does not know another tool, another rule or another place", () => {
    const others = [
      { ...entryOf(0), tool: "other" },
      { ...entryOf(0), rule: "result/other" },
      { ...entryOf(0), path: "/structuredContent/other" },
    ];
    expect(applyBaseline(sampleReport(), others).counts.known).toBe(0);
  });

  it("knows a finding again whose place in a list has moved", () => {
    const moved = first === undefined ? [] : [{ ...first, path: first.path.replace("/0/", "/17/") }];
    const entries = readBaseline(writeBaseline(sampleReport()));
    expect(entries.map(({ path }) => path)).toContain("/structuredContent/items/*/number");
    expect(applyBaseline(sampleReport({ findings: moved }), entries).counts).toMatchObject({
      error: 0,
      known: 1,
    });
  });

  it("has a stale entry where a finding is gone", () => {
    const report = sampleReport({ findings: second === undefined ? [] : [second] });
    const { stale } = applyBaseline(report, [entryOf(0), entryOf(1)]);
    expect(stale).toEqual([entryOf(0)]);
  });

  it("calls nothing stale that this check could not see", () => {
    const untested = { rule: "call/cancel", path: "" };
    const notCalled = { rule: "result/output-schema", tool: "delete_file", path: "", call: true };
    expect(applyBaseline(sampleReport(), [untested, notCalled]).stale).toEqual([]);
    expect(applyBaseline(sampleReport({ isComplete: false }), [{ ...entryOf(0), tool: "x" }]).stale).toEqual(
      [],
    );
  });

  it("calls an entry stale whose tool is gone", () => {
    const gone = { rule: "result/output-schema", tool: "gone", path: "", call: true };
    expect(applyBaseline(sampleReport(), [gone]).stale).toEqual([
      { rule: "result/output-schema", tool: "gone", path: "" },
    ]);
  });

  it("keeps the reasons that people wrote, and what could not be tried, when it is updated", () => {
    const before = [
      { ...entryOf(0), path: "/structuredContent/items/*/number", because: "waits for 2.0" },
      { rule: "call/cancel", path: "", because: "slow tool is off" },
      { rule: "definition/tokens", tool: "gone", path: "" },
    ];
    const after = readBaseline(writeBaseline(sampleReport(), before));
    expect(after.find(({ rule }) => rule === "result/output-schema")?.because).toBe("waits for 2.0");
    expect(after.find(({ rule }) => rule === "call/cancel")?.because).toBe("slow tool is off");
    expect(after.filter(({ tool }) => tool === "gone")).toEqual([]);
  });

  it("is the same text for the same findings in any order", () => {
    const turned = sampleReport({ findings: sampleFindings.toReversed() });
    expect(writeBaseline(turned)).toBe(writeBaseline(sampleReport()));
  });

  it("is refused in words where it is wrong", () => {
    expect(complaint("{")).toMatch(/^baseline: The baseline is no JSON: /);
    expect(complaint('{"format":"x","findings":[]}')).toBe(
      'baseline: "format" is "x". Choose one of waybill-check-baseline-1.',
    );
    expect(complaint('{"format":"waybill-check-baseline-1","findings":[{"rule":"a/b"}]}')).toContain(
      '"findings[0].path"',
    );
  });
});
