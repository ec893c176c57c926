import { describe, expect, it } from "vitest";
import type { CheckReport } from "../../doors/check/report/check-report.ts";
import {
  hostileReport,
  sampleFindings,
  sampleReport,
  untestedReport,
} from "../../doors/check/report/sample-report.fixture.ts";
import { createPaint } from "../report.ts";
import { printCheck } from "./print-check.ts";
import { checkProgress } from "./write-reports.ts";

const print = (report: CheckReport, columns = 80, verbose?: boolean): string =>
  printCheck(report, { columns, next: "waybill gateway", verbose }, createPaint(false, {}));

describe("printCheck", () => {
  it("says first what was called, failed and found, then the score, and last what was not tried", () => {
    const text = print(sampleReport());
    expect(text).toMatch(
      /^2 of 3 tools called: 16 calls in 8\.2 s, 11 succeeded, 5 failed or were refused\n5 findings: 2 errors, 2 warnings, 1 remark\n\ntracker 1\.4\.0\nstdio, MCP 2025-11-25, 3 tools with 2,716 tokens\n\nScore /,
    );
    expect(text).toContain(
      "Score 79 of 100  ████████████████░░░░  6 of 7 rules tested\n  -8  result/output-schema: 1 error",
    );
    expect(text).toContain('      call: search_issues {"query":"label:bug","limit":1}');
    expect(text).toContain("  search_issues  2,410       31,200 (125.4 KiB)");
    expect(text).toContain("  delete_file    120         not called");
    expect(text).toMatch(
      /\n\n1 not called, not marked read-only \(annotations\.readOnlyHint\): --all calls such[^]*\.\nUntested: 1 of 7 rules; --all or --args <file> would try more of them; --verbose\nlists them with reasons\n\nFailed/,
    );
    expect(text).not.toContain("call/cancel");
    expect(text).toMatch(/\nFailed: 2 errors\nNext: waybill gateway$/);
  });

  it("lists every untested rule with its reason where it is asked to", () => {
    const text = print(sampleReport(), 80, true);
    expect(text).toContain("\n\nUntested (1)\n  no call took long enough to be cancelled: call/cancel\n\n");
    expect(text).not.toContain("--verbose");
    const rules = sampleReport().rules.filter(({ status }) => status !== "untested");
    expect(print(sampleReport({ rules }))).not.toContain("Untested");
  });

  it("names the tools of which no call succeeded, and what would help", () => {
    const tools = sampleReport().tools.map((tool) =>
      tool.name === "read_file" ? { ...tool, succeeded: 0 } : tool,
    );
    expect(print(sampleReport({ tools }))).toContain(
      "\nNo call succeeded of read_file: --args <file> gives arguments that work\n",
    );
  });

  it("says first how many tools were called, and has no score where none was", () => {
    const text = print(untestedReport());
    expect(text).toMatch(/^0 of 3 tools called: nothing was tested\. 3 not called, /);
    expect(text).toContain("No score: no tool was called  6 of 7 rules tested");
    expect(text).not.toContain("of 100");
    expect(text).toContain("\nFailed: nothing was tested: no tool was called\n");
  });

  it("says first that no call succeeded, and has no score then", () => {
    const tools = sampleReport().tools.map((tool) => ({ ...tool, succeeded: 0 }));
    const text = print(sampleReport({ findings: [], tools, succeeded: 0 }));
    expect(text).toMatch(/^2 of 3 tools called, and no call succeeded: only failures were judged\. --args/);
    expect(text).toContain("No score: no call succeeded  6 of 7 rules tested");
    expect(text).toContain("\nFailed: no call succeeded\n");
  });

  it("names three findings of a rule, and counts the others", () => {
    const [first] = sampleFindings;
    const findings = first === undefined ? [] : Array.from({ length: 9 }, () => first);
    expect(print(sampleReport({ findings }))).toContain("    and 6 more: --report json has all");
  });

  it("does not list what could not be tried of a server that was not reached", () => {
    const text = print(sampleReport({ isReachable: false, findings: [], stopped: "no such command" }));
    expect(text).toContain("nothing else could be tried");
    expect(text).not.toContain("call/cancel");
    expect(text).toContain("Not reached: no such command");
  });

  it("has no line wider than the window, and nothing that a terminal acts on", () => {
    const text = print(sampleReport(), 60);
    expect(text.split("\n").filter((line) => line.length > 60)).toEqual([]);
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(print(hostileReport())).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe("checkProgress", () => {
  const run = (isTerminal: boolean, isWanted: boolean): string => {
    let written = "";
    const sink = { write: (text: string | Uint8Array) => (written += String(text)) };
    const isTTY = { stdin: false, stdout: false, stderr: isTerminal };
    const io = { stdin: (async function* () {})(), stdout: sink, stderr: sink, env: {}, cwd: "/", isTTY };
    const progress = checkProgress(io, isWanted, () => 0);
    progress?.report({ phase: "connect", done: 0, planned: 1, elapsedMs: 0 });
    progress?.report({ phase: "probe", tool: "a\u001b[2J", done: 1, planned: 4, elapsedMs: 2_400 });
    progress?.end();
    return written;
  };

  it("is silent without a terminal, and writes lines where it is asked to", () => {
    expect(run(false, false)).toBe("");
    expect(run(false, true)).toBe(
      "waybill: connecting, 0 s\nwaybill: [#####---------------] 2 of 4, 2 s: a\\u001b[2J\n",
    );
  });

  it("is one line that goes away on a terminal", () => {
    expect(run(true, false).split("\r")).toEqual([
      "",
      "\u001b[Kwaybill: connecting, 0 s",
      "\u001b[Kwaybill: [#####---------------] 2 of 4, 2 s: a\\u001b[2J",
      "\u001b[K",
    ]);
  });
});
