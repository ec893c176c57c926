import { type Node, type ParseError, createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
import type * as z from "zod/mini";
import type { ContractError } from "../../core/contract/contract-error.ts";
import { type JsonValue, setOwn } from "../../core/json/json-value.ts";
import {
  type ConfigPlace,
  type ConfigProblem,
  type Locate,
  comparePlaces,
  createLocator,
  invalidConfig,
} from "./config-problem.ts";
import { type PathSegment, explainIssues, formatPath } from "../../core/options/explain-issues.ts";

const advice: Readonly<Record<string, string>> = {
  InvalidSymbol: "This is not a JSON word. Write true, false, null, a number or a quoted string.",
  InvalidNumberFormat: "This is not a JSON number. Write digits, as in 8000 or 0.5.",
  PropertyNameExpected: 'A key is expected here. Write it in double quotes, as in "profile".',
  ValueExpected: "A value is expected here. Write one, or {} for an empty file.",
  ColonExpected: 'A colon is expected here. Write "key": value.',
  CommaExpected: "A comma is expected here. Put one between two entries.",
  CloseBraceExpected: 'A closing "}" is missing. Add it.',
  CloseBracketExpected: 'A closing "]" is missing. Add it.',
  EndOfFileExpected: "There is text after the end of the value. Remove it.",
  UnexpectedEndOfComment: "The comment does not end. Close it with */.",
  UnexpectedEndOfString: "The string does not end on its line. Close it with a double quote.",
  UnexpectedEndOfNumber: "The number breaks off. Finish it, or write it without an exponent.",
  InvalidUnicode: "The \\u escape is broken. Write four hexadecimal digits.",
  InvalidEscapeCharacter: "The escape is unknown. Write a backslash as \\\\.",
  InvalidCharacter: "There is a control character in a string. Write it as an escape, such as \\n.",
};

/** What a syntax error of the parser means, and what to do about it. */
export function syntaxAdvice(code: string): string {
  return advice[code] ?? "This is not valid JSON. Correct it.";
}

export const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_DEPTH = 100;

/** Refuses a text of more than 1 MiB. */
function refuseSize(text: string, file: string): void {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) throw configTooLarge(file);
}

/** The error for a file above the size limit. */
export function configTooLarge(file: string): ContractError {
  const message = `The file is larger than ${MAX_CONFIG_BYTES} bytes (1 MiB). Keep only settings in it.`;
  return invalidConfig([{ place: { file, line: 1, column: 1 }, path: "", message }]);
}

/** Refuses deep nesting without recursion: the parser recurses and would overflow the stack. */
function refuseDepth(text: string, at: Locate): void {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  for (;;) {
    const before = scanner.getPosition();
    scanner.scan();
    if (scanner.getPosition() === before) return;
    const offset = scanner.getTokenOffset();
    const token = scanner.getTokenLength() === 1 ? text[offset] : "";
    if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else if (token !== "" && token === open.at(-1)) open.pop();
    if (open.length > MAX_DEPTH) throw tooDeep(at(offset));
  }
}

/** The error for a file above the depth limit. */
function tooDeep(place: ConfigPlace, options?: ErrorOptions): ContractError {
  const message = `The file is nested deeper than ${MAX_DEPTH} levels. Flatten it: no setting lies that deep.`;
  return invalidConfig([{ place, path: "", message }], options);
}

// Recovery after a syntax error guesses: later errors mostly follow from the first.
const MAX_SYNTAX_PROBLEMS = 10;

/** The value of a file, and the position of each part in the file. */
export interface ParsedConfig {
  readonly value: JsonValue;
  readonly placeOf: (path: readonly PathSegment[], part?: "key" | "value") => ConfigPlace;
}

/** Parses JSON with comments and trailing commas; every error names file, line and column. */
export function parseJsonc(source: string, file: string): ParsedConfig {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  refuseSize(text, file);
  const at = createLocator(text, file);
  refuseDepth(text, at);
  const root = parseRoot(text, at);
  const walk: Walk = { at, problems: [], spots: new Map() };
  const value = toValue(root, [], walk);
  if (walk.problems.length > 0) throw invalidConfig(walk.problems);
  return { value, placeOf: (path, part = "value") => at(findSpot(walk, path)[part]) };
}

function parseRoot(text: string, at: Locate): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch (cause) {
    // After a syntax error the parser may nest deeper than the brackets do.
    if (cause instanceof RangeError) throw tooDeep(at(0), { cause });
    throw cause;
  }
  if (errors.length === 0 && root !== undefined) return root;
  throw invalidConfig(
    errors.slice(0, MAX_SYNTAX_PROBLEMS).map(({ error, offset }) => ({
      place: at(offset),
      path: "",
      message: syntaxAdvice(printParseErrorCode(error)),
    })),
  );
}

interface Spot {
  readonly key: number;
  readonly value: number;
}

interface Walk {
  readonly at: Locate;
  readonly problems: ConfigProblem[];
  readonly spots: Map<string, Spot>;
}

function toValue(node: Node, path: readonly PathSegment[], walk: Walk): JsonValue {
  const children = node.children ?? [];
  const key = node.parent?.type === "property" ? node.parent.offset : node.offset;
  walk.spots.set(formatPath(path), { key, value: node.offset });
  if (node.type === "array") return children.map((child, index) => toValue(child, [...path, index], walk));
  if (node.type !== "object") return node.value as JsonValue;
  const object: Record<string, JsonValue> = {};
  for (const { children: pair = [] } of children) {
    const [name, content] = pair;
    if (name === undefined || content === undefined) continue;
    const key = String(name.value);
    const message = refuseKey(key, object);
    if (message === undefined) setOwn(object, key, toValue(content, [...path, key], walk));
    else walk.problems.push({ place: walk.at(name.offset), path: formatPath([...path, key]), message });
  }
  return object;
}

function refuseKey(key: string, object: object): string | undefined {
  const quoted = JSON.stringify(key);
  if (key === "__proto__") return `The key ${quoted} is refused. Remove it.`;
  // Remarks such as "_comment" are often repeated on purpose.
  if (!Object.hasOwn(object, key) || key.startsWith("_")) return undefined;
  return `The key ${quoted} is given twice. Keep one of them.`;
}

/** The position of a path, or of its nearest parent in the file. */
function findSpot({ spots }: Walk, path: readonly PathSegment[]): Spot {
  for (let length = path.length; length >= 0; length--) {
    const spot = spots.get(formatPath(path.slice(0, length)));
    if (spot !== undefined) return spot;
  }
  return { key: 0, value: 0 };
}

/** The error for a file whose content breaks its schema: every problem with its place, from top to bottom. */
export function refusedFile(
  issues: readonly z.core.$ZodIssue[],
  schema: z.core.$ZodType,
  { value, placeOf }: ParsedConfig,
): ContractError {
  const problems = explainIssues(issues, { schema, value, whole: "The file" }).map(
    ({ path, part, message }) => ({ place: placeOf(path, part), path: formatPath(path), message }),
  );
  return invalidConfig(problems.sort((left, right) => comparePlaces(left.place, right.place)));
}
