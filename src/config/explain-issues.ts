import * as z from "zod";
import type { JsonValue } from "../json/json-value.ts";
import { type ConfigProblem, adviseKey, adviseName, comparePlaces } from "./config-problem.ts";
import { formatPath, type PathSegment } from "./entry.ts";
import type { ParsedConfig } from "./parse-jsonc.ts";

const MAX_SHOWN = 60;

/** Turns a schema's issues into problems with a place, a path and a suggestion, from top to bottom. */
export function explainIssues(error: z.ZodError, schema: z.ZodType, parsed: ParsedConfig): ConfigProblem[] {
  const problems = error.issues.flatMap((issue) => {
    const path = issue.path.map((segment) => (typeof segment === "symbol" ? String(segment) : segment));
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((name) => unknownKey([...path, name], knownKeys(schema, path), parsed));
    }
    const found = valueAt(parsed.value, path);
    const advice =
      issue.code === "invalid_value" && typeof found === "string"
        ? adviseName(found, issue.values.map(String))
        : issue.message;
    const subject = path.length === 0 ? "The file" : quote(formatPath(path));
    const message = `${subject} is ${showValue(found)}. ${advice}`;
    return [{ place: parsed.placeOf(path), path: formatPath(path), message }];
  });
  return problems.sort((left, right) => comparePlaces(left.place, right.place));
}

function unknownKey(
  path: readonly PathSegment[],
  known: readonly string[],
  parsed: ParsedConfig,
): ConfigProblem {
  const name = String(path.at(-1));
  const shown = formatPath(path);
  const message = `${quote(shown)} is not a known key. ${adviseKey(name, known)}`;
  return { place: parsed.placeOf(path, "key"), path: shown, message };
}

/** The keys an object of the schema knows at a path. */
function knownKeys(schema: z.ZodType, path: readonly PathSegment[]): readonly string[] {
  let current: unknown = unwrap(schema);
  for (const segment of path) {
    if (current instanceof z.ZodObject) current = unwrap(current.shape[segment]);
    else if (current instanceof z.ZodRecord) current = unwrap(current.valueType);
    else if (current instanceof z.ZodArray) current = unwrap(current.element);
  }
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

/** A schema without its optional wrappers. */
export function unwrap(schema: unknown): unknown {
  let current = schema;
  while (current instanceof z.ZodOptional) current = current.unwrap();
  return current;
}

function valueAt(value: JsonValue, path: readonly PathSegment[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const segment of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<PathSegment, JsonValue>>)[segment];
  }
  return current;
}

function showValue(value: JsonValue | undefined): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return cut(JSON.stringify(value));
}

function quote(name: string): string {
  return `"${cut(name)}"`;
}

function cut(shown: string): string {
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}
