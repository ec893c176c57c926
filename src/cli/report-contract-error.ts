import { formatPlace, type Place } from "../config/place.ts";
import type { ContractError } from "../contract/contract-error.ts";
import type { ErrorCode } from "../contract/error-rows.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { CliError } from "./cli-error.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { count } from "./output/count.ts";
import { printable } from "./output/printable.ts";

interface Meaning {
  readonly exitCode: ExitCode;
  readonly errorCode: ErrorCode;
  readonly remediation: string;
  /** A title and a line for each thing found, where the error lists several. */
  readonly list?: (details: JsonObject) => readonly [string, readonly string[]];
}

/** What a library error means on the command line; the others would be our own mistakes. */
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

/** The library's error as the command line's own, or undefined when it is not the caller's doing. */
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
    (problem) => `${formatPlace(problem as unknown as Place)}: ${textOf(problem["message"])}`,
  );
  return [`The configuration has ${count(problems.length, "problem")}.`, lines];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
