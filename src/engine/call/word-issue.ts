import type { SchemaIssue } from "../settings/standard-schema.ts";
import { describeReceived } from "../../core/contract/brief-text.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { labelOfName } from "../../core/text/redact/mask.ts";

/** Fields that schema libraries add to the standard's message and path. */
export interface RichIssue extends SchemaIssue {
  readonly code?: string;
  readonly pattern?: unknown;
  readonly values?: readonly unknown[];
  /** Zod, for a union: the issues of each branch. */
  readonly errors?: readonly (readonly RichIssue[])[];
  readonly keys?: readonly string[];
  /** Zod, for a union with a deciding field: the values of that field. */
  readonly options?: readonly unknown[];
  /** Valibot's words for the same. */
  readonly kind?: string;
  readonly type?: string;
  readonly requirement?: unknown;
  readonly expected?: unknown;
}

/** The most forms of a union that are named; a model needs no longer list to find its mistake. */
const MAX_FORMS = 5;
/** The most fields that are named for a form that is an object. */
const MAX_FIELDS = 2;

/** A schema library's sentence as a predicate for the field's name. */
export function asPredicate(issue: RichIssue): string {
  const { code, errors = [], options } = issue;
  if (code === "invalid_union" && options !== undefined) return `must be one of ${listOf(options)}`;
  if (code === "invalid_union" && errors.length > 0) {
    const forms = formsOf(issue);
    // If a form is a clause of its own, a simple "or" would be read as part of it.
    return `must be ${forms.join(forms.some((form) => form.includes(" in which ")) ? "; or " : " or ")}`;
  }
  return predicateOf(issue.message);
}

/** The accepted values, for a misspelt one; undefined if the issue does not name them. */
export function choicesOfIssue({ values }: RichIssue): string | undefined {
  return values === undefined || values.length < 2 ? undefined : `must be one of ${listOf(values)}`;
}

/** Zod's record is, for a caller, a JSON object. */
function inJson(wanted: string): string {
  return wanted === "record" ? "object" : wanted;
}

/** Zod's sentences, each with words that follow a field's name well; other sentences stay as they are. */
const sentences: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [
    /^Invalid input: expected (.+), received (.+)$/s,
    (wanted = "", got = "") => `must be ${inJson(wanted)}, not ${got}`,
  ],
  [/^Invalid input: expected (.+)$/s, (wanted = "") => `must be ${inJson(wanted)}`],
  [
    /^Invalid option: expected one of (.+)$/s,
    (wanted = "") => `must be one of ${wanted.replaceAll("|", ", ")}`,
  ],
  [
    /^Too (?:small|big): expected .+? to (be|have) (.+)$/s,
    (verb = "", bound = "") => `must ${verb} ${bound}`,
  ],
  [/^Invalid \w+: (must .+)$/s, (rule = "") => rule],
  [/^Invalid ([^:]+)$/s, (what = "") => (what === "input" ? "is not valid" : `is not a valid ${what}`)],
];

function predicateOf(message: string): string {
  for (const [pattern, say] of sentences) {
    const found = pattern.exec(message);
    if (found !== null) return say(...found.slice(1));
  }
  return message;
}

/** What each branch of a union would have accepted, in its own words, without duplicates. */
function formsOf({ errors = [] }: RichIssue): string[] {
  const forms = errors.flatMap((branch) => {
    const root = branch.find(({ path = [] }) => path.length === 0);
    if (root === undefined) return [`an object in which ${fieldsOf(branch)}`];
    return root.code === "invalid_union" && root.errors !== undefined ? formsOf(root) : [formOf(root)];
  });
  const different = [...new Set(forms)];
  const more = different.length - MAX_FORMS;
  return more > 0 ? [...different.slice(0, MAX_FORMS), `${more} more forms`] : different;
}

function formOf({ expected, values, message, code, keys = [] }: RichIssue): string {
  if (values !== undefined) return values.length === 1 ? listOf(values) : `one of ${listOf(values)}`;
  if (code === "unrecognized_keys") return `an object without ${listOf(keys)}`;
  if (code === "invalid_type" && typeof expected === "string") return inJson(expected);
  return `a value that ${predicateOf(message)}`;
}

function fieldsOf(branch: readonly RichIssue[]): string {
  const named = branch.slice(0, MAX_FIELDS).map((issue) => {
    const isMissing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
    const field = (issue.path ?? [])
      .map((step) => String(typeof step === "object" ? step.key : step))
      .join(".");
    return `${field} ${isMissing ? "is given" : asPredicate(issue)}`;
  });
  return named.join(" and ");
}

function listOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value) ?? String(value)).join(", ");
}

/** Longer values are content, not a typing mistake. */
const MAX_SHOWN = 40;

function hasSecretName(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasSecretName);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, item]) => labelOfName(key) !== undefined || hasSecretName(item));
}

/**
 * A rejected value as a refusal may show it: the value itself if it is short, on one line, not under a
 * secret's name and without a secret in it; else its type and length. `names` is the path to the value.
 */
export function showReceived(
  value: JsonValue | undefined,
  names: readonly string[],
  mask: (text: string) => string,
): JsonValue {
  if (value === undefined || value === null) return null;
  if (names.some((name) => labelOfName(name) !== undefined)) return describeReceived(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // The first characters of a long text are enough to see that it is too long.
  const isShort = text.length <= MAX_SHOWN && !/[\r\n\u2028\u2029]/.test(text);
  return isShort && !hasSecretName(value) && mask(text) === text ? value : describeReceived(value);
}

/** Shorter values may be in a message by chance. */
const MIN_REPEATED = 4;
const valibotEnd = /^Invalid [\w ]+: (?:Expected (.+)|Received .*?) but received .*$/s;
const arkTypeEnd = / \(was .*\)$/s;

/**
 * A schema library's message without the rejected value, which some libraries repeat; only `received` may
 * show the value. `instead` replaces a message that contains the value.
 */
export function withoutValue(
  message: string,
  value: JsonValue | undefined,
  instead = "is not allowed",
): string {
  const [, expected] = valibotEnd.exec(message) ?? [];
  const kept = expected === undefined ? message.replace(arkTypeEnd, "") : `must be ${expected}`;
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  const start = text.slice(0, 2 * MIN_REPEATED);
  const isRepeated = typeof value === "string" && text.length >= MIN_REPEATED && kept.includes(start);
  return isRepeated ? instead : kept;
}
