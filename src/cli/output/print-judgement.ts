import { type RuleSeverity, type Violation, ruleSeverities } from "../../contract/rule.ts";
import type { Judgement } from "../judge-input.ts";
import type { Paint } from "./paint.ts";
import { printable } from "./printable.ts";

// A broken list can hold a violation an item; nobody reads past this, and --json has them all.
const MAX_SHOWN = 50;

/** A verdict for people: one line, then the violations, most binding first. */
export function printJudgement(judgement: Judgement, passes: boolean, paint: Paint): string {
  const mark = passes ? paint.green("valid") : paint.red(judgement.valid ? "not strict" : "invalid");
  const title = `${paint.bold(printable(judgement.source))}: ${mark}, ${describeKind(judgement)}`;
  const groups = ruleSeverities.flatMap((severity) => printGroup(severity, judgement.violations, paint));
  return [title, ...describeChoice(judgement).map((line) => paint.dim(line)), ...groups].join("\n");
}

function describeKind({ dialect, level }: Judgement): string {
  if (level === null) return "no JSON";
  return dialect === null ? `level ${level}` : `${dialect}, level ${level}`;
}

function describeChoice({ detected_because: because, alternatives }: Judgement): string[] {
  if (because === null) return [];
  const others =
    alternatives.length === 0 ? "" : `; could also be ${alternatives.join(" or ")} (name it with --dialect)`;
  return [`  dialect detected: ${because}${others}`];
}

function printGroup(severity: RuleSeverity, violations: readonly Violation[], paint: Paint): string[] {
  const own = violations.filter((violation) => violation.severity === severity);
  if (own.length === 0) return [];
  const colour = { MUST: paint.red, SHOULD: paint.yellow, MAY: paint.cyan }[severity];
  const lines = own.slice(0, MAX_SHOWN).flatMap(({ rule, path, message }) => {
    const place = path === "" ? "the root" : printable(path);
    return [`    ${paint.bold(rule)} at ${place}`, `      ${printable(message)}`];
  });
  const more = own.length - MAX_SHOWN;
  return [`  ${colour(severity)}`, ...lines, ...(more > 0 ? [`    and ${more} more: --json lists all`] : [])];
}
