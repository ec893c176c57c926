import { ToolFault } from "../contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { appendPointer, getByPointer } from "../json/pointer.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { showReceived, withoutValue } from "./show-received.ts";
import { type SchemaIssue, type StandardSchema, jsonSchemaOf } from "./standard-schema.ts";

const MAX_TEXT = 200;

/** Fields that schema libraries put on an issue beyond the standard's message and path. */
interface RichIssue extends SchemaIssue {
  readonly code?: string;
  readonly pattern?: unknown;
  readonly values?: readonly unknown[];
  /** Zod's, of a union: the issues of each branch. */
  readonly errors?: readonly (readonly RichIssue[])[];
  readonly keys?: readonly string[];
  /** Valibot's words for the same. */
  readonly kind?: string;
  readonly type?: string;
  readonly requirement?: unknown;
  readonly expected?: unknown;
}

/** One thing that is wrong with a call's arguments, short enough to send. */
export interface InputFailure {
  readonly pointer: string;
  readonly field: string;
  readonly constraint: string;
  readonly message: string;
  readonly received: JsonValue;
  readonly pattern?: string;
  readonly did_you_mean?: string;
  /** The unknown field that stands where a required one is missing. */
  readonly found?: string;
}

export type MaskText = (text: string) => string;

/** At most `max` characters, and no half of a pair at the cut. */
export function shortened(text: string, max = MAX_TEXT): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

// Zod's word, then ArkType's two for the same.
const typeCodes: readonly unknown[] = ["invalid_type", "domain", "proto"];
const choiceTypes: readonly unknown[] = ["picklist", "enum", "literal", "variant", "union"];

function patternOf({ pattern, requirement }: RichIssue): string | undefined {
  const given = [pattern, requirement].find((each) => each instanceof RegExp) ?? pattern;
  if (given instanceof RegExp) return given.source;
  return typeof given === "string" ? given.replace(/^\/(.*)\/[a-z]*$/s, "$1") : undefined;
}

/** Of choices: whether none of them has the type of what came, so that no other spelling of it would do. */
function isOfOtherType(
  { values, errors, code, expected }: RichIssue,
  received: JsonValue | undefined,
): boolean {
  if (code === "invalid_union" && errors !== undefined && errors.length > 0)
    return errors.every((branch) =>
      branch.some(
        (one) =>
          (one.path ?? []).length === 0 && (typeCodes.includes(one.code) || isOfOtherType(one, received)),
      ),
    );
  if (values !== undefined) return !values.some((value) => typeof value === typeof received);
  // Valibot shows its choices as text alone: ("a" | "b").
  const isText = typeof expected === "string" && /^\(?"/.test(expected) && !/\| [^"]/.test(expected);
  return isText && typeof received !== "string";
}

function constraintOf(issue: RichIssue, received: JsonValue | undefined, isAbsent: boolean): string {
  const { code, kind, type } = issue;
  if (isAbsent) return "required";
  if (isOfOtherType(issue, received)) return "type";
  if (typeCodes.includes(code) || (kind === "schema" && !choiceTypes.includes(type))) return "type";
  if (patternOf(issue) !== undefined) return "pattern";
  if (code === "invalid_value" || (kind === "schema" && type !== "union")) return "enum";
  return code ?? type ?? "invalid";
}

function knownFields(schema: StandardSchema): string[] {
  const properties = jsonSchemaOf(schema, "input")?.["properties"];
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

type Suggestion = Pick<InputFailure, "did_you_mean" | "found">;

/** A close match for a mistyped value or field, where the schema says what it knows. */
function suggest(issue: RichIssue, pointer: string, args: JsonObject, schema: StandardSchema): Suggestion {
  const received = getByPointer(args, pointer);
  if (issue.values !== undefined && typeof received === "string") {
    const values = issue.values.filter((value) => typeof value === "string");
    return suggestion(didYouMean(received, values));
  }
  const [key = "", ...deeper] = pointer.split("/").slice(1);
  const known = knownFields(schema);
  if (deeper.length > 0 || known.length === 0) return {};
  if (issue.keys !== undefined) return suggestion(didYouMean(key, known));
  if (received !== undefined) return {};
  const strays = Object.keys(args).filter((name) => !known.includes(name));
  const found = didYouMean(key, strays);
  return found === undefined ? {} : { did_you_mean: key, found };
}

function suggestion(word: string | undefined): Suggestion {
  return word === undefined ? {} : { did_you_mean: word };
}

/** A schema library's sentence as the end of one that starts with the field's name. */
function asPredicate(message: string): string {
  const typed = /^Invalid input: expected (.+), received (.+)$/.exec(message);
  if (typed !== null) return `must be ${typed[1]}, not ${typed[2]}`;
  const chosen = /^Invalid option: expected one of (.+)$/.exec(message);
  return chosen === null ? message : `must be one of ${chosen[1]?.replaceAll("|", ", ")}`;
}

function describeFailure(
  issue: RichIssue,
  args: JsonObject,
  schema: StandardSchema,
  mask: MaskText,
): InputFailure {
  const keys = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step));
  const pointer = keys.reduce((start, key) => appendPointer(start, key), "");
  const received = getByPointer(args, pointer);
  const isAbsent = received === undefined && pointer !== "";
  const pattern = patternOf(issue);
  const isOwnText = !isAbsent || issue.code === "custom";
  return {
    pointer: shortened(pointer),
    field: shortened(keys.join(".")) || "arguments",
    constraint: constraintOf(issue, received, isAbsent),
    message: isOwnText ? shortened(withoutValue(asPredicate(issue.message), received)) : "is required",
    ...(pattern === undefined ? {} : { pattern: shortened(pattern) }),
    received: showReceived(received, keys, mask),
    ...suggest(issue, pointer, args, schema),
  };
}

/** Failures as the contract words them; unknown fields that a library names together are told one by one. */
function describeFailures(
  issue: SchemaIssue,
  args: JsonObject,
  schema: StandardSchema,
  mask: MaskText,
): InputFailure[] {
  const { keys, path = [] } = issue as RichIssue;
  const isList = Array.isArray(keys) && keys.length > 0;
  const each = isList ? keys.map((key) => ({ ...issue, keys: [key], path: [...path, key] })) : [issue];
  return each.map((one) => describeFailure(one, args, schema, mask));
}

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
export function rejectInput(
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
