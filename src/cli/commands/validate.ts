import { type RuleSeverity, type Violation, ruleSeverities } from "../../contract/rule.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { cannotRead, chooseInputs, readInput } from "../input/read-input.ts";
import { type JudgeOptions, type Judgement, countSeverities, judgeInput } from "../judge-input.ts";
import { count, printable } from "../output/format-values.ts";
import type { Paint, Report, ReportFailure } from "../report.ts";

// A broken list can have a violation for each item; nobody reads more than this, and --json has them all.
const MAX_SHOWN = 50;

/** A verdict for people: one line, then the violations, most binding first. */
function printJudgement(judgement: Judgement, passes: boolean, paint: Paint): string {
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

export interface ValidateCommandOptions extends JudgeOptions {
  readonly strict?: boolean | undefined;
}

/** Checks files or stdin against the contract: one verdict for each. */
export async function validate(
  files: readonly string[],
  options: ValidateCommandOptions,
  io: CliIo,
): Promise<Report> {
  const { level = "auto", method } = options;
  if (method !== undefined && level !== "auto" && level !== "message") {
    throw new CliError(`--method has no effect with --level ${level}.`, {
      remediation: "Use --level message.",
    });
  }
  const judgements: Judgement[] = [];
  const unread: CliError[] = [];
  for (const file of chooseInputs(files, io)) {
    try {
      judgements.push(judgeInput(await readInput(file, io), options));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      unread.push(error);
    }
  }
  return toReport(judgements, unread, options.strict === true);
}

function toReport(judgements: readonly Judgement[], unread: readonly CliError[], strict: boolean): Report {
  const passes = ({ valid, violations }: Judgement): boolean => (strict ? violations.length === 0 : valid);
  const failing = judgements.filter((judgement) => !passes(judgement)).length;
  const failure =
    unread.length > 0 ? cannotRead(unread, judgements.length) : violates(failing, judgements.length);
  const exitCode =
    failure === undefined ? exitCodes.fine : unread.length > 0 ? exitCodes.usage : exitCodes.violated;
  return {
    exitCode,
    data: { results: judgements as unknown as readonly JsonObject[] },
    failure,
    text: (paint) => {
      const verdicts = judgements.map((judgement) => printJudgement(judgement, passes(judgement), paint));
      return judgements.length === 0 ? "" : [...verdicts, summarise(judgements, failing)].join("\n");
    },
    remarks: unread.map(({ message, remediation }) => `waybill: ${message} ${remediation ?? ""}`.trimEnd()),
  };
}

function violates(failing: number, judged: number): ReportFailure | undefined {
  if (failing === 0) return undefined;
  const verb = failing === 1 ? "violates" : "violate";
  return {
    message: `${failing} of ${count(judged, "response")} ${verb} the contract`,
    errorCode: "VALIDATION_ERROR",
    remediation: "Correct the places named in data.results[].violations; each message says how.",
  };
}

function summarise(judgements: readonly Judgement[], failing: number): string {
  const counts = countSeverities(judgements.flatMap(({ violations }) => violations));
  const found = counts.map(([severity, amount]) => `${amount} ${severity}`).join(", ");
  return `${count(judgements.length, "response")}, ${failing === 0 ? "none" : failing} failed: ${found}`;
}
