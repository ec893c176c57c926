import { faults } from "../contract/faults.ts";
import { ToolFault } from "../contract/tool-fault.ts";
import { findNonJson } from "../json/find-non-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { appendPointer, getByPointer } from "../json/pointer.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { type SchemaIssue, type StandardSchema, jsonSchemaOf } from "./standard-schema.ts";

const MAX_RECEIVED = 200;
const MAX_ERRORS = 50;

/** Fields that Zod and its like put on an issue beyond the standard's message and path. */
interface RichIssue extends SchemaIssue {
  readonly code?: string;
  readonly expected?: unknown;
  readonly pattern?: unknown;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
}

interface InputFailure {
  readonly pointer: string;
  readonly field: string;
  readonly constraint: string;
  readonly message: string;
  readonly received: JsonValue;
  readonly pattern?: string;
  readonly did_you_mean?: string;
}

function pointerOf({ path = [] }: SchemaIssue): string {
  const keys = path.map((step) => (typeof step === "object" ? step.key : step));
  return keys.reduce<string>((pointer, key) => appendPointer(pointer, String(key)), "");
}

/** What came in, short enough to echo. */
function shorten(value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= MAX_RECEIVED) return value;
  return `${text.slice(0, MAX_RECEIVED)}…`;
}

function constraintOf(issue: RichIssue, isAbsent: boolean): string {
  if (isAbsent) return "required";
  if (issue.code === "invalid_type") return "type";
  if (issue.pattern !== undefined) return "pattern";
  if (issue.code === "invalid_value") return "enum";
  return issue.code ?? "invalid";
}

function knownFields(schema: StandardSchema, pointer: string): string[] {
  const properties = jsonSchemaOf(schema, "input")?.["properties"];
  return pointer === "" && isJsonObject(properties) ? Object.keys(properties) : [];
}

/** A close match for a mistyped value or field, where the schema says what it knows. */
function suggestionFor(
  issue: RichIssue,
  received: JsonValue | undefined,
  fields: readonly string[],
): string | undefined {
  if (issue.values !== undefined && typeof received === "string") {
    return didYouMean(
      received,
      issue.values.filter((value) => typeof value === "string"),
    );
  }
  const [stray] = issue.keys ?? [];
  return stray === undefined ? undefined : didYouMean(stray, fields);
}

function describe(issue: RichIssue, args: JsonObject, schema: StandardSchema): InputFailure {
  const pointer = pointerOf(issue);
  const received = getByPointer(args, pointer);
  const isAbsent = received === undefined && pointer !== "";
  const field = pointer.split("/").slice(1).join(".") || issue.keys?.[0] || "arguments";
  const suggestion = isAbsent
    ? didYouMean(
        field,
        Object.keys(args).filter((key) => !knownFields(schema, "").includes(key)),
      )
    : suggestionFor(issue, received, knownFields(schema, pointer));
  const constraint = constraintOf(issue, isAbsent);
  return {
    pointer,
    field,
    constraint,
    message: isAbsent ? "is required" : issue.message,
    ...(issue.pattern === undefined
      ? {}
      : { pattern: String(issue.pattern).replace(/^\/(.*)\/[a-z]*$/s, "$1") }),
    received: shorten(received),
    ...(suggestion === undefined ? {} : { did_you_mean: suggestion }),
  };
}

const codes: Readonly<Record<string, string>> = { required: "MISSING_REQUIRED", type: "INVALID_FORMAT" };

function remediationFor(failures: readonly InputFailure[]): string {
  const fields = [...new Set(failures.map(({ field }) => field))].slice(0, 5).join(", ");
  const hints = failures.flatMap(({ did_you_mean: word }) =>
    word === undefined ? [] : [`Did you mean "${word}"?`],
  );
  return [`Correct ${fields} and call again.`, ...hints].join(" ");
}

/** A rejected input as one fault: the first failure in the contract's keys, all of them under `errors`. */
export function rejectInput(
  issues: readonly SchemaIssue[],
  args: JsonObject,
  schema: StandardSchema,
): ToolFault {
  const failures = issues.slice(0, MAX_ERRORS).map((issue) => describe(issue, args, schema));
  const [first] = failures;
  const {
    pointer: _,
    message,
    did_you_mean: _hint,
    ...details
  } = first ?? {
    pointer: "",
    message: "is not valid",
    field: "arguments",
    constraint: "invalid",
    received: null,
  };
  return new ToolFault(`Validation failed: ${details.field} ${message}`, {
    errorCode: codes[details.constraint] ?? "VALIDATION_ERROR",
    remediation: remediationFor(failures),
    details: { ...details, errors: failures },
  });
}

/** The parsed arguments; throws the fault that names every failure at once. */
export async function validateInput(args: unknown, schema: StandardSchema | undefined): Promise<unknown> {
  const given = isJsonObject(args) ? args : {};
  // A schema library walks by recursion: arguments too deep for it are refused before they reach it.
  const problem = findNonJson(given);
  if (problem !== undefined)
    throw faults.validation(`Validation failed: arguments ${problem.message}`, {
      details: { field: "arguments", constraint: problem.reason, received: null },
    });
  if (schema === undefined) return given;
  const result = await schema["~standard"].validate(given);
  if (result.issues === undefined) return result.value;
  throw rejectInput(result.issues, given, schema);
}
