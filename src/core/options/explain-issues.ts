import * as z from "zod/mini";
import { adviseKey, adviseName } from "../text/did-you-mean.ts";

export type PathSegment = string | number;

const PLAIN = /^[A-Za-z_$][\w$-]*$/;

/** Writes a path for people: `tools.scan.exclude[0]`, `tools["fs.read"].profile`. */
export function formatPath(path: readonly PathSegment[]): string {
  return path.map((segment, index) => formatSegment(segment, index === 0)).join("");
}

function formatSegment(segment: PathSegment, first: boolean): string {
  if (typeof segment === "number") return `[${segment}]`;
  if (!PLAIN.test(segment)) return `[${JSON.stringify(segment)}]`;
  return first ? segment : `.${segment}`;
}

/** One thing that is wrong; the message says what, then what to do. */
export interface Problem {
  readonly path: readonly PathSegment[];
  /** Whether the key is wrong, or its value. */
  readonly part: "key" | "value";
  readonly message: string;
}

/** What was checked and by which schema; `whole` names the value if all of it is wrong. */
export interface Checked {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
  readonly whole: string;
}

/** Turns a schema's issues into problems: the path, the value found there, and what is allowed or was meant. */
export function explainIssues(issues: readonly z.core.$ZodIssue[], checked: Checked): Problem[] {
  return issues.flatMap((issue) => explain(issue, [], checked));
}

function explain(issue: z.core.$ZodIssue, parent: readonly PathSegment[], checked: Checked): Problem[] {
  const path = [...parent, ...issue.path.map((step) => (typeof step === "symbol" ? String(step) : step))];
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(checked.schema, path);
    return issue.keys.map((name) => ({
      path: [...path, name],
      part: "key",
      message: `${quote(formatPath([...path, name]))} is not a known key. ${adviseKey(name, known)}`,
    }));
  }
  // Of several allowed forms, the one whose check got past its root was meant.
  const meant = issue.code === "invalid_union" ? issue.errors.find(isDeep) : undefined;
  if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path, checked));
  const subject = path.length === 0 ? checked.whole : quote(formatPath(path));
  return [{ path, part: "value", message: `${subject} ${saysOf(issue, valueAt(checked.value, path))}` }];
}

function isDeep(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some(({ path, code }) => path.length > 0 || code === "unrecognized_keys");
}

function saysOf(issue: z.core.$ZodIssue, found: unknown): string {
  if (issue.code === "custom") return issue.message;
  const isMisspelt = issue.code === "invalid_value" && typeof found === "string";
  return `is ${showValue(found)}. ${isMisspelt ? adviseName(found, issue.values.map(String)) : issue.message}`;
}

/** The keys that an object of the schema knows at a path. */
function keysAt(schema: z.core.$ZodType, path: readonly PathSegment[]): readonly string[] {
  const found = path.reduce<z.core.$ZodType | undefined>(
    (at, segment) => at && schemaIn(at, segment),
    schema,
  );
  return found === undefined ? [] : Object.keys(keysOfSchema(found) ?? {});
}

/** A schema without its optional wrapper; of several forms, the one that is an object. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.core.$ZodOptional) return unwrap(schema._zod.def.innerType);
  if (!(schema instanceof z.core.$ZodUnion)) return schema;
  const forms = schema._zod.def.options.map(unwrap);
  return forms.find((form) => form instanceof z.core.$ZodObject) ?? schema;
}

/** The keys of an object schema; undefined for any other schema. */
export function keysOfSchema(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  const plain = unwrap(schema);
  return plain instanceof z.core.$ZodObject ? plain._zod.def.shape : undefined;
}

/** Whether users choose the keys of an object themselves. */
export function hasFreeKeys(schema: z.core.$ZodType): boolean {
  return unwrap(schema) instanceof z.core.$ZodRecord;
}

/** The schema of the value at a key or index. */
export function schemaIn(schema: z.core.$ZodType, segment: PathSegment): z.core.$ZodType | undefined {
  const plain = unwrap(schema);
  if (plain instanceof z.core.$ZodArray) return plain._zod.def.element;
  if (plain instanceof z.core.$ZodRecord) return plain._zod.def.valueType;
  const shape = keysOfSchema(plain);
  return shape !== undefined && Object.hasOwn(shape, segment) ? shape[segment] : undefined;
}

function valueAt(value: unknown, path: readonly PathSegment[]): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Readonly<Record<PathSegment, unknown>>)[segment];
  }
  return current;
}

/** Code can hold anything, so a value that is not short JSON is named by its kind. */
function showValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "string") return cut(JSON.stringify(value));
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const MAX_SHOWN = 60;

function quote(name: string): string {
  return `"${cut(name)}"`;
}

function cut(shown: string): string {
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown;
}
