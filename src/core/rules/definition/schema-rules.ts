import { isPattern, propertiesOf } from "../../schema/json-schema.ts";
import { schemaExcess } from "../../schema/open-schema.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { describeMember, describeMessageValue } from "../../protocol/message-values.ts";
import {
  type DefinedTool,
  type DefinitionProblem,
  type DefinitionRule,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";
import {
  judgeDeadRefs,
  judgeImpossible,
  judgeKeywords,
  judgeLoops,
  judgeNetworkRefs,
  judgeRecursion,
  judgeUnknownRequired,
  schemaNames,
  schemasOf,
} from "./read-schemas.ts";

// Tells whether a regular expression can take time that doubles with each character: a repeated group whose parts can
// share one text in many ways, such as (a+)+ or (\w*\s?)*. It promises to report only those, so a group with a part
// that every turn must have, such as ([a-z]+-)*, is not reported. It reads the pattern and never runs it.

interface Part {
  readonly canBeEmpty: boolean;
  /** Repeated without an upper limit, by itself or in all its contents. */
  readonly isEndless: boolean;
  readonly isSlow: boolean;
}

interface Reader {
  readonly text: string;
  at: number;
}

const MAX_PATTERN = 2_000;
const MAX_DEPTH = 50;

export function isSlowPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  return readChoices({ text: pattern, at: 0 }, 0).isSlow;
}

interface Group {
  readonly canBeEmpty: boolean;
  readonly isSlow: boolean;
  /** The text of one turn of the group can be split between turns in more than one way. */
  readonly isSplittable: boolean;
}

/** Alternatives up to the end of the group. */
function readChoices(reader: Reader, depth: number): Group {
  const choices: Group[] = [readSequence(reader, depth)];
  while (reader.text[reader.at] === "|") {
    reader.at += 1;
    choices.push(readSequence(reader, depth));
  }
  return {
    canBeEmpty: choices.some(({ canBeEmpty }) => canBeEmpty),
    isSlow: choices.some(({ isSlow }) => isSlow),
    isSplittable: choices.some(({ isSplittable }) => isSplittable),
  };
}

function readSequence(reader: Reader, depth: number): Group {
  const parts: Part[] = [];
  while (reader.at < reader.text.length && !"|)".includes(reader.text[reader.at] ?? "")) {
    const part = readPart(reader, depth);
    if (part !== undefined) parts.push(part);
  }
  const endless = parts.filter(({ isEndless }) => isEndless);
  const others = parts.filter(({ isEndless }) => !isEndless);
  return {
    canBeEmpty: parts.every(({ canBeEmpty }) => canBeEmpty),
    isSlow: parts.some(({ isSlow }) => isSlow),
    // If at most one endless part is mandatory and nothing else is, each turn can end anywhere.
    isSplittable:
      endless.length > 0 &&
      others.every(({ canBeEmpty }) => canBeEmpty) &&
      endless.filter(({ canBeEmpty }) => !canBeEmpty).length <= 1,
  };
}

/** One atom with its quantifier; undefined for atoms that match no text, such as ^ and $. */
function readPart(reader: Reader, depth: number): Part | undefined {
  const start = reader.text[reader.at];
  let group: Group | undefined;
  let isAssertion = start === "^" || start === "$";
  if (start === "(") {
    const opening =
      /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(reader.text.slice(reader.at, reader.at + 80))?.[0] ?? "(";
    reader.at += opening.length;
    isAssertion = /[=!]$/.test(opening);
    // Deeper than people write by hand: read as a mandatory part, which is never slow.
    group = depth >= MAX_DEPTH ? skipGroup(reader) : readChoices(reader, depth + 1);
    reader.at += 1;
  } else if (start === "[") readClass(reader);
  else {
    const escape = reader.text[reader.at + 1] ?? "";
    if (start === "\\") isAssertion = escape === "b" || escape === "B";
    reader.at += start === "\\" ? 2 : 1;
  }
  const { isOptional, isEndless } = readQuantifier(reader);
  if (isAssertion) return undefined;
  const isSlow = (group?.isSlow ?? false) || (isEndless && (group?.isSplittable ?? false));
  const holdsEndless = isEndless || (group?.isSplittable ?? false);
  return { canBeEmpty: isOptional || (group?.canBeEmpty ?? false), isEndless: holdsEndless, isSlow };
}

