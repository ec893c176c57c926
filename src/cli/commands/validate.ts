import { type RuleSeverity, type Violation, ruleSeverities } from "../../core/contract/rule.ts";
import {
  recognitionRules,
  type ParsedText,
  judgeRead,
  judgeResponse,
  parseResponseText,
} from "../../core/pipeline/dialect/validate-response.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { CliError, exitCodes, type CliIo } from "../cli-io.ts";
import { type Input, cannotRead, chooseInputs, readInput } from "../input/read-input.ts";
import { countOf, printable } from "../output/format-values.ts";
import type { Paint, CommandReport, ReportFailure } from "../report.ts";
import type { DialectId } from "../../core/contract/dialect-id.ts";
import { checkRpcResult, validateMessage } from "../../core/protocol/validate-message.ts";
import { type Detection, detectDialect } from "../../core/pipeline/dialect/detect-dialect.ts";
import type { LevelChoice } from "../declare/option-values.ts";

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
): Promise<CommandReport> {
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

function toReport(
  judgements: readonly Judgement[],
  unread: readonly CliError[],
  strict: boolean,
): CommandReport {
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
    message: `${failing} of ${countOf(judged, "response")} ${verb} the contract`,
    errorCode: "VALIDATION_ERROR",
    remediation: "Correct the places named in data.results[].violations; each message says how.",
  };
}

function summarise(judgements: readonly Judgement[], failing: number): string {
  const counts = countSeverities(judgements.flatMap(({ violations }) => violations));
  const found = counts.map(([severity, amount]) => `${amount} ${severity}`).join(", ");
  return `${countOf(judgements.length, "response")}, ${failing === 0 ? "none" : failing} failed: ${found}`;
}

interface JudgeOptions {
  readonly dialect?: DialectId | undefined;
  readonly level?: LevelChoice | undefined;
  readonly method?: string | undefined;
  readonly tiers?: readonly string[] | undefined;
}

/** A verdict with its source, with the names of `--json`. */
interface Judgement {
  readonly source: string;
  readonly valid: boolean;
  readonly dialect: DialectId | null;
  readonly level: "envelope" | "result" | "message" | null;
  /** Set for a bare result of the protocol itself, which has no dialect. */
  readonly method?: string;
  /** Why this dialect, if it was detected and not named. */
  readonly detected_because: string | null;
  readonly alternatives: readonly DialectId[];
  readonly violations: readonly Violation[];
}

/** The library's verdict on one input, at the requested level or the level that the input shows. */
function judgeInput(input: Input, options: JudgeOptions): Judgement {
  const read = parseResponseText(input.bytes);
  const { value } = read;
  if (value !== undefined && isMessage(value, options))
    return judgeMessage(input, { ...read, value }, options);
  const answered = value === undefined ? undefined : protocolMethod(value, options);
  if (value !== undefined && answered !== undefined)
    return judgeProtocol(input, { ...read, value }, answered);
  const { dialect, level = "auto", tiers } = options;
  const asked = level === "message" ? "auto" : level;
  const { verdict, detection } = judgeRead(read, { dialect, level: asked, tiers });
  return {
    source: input.name,
    valid: verdict.valid,
    dialect: verdict.dialect ?? null,
    level: verdict.level ?? null,
    detected_because: detection?.because ?? null,
    alternatives: verdict.alternatives,
    violations: verdict.violations,
  };
}

/** The methods whose results have rules. */
const resultMethods: readonly string[] = ["initialize", "tools/list", "tools/call"];

/** Every tool in a list has an `inputSchema`; items of other lists do not. */
function isToolList({ tools }: JsonObject): boolean {
  if (!Array.isArray(tools) || tools.length === 0) return false;
  return tools.every((tool) => isJsonObject(tool) && Object.hasOwn(tool, "inputSchema"));
}

/** Which result of the protocol itself a value is: as named, else by keys that no response has. */
function protocolMethod(
  value: JsonValue,
  { dialect, level = "auto", method }: JudgeOptions,
): string | undefined {
  if (level === "envelope" || level === "message") return undefined;
  if (method !== undefined) return ["initialize", "tools/list"].find((known) => known === method);
  if (dialect !== undefined || !isJsonObject(value)) return undefined;
  const isInitialize = ["protocolVersion", "capabilities", "serverInfo"].every((key) =>
    Object.hasOwn(value, key),
  );
  if (isInitialize) return "initialize";
  return isToolList(value) ? "tools/list" : undefined;
}

function judgeProtocol(input: Input, read: ParsedText & { value: JsonValue }, method: string): Judgement {
  const found = checkRpcResult(read.value, "", { method, checkToolResult: undefined });
  const violations = [...read.violations, ...found];
  return {
    source: input.name,
    valid: violations.every(({ severity }) => severity !== "MUST"),
    dialect: null,
    level: "result",
    method,
    detected_because: null,
    alternatives: [],
    violations,
  };
}

/** A message or a batch is recognised by its `jsonrpc` member. */
function isMessage(value: JsonValue, { level = "auto" }: JudgeOptions): boolean {
  if (level !== "auto") return level === "message";
  const messages = Array.isArray(value) ? value : [value];
  return messages.some((message) => isJsonObject(message) && Object.hasOwn(message, "jsonrpc"));
}

function judgeMessage(
  input: Input,
  read: ParsedText & { value: JsonValue },
  options: JudgeOptions,
): Judgement {
  const { dialect, method, tiers } = options;
  const detections: Detection[] = [];
  const checkToolResult = (result: JsonValue): readonly Violation[] => {
    const { verdict, detection } = judgeResponse(result, { dialect, level: "result", tiers });
    // A number that became Infinity stops the judgement before the dialect is detected.
    if (dialect === undefined) detections.push(detection ?? detectDialect(result));
    return verdict.violations;
  };
  const exchange = exchangeIn(read.value);
  const violations =
    exchange === undefined
      ? validateMessage(read.value, { method, checkToolResult }).violations
      : validateMessage(exchange.response, {
          method,
          checkToolResult,
          request: exchange.request,
        }).violations.map((violation) => ({ ...violation, path: `/response${violation.path}` }));
  const all = [...read.violations, ...violations];
  // A batch may answer in several dialects; then no dialect is given for the whole.
  const [first] = detections;
  const agreed = detections.every((other) => other.dialect === first?.dialect) ? first : undefined;
  return {
    source: input.name,
    valid: all.every(({ severity }) => severity !== "MUST"),
    dialect: dialect ?? agreed?.dialect ?? null,
    level: "message",
    detected_because: agreed?.because ?? null,
    alternatives: agreed?.alternatives ?? [],
    violations: all,
  };
}

/** A request and its response in one file, so that ids can be compared. */
function exchangeIn(value: JsonValue): { request: JsonValue; response: JsonValue } | undefined {
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== "request,response") return undefined;
  const { request = null, response = null } = value;
  return { request, response };
}

/** The number of violations of each severity, most binding first. */
function countSeverities(violations: readonly Violation[]): readonly (readonly [string, number])[] {
  return ruleSeverities.map((severity) => [
    severity,
    violations.filter((violation) => violation.severity === severity).length,
  ]);
}
