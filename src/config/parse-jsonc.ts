import { parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import { type JsonValue, setOwn } from "../json/json-value.ts";
import { invalidConfig, type ConfigProblem } from "./config-problem.ts";
import { formatPath, type PathSegment } from "./format-path.ts";
import { createLocator, type Locate } from "./locate-offset.ts";
import type { Place } from "./place.ts";
import { refuseDepth, refuseSize, tooDeep } from "./refuse-limits.ts";
import { syntaxAdvice } from "./syntax-advice.ts";

// Recovery after a syntax error guesses; what it reports later is mostly the echo of the first.
const MAX_SYNTAX_PROBLEMS = 10;

/** A file's value, and where in the file each part of it stands. */
export interface ParsedConfig {
  readonly value: JsonValue;
  readonly placeOf: (path: readonly PathSegment[], part?: "key" | "value") => Place;
}

/** Parses JSON with comments and trailing commas; every refusal names file, line and column. */
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
    // After a syntax error the parser may nest deeper than the brackets say.
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

/** The spot of a path, or of its nearest parent that is in the file. */
function findSpot({ spots }: Walk, path: readonly PathSegment[]): Spot {
  for (let length = path.length; length >= 0; length--) {
    const spot = spots.get(formatPath(path.slice(0, length)));
    if (spot !== undefined) return spot;
  }
  return { key: 0, value: 0 };
}