function skipGroup(reader: Reader): Group {
  reader.at = reader.text.length;
  return { canBeEmpty: false, isSlow: false, isSplittable: false };
}

function readClass(reader: Reader): void {
  reader.at += 1;
  while (reader.at < reader.text.length && reader.text[reader.at] !== "]") {
    reader.at += reader.text[reader.at] === "\\" ? 2 : 1;
  }
  reader.at += 1;
}

function readQuantifier(reader: Reader): { isOptional: boolean; isEndless: boolean } {
  const rest = reader.text.slice(reader.at, reader.at + 30);
  const [all = "", mark = ""] = /^([*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest) ?? [];
  reader.at += all.length;
  const isEndless = mark === "*" || mark === "+" || /^\{\d+,\}$/.test(mark);
  return { isOptional: mark === "*" || mark === "?" || mark.startsWith("{0"), isEndless };
}

/** 2019-09 differs from 2020-12 in little that tools use, so it is accepted. */
const DIALECTS = /^https?:\/\/json-schema\.org\/(?:draft\/20(?:19-09|20-12)|draft-07)\/schema#?$/;

function judgeOutputRoot({ outputSchema }: JsonObject): DefinitionProblem[] {
  if (!isJsonObject(outputSchema) || outputSchema["type"] === "object") return [];
  const message = describeMember("outputSchema.type", outputSchema["type"]);
  return [{ path: "/outputSchema/type", message }];
}

function judgeBooleans(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ path, root }) =>
    Object.entries(propertiesOf(root).properties)
      .filter(([, value]) => typeof value === "boolean")
      .map(([key, value]) => ({
        path: appendPointer(`${path}/properties`, key),
        message: `The schema of \`${key}\` is ${describeMessageValue(value)}`,
      })),
  );
}

function judgeSize(definition: JsonObject): DefinitionProblem[] {
  return schemaNames.flatMap((name) => {
    const root = definition[name];
    const excess = isJsonObject(root) ? schemaExcess(root) : undefined;
    return excess === undefined ? [] : [{ path: `/${name}`, message: `The schema is ${excess}` }];
  });
}

function judgeDialect(definition: JsonObject): DefinitionProblem[] {
  return schemasOf(definition).flatMap(({ path, root: { $schema } }) => {
    if ($schema === undefined || (typeof $schema === "string" && DIALECTS.test($schema))) return [];
    return [{ path: `${path}/$schema`, message: describeMember("$schema", $schema) }];
  });
}

interface PlacedPattern {
  readonly path: string;
  readonly pattern: string;
}

function patternsOf(definition: JsonObject): readonly PlacedPattern[] {
  return schemasOf(definition).flatMap(({ all }) =>
    all.flatMap(({ path, schema: { pattern, patternProperties } }) => {
      const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
      return [
        ...(typeof pattern === "string" ? [{ path: `${path}/pattern`, pattern }] : []),
        ...keys.map((key) => ({ path: appendPointer(`${path}/patternProperties`, key), pattern: key })),
      ];
    }),
  );
}

function judgePatterns(definition: JsonObject): DefinitionProblem[] {
  return patternsOf(definition)
    .filter(({ pattern }) => !isPattern(pattern))
    .map(({ path, pattern }) => ({
      path,
      message: `JavaScript cannot read ${describeMessageValue(pattern)}`,
    }));
}

function judgeSlowPatterns(definition: JsonObject): DefinitionProblem[] {
  return patternsOf(definition)
    .filter(({ pattern }) => isSlowPattern(pattern))
    .map(({ path, pattern }) => ({
      path,
      message: `A long text can keep ${describeMessageValue(pattern)} busy for ever`,
    }));
}

function hasNone(name: (typeof schemaNames)[number]): (tools: readonly DefinedTool[]) => string | undefined {
  return (tools) =>
    tools.some(({ definition }) => isJsonObject(definition[name])) ? undefined : `No tool has an \`${name}\``;
}

