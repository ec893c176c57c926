import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import { MAX_JSON_DEPTH, findNonJson } from "../json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { type InputFailure, type MaskText, describeFailures, shortened } from "./input-failure.ts";
import type { SchemaIssue, SchemaResult, StandardSchema } from "./standard-schema.ts";
import { type MaybePromise, isPromiseLike } from "../resilience/maybe-promise.ts";

const MAX_ERRORS = 50;

const codes: Readonly<Record<string, string>> = { required: "MISSING_REQUIRED", type: "INVALID_FORMAT" };

const unnamed: InputFailure = {
  pointer: "",
  field: "arguments",
  constraint: "invalid",
  message: "are not valid",
  received: null,
};

function hintFor({ did_you_mean: word, found }: InputFailure): string[] {
  if (word === undefined) return [];
  return [`Did you mean "${word}"${found === undefined ? "" : ` instead of "${found}"`}?`];
}

function remediationFor(failures: readonly InputFailure[]): string {
  const fields = [...new Set(failures.map(({ field }) => field))].slice(0, 5).join(", ");
  const hints = [...new Set(failures.flatMap(hintFor))].slice(0, 5);
  return [`Correct ${fields} and call again.`, ...hints].join(" ");
}

/** A rejected input as one fault: the first failure in the contract's keys, all of them under `errors`. */
function rejectInput(
  issues: readonly SchemaIssue[],
  args: JsonObject,
  schema: StandardSchema,
  mask: MaskText = (text) => text,
): ToolFault {
  const described = issues
    .slice(0, MAX_ERRORS)
    .flatMap((issue) => describeFailures(issue, args, schema, mask))
    .slice(0, MAX_ERRORS);
  const failures = described.length > 0 ? described : [unnamed];
  const { field, constraint, message, pattern, received } = failures[0] ?? unnamed;
  return new ToolFault(`Validation failed: ${field} ${message}`, {
    errorCode: codes[constraint] ?? "VALIDATION_ERROR",
    remediation: remediationFor(failures),
    details: {
      field,
      constraint,
      ...(pattern === undefined ? {} : { pattern }),
      received,
      errors: failures,
    },
  });
}

/** A schema library walks by recursion: arguments too deep for it are refused before they reach it. */
function assertJsonArguments(args: JsonObject): void {
  const problem = findNonJson(args);
  if (problem === undefined) return;
  const isDeep = problem.reason === "too-deep";
  const why = isDeep
    ? `are nested deeper than ${MAX_JSON_DEPTH} levels`
    : "have a part that JSON cannot carry";
  throw faults.validation(`Validation failed: arguments ${why}`, {
    details: {
      field: "arguments",
      constraint: problem.reason,
      received: null,
      errors: [{ pointer: shortened(problem.pointer), field: "arguments", constraint: problem.reason }],
    },
  });
}

/** The parsed arguments; throws the fault that names every failure at once. Waits only for a schema that does. */
export function validateInput(
  args: unknown,
  schema: StandardSchema | undefined,
  mask?: MaskText,
): MaybePromise<unknown> {
  const given = isJsonObject(args) ? args : {};
  assertJsonArguments(given);
  if (schema === undefined) return given;
  const judge = (result: SchemaResult<unknown>): unknown => {
    if (result.issues === undefined) return result.value;
    throw rejectInput(result.issues, given, schema, mask);
  };
  const result = schema["~standard"].validate(given);
  return isPromiseLike(result) ? result.then(judge) : judge(result);
}
