import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { appendPointer, getByPointer } from "../../core/json/pointer.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { showReceived, withoutValue, type RichIssue, asPredicate, choicesOfIssue } from "./word-issue.ts";
import { type SchemaIssue, type StandardSchema, jsonSchemaOf } from "../settings/standard-schema.ts";
import { quoteName, sayName, sayNames } from "../../core/text/say-name.ts";

const MAX_TEXT = 200;

/** One problem in a call's arguments, short enough to send. */
export interface InputFailure {
  readonly pointer: string;
  readonly field: string;
  readonly constraint: string;
  readonly message: string;
  readonly received: JsonValue;
  readonly pattern?: string;
  readonly did_you_mean?: string;
  /** The unknown field that was sent while a required field is missing. */
  readonly found?: string;
}

export type MaskText = (text: string) => string;

/** At most `max` characters; a surrogate pair is never split. */
export function shortened(text: string, max = MAX_TEXT): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

// Zod's code, then ArkType's two codes for the same problem.
const typeCodes: readonly unknown[] = ["invalid_type", "domain", "proto"];
const choiceTypes: readonly unknown[] = ["picklist", "enum", "literal", "variant", "union"];

function patternOf({ pattern, requirement }: RichIssue): string | undefined {
  const given = [pattern, requirement].find((each) => each instanceof RegExp) ?? pattern;
  if (given instanceof RegExp) return given.source;
  return typeof given === "string" ? given.replace(/^\/(.*)\/[a-z]*$/s, "$1") : undefined;
}

/** Whether none of the choices has the type of the value, so that no other spelling would help. */
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
  // Valibot gives its choices only as text: ("a" | "b").
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

/** The fields that the schema has for the object at a path; empty if the schema does not say. */
function knownFields(schema: StandardSchema, path: readonly string[]): string[] {
  let at: JsonValue | undefined = jsonSchemaOf(schema, "input");
  for (const key of path) {
    if (!isJsonObject(at)) return [];
    const inner: JsonValue | undefined = at["properties"];
    at = isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : at["items"];
  }
  const properties = isJsonObject(at) ? at["properties"] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

type Suggestion = Pick<InputFailure, "did_you_mean" | "found">;

/** A close match for a mistyped value or field, if the schema names the known ones. */
function suggest(
  issue: RichIssue,
  keys: readonly string[],
  args: JsonObject,
  schema: StandardSchema,
): Suggestion {
  const received = getByPointer(args, pointerOf(keys));
  const values = issue.values ?? issue.options;
  if (values !== undefined && typeof received === "string") {
    return suggestion(
      didYouMean(
        received,
        values.filter((value) => typeof value === "string"),
      ),
    );
  }
  const above = keys.slice(0, -1);
  const key = keys.at(-1) ?? "";
  const known = knownFields(schema, above);
  if (known.length === 0) return {};
  if (isUnknownField(issue)) return suggestion(didYouMean(key, known));
  if (received !== undefined) return {};
  const holder = getByPointer(args, pointerOf(above));
  const strays = isJsonObject(holder) ? Object.keys(holder).filter((name) => !known.includes(name)) : [];
  const found = didYouMean(key, strays);
  return found === undefined ? {} : { did_you_mean: key, found };
}

/** Zod names the unknown fields; Valibot expects `never` there. */
function isUnknownField({ keys, type, expected }: RichIssue): boolean {
  return keys !== undefined || (type === "strict_object" && expected === "never");
}

function pointerOf(keys: readonly string[]): string {
  return keys.reduce((start, key) => appendPointer(start, key), "");
}

function suggestion(word: string | undefined): Suggestion {
  return word === undefined ? {} : { did_you_mean: word };
}

function describeFailure(
  issue: RichIssue,
  args: JsonObject,
  schema: StandardSchema,
  mask: MaskText,
): InputFailure {
  const keys = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step));
  const pointer = pointerOf(keys);
  const received = getByPointer(args, pointer);
  const isAbsent = received === undefined && pointer !== "";
  const pattern = patternOf(issue);
  return {
    pointer: shortened(pointer),
    field: shortened(keys.join(".")) || "arguments",
    constraint: constraintOf(issue, received, isAbsent),
    message: shortened(messageOf(issue, received, isAbsent)),
    ...(pattern === undefined ? {} : { pattern: shortened(pattern) }),
    received: showReceived(received, keys, mask),
    ...suggest(issue, keys, args, schema),
  };
}

function messageOf(issue: RichIssue, received: JsonValue | undefined, isAbsent: boolean): string {
  if (isAbsent && issue.code !== "custom") return "is required";
  if (isUnknownField(issue)) return UNKNOWN;
  const predicate = withoutValue(asPredicate(issue), received, choicesOfIssue(issue));
  const isOfType = issue.code === "invalid_union" && isOfOtherType(issue, received);
  return isOfType ? `${predicate}, not ${typeName(received)}` : predicate;
}

const UNKNOWN = "is not a known argument";

function typeName(value: JsonValue | undefined): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Failures in the contract's words; unknown fields that a library reports together are listed one by one. */
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
  return [`Did you mean ${quoteName(word)}${found === undefined ? "" : ` instead of ${quoteName(found)}`}?`];
}

function remediationFor(failures: readonly InputFailure[]): string {
  const fields = [...new Set(failures.map(({ field }) => field))].slice(0, 5);
  const hints = [...new Set(failures.flatMap(hintFor))].slice(0, 5);
  return [`Correct ${sayNames(fields)} and call again.`, ...hints].join(" ");
}

/** A source document puts plain names between single quotes here. */
function inSingleQuotes(name: string): string {
  const said = sayName(name);
  return said === name ? `'${name}'` : said;
}

/** The first failure, for the one line that every client shows. */
function sentenceOf({ field, message, did_you_mean: word }: InputFailure): string {
  if (message !== UNKNOWN) return `${sayName(field)} ${message}`;
  return `Unknown argument ${inSingleQuotes(field)}.${word === undefined ? "" : ` Did you mean ${inSingleQuotes(word)}?`}`;
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
  const [first = unnamed] = failures;
  const { field, constraint, pattern, received } = first;
  return new ToolFault(`Validation failed: ${sentenceOf(first)}`, {
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