/** Schemas that every client can read. */
export const schemaRules: readonly DefinitionRule[] = defineDefinitionRules({
  "definition/output-schema-root": {
    severity: "MUST",
    era: "legacy",
    says: 'In the legacy era an `outputSchema` has type "object" at its root',
    fix: 'Put the value under a key: {"type": "object", "properties": {"result": …}}.',
    source: "MCP 2025-06-18, output schema; SDK clients refuse the whole list",
    untested: hasNone("outputSchema"),
    judgeTools: each(judgeOutputRoot),
  },
  "definition/property-boolean": {
    severity: "MUST",
    era: "legacy",
    says: "In the legacy era no property of a schema's root is `true` or `false`",
    fix: "Write {} for any value, and leave out a property that is not allowed.",
    source: "SDK clients 1.25 to 1.32 refuse the whole list",
    judgeTools: each(judgeBooleans),
  },
  "definition/schema-keywords": {
    severity: "MUST",
    says: "The keywords of a schema have the values that JSON Schema gives them",
    fix: "Correct the keyword: clients that compile the schema refuse the tool, or the whole list.",
    source: "MCP 2026-07-28, JSON Schema usage; JSON Schema 2020-12",
    judgeTools: each(judgeKeywords),
  },
  "definition/schema-ref": {
    severity: "MUST",
    says: "Every `$ref` leads to a place of the same schema",
    fix: 'Put the definition under "$defs" of the same schema, or write it in place.',
    source: "SDK clients 1.25 to 1.32 refuse the whole list",
    judgeTools: each(judgeDeadRefs),
  },
  "definition/schema-ref-network": {
    severity: "MUST",
    says: "No `$ref` leads to the network or to another document",
    fix: 'Copy what it names under "$defs" of the same schema: clients do not fetch it.',
    source: "MCP 2026-07-28, $ref resolution",
    judgeTools: each(judgeNetworkRefs),
  },
  "definition/schema-loop": {
    severity: "MUST",
    says: "No schema refers to itself for the same value",
    fix: "Let the schema go one level deeper before it refers to itself; a validator would never end.",
    source: "JSON Schema 2020-12, $ref",
    judgeTools: each(judgeLoops),
  },
  "definition/schema-recursive": {
    severity: "MAY",
    says: "No input schema contains itself",
    fix: "Write out the levels that are needed, or take an id of the parent: some models' APIs refuse such tools.",
    source: "Gemini API, function declarations",
    judgeTools: each(judgeRecursion),
  },
  "definition/schema-impossible": {
    severity: "MUST",
    says: "Every schema can be satisfied by some value",
    fix: "Correct the bounds, or allow the field that is required.",
    source: "JSON Schema 2020-12",
    judgeTools: each(judgeImpossible),
  },
  "definition/schema-size": {
    severity: "SHOULD",
    says: "A schema has at most 1 MiB and 100 levels",
    fix: "Make it flat, or take free JSON and check it in the tool.",
    source: "MCP 2026-07-28, composition-keyword resource use",
    judgeTools: each(judgeSize),
  },
  "definition/schema-dialect": {
    severity: "SHOULD",
    says: "`$schema`, where it is given, is that of JSON Schema 2020-12, 2019-09 or draft 7",
    fix: "Leave `$schema` out: 2020-12 is meant then.",
    source: "MCP 2025-11-25, JSON Schema usage",
    judgeTools: each(judgeDialect),
  },
  "definition/pattern": {
    severity: "SHOULD",
    says: "Every pattern is a regular expression of JavaScript, with the flag u too",
    fix: "Write it without inline flags and named groups of other languages, and without needless backslashes.",
    source: "JSON Schema 2020-12, regular expressions; SDK clients refuse the whole list for an outputSchema",
    judgeTools: each(judgePatterns),
  },
  "definition/pattern-slow": {
    severity: "SHOULD",
    says: "No pattern can take time that doubles with each character",
    fix: "Take the inner quantifier away: write (a+)+ as a+.",
    source: "MCP 2026-07-28, composition-keyword resource use",
    judgeTools: each(judgeSlowPatterns),
  },
  "definition/required-known": {
    severity: "SHOULD",
    says: "Every required field of an input schema is described in its `properties`",
    fix: "Describe the field, or take it out of `required`: a model cannot guess what goes there.",
    source: "MCP 2025-06-18, tools: inputSchema",
    judgeTools: each(judgeUnknownRequired),
  },
});
