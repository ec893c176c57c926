// Known failures in a file: they are reported but do not fail the check. An entry that no finding matches any more is
// stale and does fail the check, so that a baseline only ever shrinks.

import * as z from "zod/mini";
import { checkOptions, refuseOptions } from "../../core/options/check-options.ts";
import { list, object, text } from "../../core/options/option-kinds.ts";
import type { CheckFinding, CheckReport, StaleEntry } from "./report/check-report.ts";
import { scoreOf } from "./judge.ts";

const BASELINE_FORMAT = "waybill-check-baseline-1";

/** One known failure. Two findings of a rule at the same place of one tool are one entry. */
export interface BaselineEntry extends StaleEntry {
  /** True if a call showed the failure: without such a call, no check can say that it is gone. */
  readonly call?: boolean | undefined;
  /** Why the failure is accepted; people write this text, and updates keep it. */
  readonly because?: string | undefined;
}

const fileSchema = object({
  format: z.literal(BASELINE_FORMAT, `Write "${BASELINE_FORMAT}".`),
  findings: list(
    object({
      rule: text,
      tool: z.optional(z.string("Write a string.")),
      path: z.string("Write a JSON Pointer, or an empty string."),
      call: z.optional(z.boolean("Write true or false.")),
      because: z.optional(z.string("Write a string.")),
    }),
  ),
});

/** The entries of a baseline's text; a ContractError says what is wrong with it. */
export function readBaseline(json: string): readonly BaselineEntry[] {
  const value = parse(json);
  checkOptions("baseline", fileSchema, value, "The baseline");
  return (value as z.infer<typeof fileSchema>).findings;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refuseOptions("baseline", [
      { path: [], part: "value", message: `The baseline is no JSON: ${reason}.` },
    ]);
  }
}

/** An index in a list is not stable: one more tool moves every index after it. */
function stablePath(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/** Identifies a finding across runs. Messages are not used, because they contain numbers that change. */
export function findingKey({ rule, tool, path }: StaleEntry): string {
  return JSON.stringify([rule, tool ?? null, stablePath(path)]);
}

/** Marks the findings that the baseline knows, names its stale entries, and counts again. */
export function applyBaseline(report: CheckReport, entries: readonly BaselineEntry[]): CheckReport {
  const listed = new Set(entries.map(findingKey));
  const findings = report.findings.map((finding) => ({
    ...finding,
    isKnown: listed.has(findingKey(finding)),
  }));
  const found = new Set(findings.map(findingKey));
  const stale = entries
    .filter((entry) => !found.has(findingKey(entry)) && couldBeFound(entry, report))
    .map(({ rule, tool, path }) => ({ rule, tool, path }));
  const counts = { ...report.counts, error: 0, warning: 0, info: 0, known: 0 };
  for (const { isKnown, severity } of findings) counts[isKnown ? "known" : severity]++;
  return { ...report, findings, counts, score: scoreOf({ ...report, findings }), stale };
}

/** Only an entry that this check could have found can be gone. */
function couldBeFound({ rule, tool, call }: BaselineEntry, report: CheckReport): boolean {
  if (!report.isReachable || !report.isComplete) return false;
  if (report.rules.find(({ id }) => id === rule)?.status === "untested") return false;
  if (call !== true || tool === undefined) return true;
  const judged = report.tools.find(({ name }) => name === tool);
  return judged === undefined || judged.calls > 0;
}

/**
 * The text of a baseline that knows every finding of a report. Reasons that people wrote are kept, and so are entries
 * that this check could not try.
 */
export function writeBaseline(report: CheckReport, before: readonly BaselineEntry[] = []): string {
  const reasons = new Map(before.map((entry) => [findingKey(entry), entry.because]));
  const entries = new Map<string, BaselineEntry>();
  for (const finding of report.findings) {
    const key = findingKey(finding);
    if (!entries.has(key)) entries.set(key, entryOf(finding, reasons.get(key)));
  }
  for (const entry of before)
    if (!entries.has(findingKey(entry)) && !couldBeFound(entry, report))
      entries.set(findingKey(entry), entry);
  // Sorted, so that two runs give the same file and a review shows what changed.
  const findings = [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
  return `${JSON.stringify({ format: BASELINE_FORMAT, findings }, null, 2)}\n`;
}

function entryOf({ rule, tool, path, call }: CheckFinding, because: string | undefined): BaselineEntry {
  return { rule, tool, path: stablePath(path), call: call === undefined ? undefined : true, because };
}
