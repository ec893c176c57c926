import type * as z from "zod/mini";

const kinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "a boolean",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * What is wrong with a value, as the end of a sentence that starts with its place: "is missing", "is 7, not a string".
 * Pass it to a parse as `error`: Zod mini has no messages of its own, and if the host application sets a locale, our
 * sentences would depend on it. A message given in a schema takes precedence.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `is ${describeInput(issue.input)}, not ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `is not ${issue.values.length === 1 ? "" : "one of "}${quoteAll(issue.values)}`;
    case "too_small":
      return describeTooSmall(issue.input, issue.minimum, issue.inclusive ?? true);
    case "too_big":
      return describeTooBig(issue.input, issue.maximum, issue.inclusive ?? true);
    case "unrecognized_keys":
      return `has the unknown ${issue.keys.length === 1 ? "key" : "keys"} ${quoteAll(issue.keys)}`;
    case "invalid_key":
      return `has a name that ${issue.issues[0]?.message ?? "is not allowed"}`;
    case "invalid_format":
      return issue.pattern === undefined ? `is no ${issue.format}` : `does not match ${issue.pattern}`;
    case "not_multiple_of":
      return `is ${issue.input}, not a multiple of ${issue.divisor}`;
    case "invalid_union":
      return "has none of the allowed shapes";
    case "invalid_element":
    case "custom":
    // A later Zod may add codes.
    default:
      return "is not allowed";
  }
}

function describeTooSmall(input: unknown, minimum: number | bigint, inclusive: boolean): string {
  const unit = unitOf(input);
  if (unit === undefined)
    return `is ${describeInput(input)}, ${inclusive ? "less" : "not more"} than ${minimum}`;
  return Number(minimum) === 1 ? "is empty" : `has fewer than ${minimum} ${unit}`;
}

function describeTooBig(input: unknown, maximum: number | bigint, inclusive: boolean): string {
  const unit = unitOf(input);
  if (unit === undefined)
    return `is ${describeInput(input)}, ${inclusive ? "more" : "not less"} than ${maximum}`;
  return `has more than ${maximum} ${unit}`;
}

/** The unit of a value's length; undefined for a value that is measured by itself. */
function unitOf(input: unknown): string | undefined {
  if (typeof input === "string") return "characters";
  return Array.isArray(input) ? "items" : undefined;
}

/** Texts and contents are not repeated: they may be long, or not be meant for a log. */
function describeInput(input: unknown): string {
  if (
    typeof input === "number" ||
    typeof input === "bigint" ||
    typeof input === "boolean" ||
    input === null
  ) {
    return String(input);
  }
  const kind = Array.isArray(input) ? "array" : typeof input;
  return kinds[kind] ?? `a ${kind}`;
}

function quoteAll(values: readonly z.core.util.Primitive[]): string {
  return values
    .map((value) => (typeof value === "string" ? JSON.stringify(value) : String(value)))
    .join(", ");
}
