import { type RuleSeverity, type Violation, ruleSeverities } from "../../core/contract/rule.ts";
import { recognitionRules } from "../../core/pipeline/dialect/validate-response.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { type Input, cannotRead, chooseInputs, readInput } from "../input/read-input.ts";
import {
  type JudgeOptions,
  type Judgement,
  countSeverities,
  judgeInput,
  resultMethods,
} from "../judge-input.ts";
import { count, printable } from "../output/format-values.ts";
import type { Paint, Report, ReportFailure } from "../report.ts";

// A broken list can have a violation for each item; more than this is not readable, and --json has them all.
const MAX_SHOWN = 50;

/** A verdict for people: one line, then the violations, most binding first. */
function printJudgement(judgement: Judgement, passes: boolean, paint: Paint): string {
  const refused = judgement.valid ? "not strict" : isUnrecognised(judgement) ? "no envelope" : "invalid";
  const mark = passes ? paint.green("valid") : paint.red(refused);
  const title = `${paint.bold(printable(judgement.source))}: ${mark}, ${describeKind(judgement)}`;
  const groups = ruleSeverities.flatMap((severity) => printGroup(severity, judgement.violations, paint));
  return [title, ...describeChoice(judgement).map((line) => paint.dim(line)), ...groups].join("\n");
}

function describeKind({ dialect, level, method }: Judgement): string {
  if (level === null) return "no JSON";
  if (method !== undefined) return `level ${level} of ${method}`;
  return dialect === null ? `level ${level}` : `${dialect}, level ${level}`;
}

function isUnrecognised({ violations }: Judgement): boolean {
  return violations.some(({ rule }) => rule === recognitionRules["envelope/missing"].id);
}

function describeChoice(judgement: Judgement): string[] {
  const { detected_because: because, alternatives } = judgement;
  if (because === null) return [];
  if (isUnrecognised(judgement))
    return [`  name the dialect with --dialect if it has one: ${alternatives.join(" or ")}`];
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
  refuseIdleMethod(options);
  const inputs: Input[] = [];
  const unread: CliError[] = [];
  for (const file of chooseInputs(files, io)) {
    try {
      inputs.push(await readInput(file, io));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      unread.push(error);
    }
  }
  const judgements = await judgeAll(inputs, options, io);
  return toReport(judgements, unread, options.strict === true);
}

function refuseIdleMethod({ level = "auto", method }: JudgeOptions): void {
  if (method === undefined) return;
  if (level === "envelope")
    throw new CliError(`--method has no effect with --level ${level}.`, {
      remediation: "Use --level result or --level message.",
    });
  if (level === "result" && !resultMethods.includes(method))
    throw new CliError(`There are no rules for the result of ${method}.`, {
      remediation: `Name one of ${resultMethods.join(", ")}, or use --level message.`,
    });
}

/** The configuration defines the tiers; it is read only if a tier has to be judged. */
async function judgeAll(
  inputs: readonly Input[],
  options: JudgeOptions,
  io: CliIo,
): Promise<readonly Judgement[]> {
  const judgements = inputs.map((input) => judgeInput(input, options));
  const isInQuestion = judgements.some(({ violations }) =>
    violations.some(({ rule }) => rule === "scalpel/tier-known"),
  );
  if (!isInQuestion || options.tiers !== undefined) return judgements;
  const { loadConfig } = await import("../../engine/settings/load-config.ts");
  const { settings } = await loadConfig({ cwd: io.cwd, home: io.env["HOME"], environment: io.env });
  return inputs.map((input) => judgeInput(input, { ...options, tiers: settings.tiers.order }));
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
