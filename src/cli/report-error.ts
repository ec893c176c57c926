import { CommanderError } from "commander";
import { type ConfigPlace, formatPlace } from "../engine/settings/config-problem.ts";
import { ContractError } from "../core/contract/contract-error.ts";
import type { ErrorCode } from "../core/contract/error-registry.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../core/json/json-value.ts";
import { type CliIo, type ExitCode, CliError, exitCodes } from "./cli-io.ts";
import { countOf, printable, printableLines } from "./output/format-values.ts";
import type { CommandReport, ReportFailure } from "./report.ts";

interface Meaning {
  readonly exitCode: ExitCode;
  readonly errorCode: ErrorCode;
  readonly remediation: string;
  /** A title and a line for each problem, if the error lists several. */
  readonly list?: (details: JsonObject) => readonly [string, readonly string[]];
}

/** The meaning of a library error on the command line; codes not listed here would be our own bugs. */
const meanings: Partial<Record<ContractError["code"], Meaning>> = {
  UNREADABLE: {
    exitCode: exitCodes.violated,
    errorCode: "VALIDATION_ERROR",
    remediation: "`waybill validate` lists all that is wrong with it.",
  },
  CANNOT_CARRY: {
    exitCode: exitCodes.violated,
    errorCode: "OPERATION_FAILED",
    remediation: "Choose another --to.",
  },
  INVALID_CONFIG: {
    exitCode: exitCodes.usage,
    errorCode: "INVALID_FORMAT",
    remediation: "Correct the named places, then run `waybill config` to see what is in force.",
    list: listProblems,
  },
};

/** The library's error as a command-line error, or undefined if the caller did not cause it. */
export function fromContractError({ code, message, details }: ContractError): CliError | undefined {
  const meaning = meanings[code];
  if (meaning === undefined) return undefined;
  const { list, ...options } = meaning;
  const [title, lines] = list?.(details) ?? [message, []];
  return new CliError(printable(title), { ...options, details, lines: lines.map(printable) });
}

function listProblems(details: JsonObject): readonly [string, readonly string[]] {
  const problems = Array.isArray(details["problems"]) ? details["problems"].filter(isJsonObject) : [];
  const lines = problems.map(
    (problem) => `${formatPlace(problem as unknown as ConfigPlace)}: ${textOf(problem["message"])}`,
  );
  return [`The configuration has ${countOf(problems.length, "problem")}.`, lines];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

interface ErrorSurroundings {
  readonly args: readonly string[];
  /** The names of all commands. */
  readonly commands: readonly string[];
  /** What Commander printed before it stopped: a help page, the version. */
  readonly said: string;
  readonly env: CliIo["env"];
}

/** The report for any error; a stack is shown only with WAYBILL_DEBUG. */
export function reportError(error: unknown, surroundings: ErrorSurroundings): CommandReport {
  if (error instanceof CommanderError) return reportCommander(error, surroundings);
  if (error instanceof CliError) return reportCliError(error);
  const known = ContractError.isInstance(error) ? fromContractError(error) : undefined;
  if (known !== undefined) return reportCliError(known);
  return reportUnforeseen(error, surroundings.env);
}

function failed(
  exitCode: CommandReport["exitCode"],
  failure: ReportFailure,
  remarks: readonly string[],
): CommandReport {
  return { exitCode, data: {}, failure, text: () => "", remarks };
}

function reportCommander(error: CommanderError, { args, commands, said }: ErrorSurroundings): CommandReport {
  const text = said.trimEnd();
  if (error.code === "commander.version") return shown({ version: text }, text);
  // Commander exits with 1 for help that was not requested, and with 0 for requested help.
  if (error.exitCode === 0) return shown({ help: text }, text);
  if (error.code === "commander.help") {
    const failure = {
      message: "no command was given",
      errorCode: "MISSING_REQUIRED",
      remediation: "See `waybill help`.",
    };
    return failed(exitCodes.usage, failure, [text]);
  }
  const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  const remediation = `See \`waybill help${helpTopic(args, commands)}\`.`;
  const failure = { message: printable(message), errorCode: codeOfUsage(error.code), remediation };
  return failed(exitCodes.usage, failure, [`waybill: ${printable(message)}`, remediation]);
}

function shown(data: JsonObject, text: string): CommandReport {
  return { exitCode: exitCodes.fine, data, text: () => text };
}

function codeOfUsage(code: string): ErrorCode {
  return code.startsWith("commander.missing") || code === "commander.optionMissingArgument"
    ? "MISSING_REQUIRED"
    : "INVALID_FORMAT";
}

function helpTopic(args: readonly string[], commands: readonly string[]): string {
  const topic = args.find((arg) => !arg.startsWith("-"));
  return topic !== undefined && commands.includes(topic) ? ` ${topic}` : "";
}

function reportCliError({
  message,
  exitCode,
  errorCode,
  remediation,
  details,
  lines,
}: CliError): CommandReport {
  const failure = { message, errorCode, remediation, details };
  const advice = remediation === undefined ? [] : [remediation];
  const remarks = [`waybill: ${message}`, ...lines.map((line) => `  ${line}`), ...advice];
  return failed(exitCode, failure, remarks.map(printableLines));
}

function reportUnforeseen(error: unknown, env: CliIo["env"]): CommandReport {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const [line = ""] = reason.split("\n");
  const message = `internal error (${printable(line)})`;
  const debug = env["WAYBILL_DEBUG"] === "1";
  const stack = debug && error instanceof Error ? [error.stack ?? ""] : [];
  const remediation =
    "This is a fault of Waybill's own. Run again with WAYBILL_DEBUG=1 and report what it prints.";
  return failed(exitCodes.violated, { message, errorCode: "INTERNAL_ERROR", remediation }, [
    `waybill: ${message}`,
    ...stack,
  ]);
}
