import type { CheckReport } from "./check-report.ts";
import { isUntested } from "./coverage.ts";

export interface VerdictOptions {
  /** Warnings and an unfinished check also fail. Default: false. */
  readonly strict?: boolean | undefined;
}

export interface CheckVerdict {
  readonly outcome: "passed" | "failed" | "unreachable";
  /** Why the server does not pass, in words: `2 errors`. */
  readonly because: readonly string[];
}

/** Whether a server passes: the exit code and every report use this. Findings that a baseline knows do not count. */
export function verdictOf(report: CheckReport, { strict = false }: VerdictOptions = {}): CheckVerdict {
  if (!report.isReachable) return { outcome: "unreachable", because: [whyUnreachable(report)] };
  const { counts, stale = [], changes = [], differences = [], isComplete } = report;
  const files = new Set(differences.map(({ file }) => file)).size;
  const breaking = changes.filter(({ kind }) => kind === "breaking").length;
  const because = [
    ...(isUntested(report) ? ["nothing was tested: no tool was called"] : []),
    ...some(counts.error, "error", "errors"),
    ...some(files, "recorded answer differs", "recorded answers differ"),
    ...some(breaking, "breaking change", "breaking changes"),
    ...some(stale.length, "stale entry in the baseline", "stale entries in the baseline"),
    ...(strict ? some(counts.warning, "warning", "warnings") : []),
    ...(strict && !isComplete ? ["the check was not finished"] : []),
  ];
  return { outcome: because.length === 0 ? "passed" : "failed", because };
}

function whyUnreachable({ stopped, findings }: CheckReport): string {
  return stopped ?? findings.find(({ severity }) => severity === "error")?.message ?? "it gave no answer";
}

function some(amount: number, one: string, many: string): readonly string[] {
  return amount === 0 ? [] : [`${amount} ${amount === 1 ? one : many}`];
}
