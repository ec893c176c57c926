import type { DialectId } from "../../src/core/contract/dialect-id.ts";
import { checkServer } from "../../src/doors/check/check-server.ts";
import type { CheckTarget } from "../../src/doors/check/check-options.ts";
import type { CheckReport } from "../../src/doors/check/report/check-report.ts";
import type { Era } from "./raw-server.ts";

/** Short beside the defaults: these servers answer at once, or not at all. */
const limits = { startMs: 5_000, callMs: 400, totalMs: 60_000 } as const;

export function check(target: CheckTarget, era: Era, dialect?: DialectId): Promise<CheckReport> {
  return checkServer(target, { era, limits, dialect });
}

/** The rules that a report finds broken, each once, sorted. */
export function failedRules({ rules }: CheckReport): readonly string[] {
  return rules
    .filter(({ status }) => status === "failed")
    .map(({ id }) => id)
    .sort();
}
