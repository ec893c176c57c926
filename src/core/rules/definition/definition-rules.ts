import type { ServerRecord } from "../server-record.ts";
import {
  type RuleFinding,
  type JudgeTools,
  type ServerRule,
  type RuleVerdict,
  defineServerRules,
} from "../server-rule.ts";
import { clientRules } from "./client-rules.ts";
import {
  type DefinedTool,
  type DefinitionRule,
  toServerRules,
  type DefinitionProblem,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";
import { findHidden, findOrders, toolTextRules } from "./text-rules.ts";
import { schemaRules } from "./schema-rules.ts";
import { schemaNames, schemasOf } from "./read-schemas.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { describeMessageValue, describeMember } from "../../protocol/message-values.ts";
import { appendPointer } from "../../json/pointer.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
const taskSupports: readonly unknown[] = ["required", "optional", "forbidden"];

interface Member {
  readonly path: string;
  readonly name: string;
  readonly value: JsonValue | undefined;
  readonly fits: (value: JsonValue) => boolean;
}

const isText = (value: JsonValue): boolean => typeof value === "string";
const isFlag = (value: JsonValue): boolean => typeof value === "boolean";

function membersOf(definition: JsonObject): readonly Member[] {
  const { title, description, outputSchema, annotations, execution, icons, _meta: meta } = definition;
  const annotated = isJsonObject(annotations) ? annotations : {};
  const executed = isJsonObject(execution) ? execution : {};
  return [
    { path: "/title", name: "title", value: title, fits: isText },
    { path: "/description", name: "description", value: description, fits: isText },
    { path: "/outputSchema", name: "outputSchema", value: outputSchema, fits: isJsonObject },
    { path: "/annotations", name: "annotations", value: annotations, fits: isJsonObject },
    { path: "/annotations/title", name: "annotations.title", value: annotated["title"], fits: isText },
    ...hints.map((hint) => ({
      path: `/annotations/${hint}`,
      name: `annotations.${hint}`,
      value: annotated[hint],
      fits: isFlag,
    })),
    { path: "/execution", name: "execution", value: execution, fits: isJsonObject },
    {
      path: "/execution/taskSupport",
      name: "execution.taskSupport",
      value: executed["taskSupport"],
      fits: (value) => taskSupports.includes(value),
    },
    { path: "/icons", name: "icons", value: icons, fits: areIcons },
    { path: "/_meta", name: "_meta", value: meta, fits: isJsonObject },
  ];
}

function areIcons(value: JsonValue): boolean {
  return (
    Array.isArray(value) &&
    value.every((icon: JsonValue) => isJsonObject(icon) && isText(icon["src"] ?? null))
  );
}

function judgeShape(definition: JsonObject): DefinitionProblem[] {
  return membersOf(definition)
    .filter(({ value, fits }) => value !== undefined && !fits(value))
    .map(({ path, name, value }) => ({ path, message: describeMember(name, value) }));
}

/** Clients ignore a hint with another spelling; a key that resembles none of the hints is the author's own. */
function judgeHintNames({ annotations }: JsonObject): DefinitionProblem[] {
  if (!isJsonObject(annotations)) return [];
  const known: readonly string[] = ["title", ...hints];
  return Object.keys(annotations).flatMap((key) => {
    const meant = known.includes(key) ? undefined : didYouMean(key, hints);
    if (meant === undefined) return [];
    const message = `No client reads the annotation "${key}". Did you mean "${meant}"?`;
    return [{ path: appendPointer("/annotations", key), message }];
  });
}

/** A name as lower-case words with spaces between: `deleteUser` and `delete-user` are "delete user". */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase()
    .trim();
}

/** Words that always say that something is changed; `remove` and `create` are also used for results. */
const CHANGES =
  /^(?:delete|destroy|erase|kill|overwrite|purge|send|uninstall|update|upload|wipe|write)\b|^drop (?:collection|database|index|schema|table)\b|^remove (?:directory|file|folder|member|record|row|user)s?\b|^create (?:branch|directory|file|folder|issue|record|repository|user)s?\b/;
const READS = /^(?:describe|find|get|list|read|search|show|view)\b(?!.* (?:and|then|or) )/;

/**
 * A description that begins with one of these belongs to a tool that changes something; other verbs are also used for
 * queries.
 */
const SAYS_CHANGE = /^(?:deletes?|destroys?|erases?|overwrites?|purges?|uninstalls?|wipes?)\b/i;

function judgeAnnotations({ name, description, annotations }: JsonObject): DefinitionProblem[] {
  if (typeof name !== "string" || !isJsonObject(annotations)) return [];
  const { readOnlyHint, destructiveHint } = annotations;
  const words = wordsOf(name);
  if (readOnlyHint === true && destructiveHint === true)
    return [{ path: "/annotations", message: "The tool is marked read-only and destructive" }];
  if (readOnlyHint === true && CHANGES.test(words))
    return [
      {
        path: "/annotations/readOnlyHint",
        message: "The tool is marked read-only, and its name says that it changes something",
      },
    ];
  if (readOnlyHint === true && typeof description === "string" && SAYS_CHANGE.test(description.trim()))
    return [
      {
        path: "/annotations/readOnlyHint",
        message: "The tool is marked read-only, and its description says that it changes something",
      },
    ];
  if (readOnlyHint !== true && destructiveHint === true && READS.test(words))
    return [
      {
        path: "/annotations/destructiveHint",
        message: "The tool is marked destructive, and its name says that it reads",
      },
    ];
  return [];
}

/** The members of a definition besides its schemas. */
const shapeRules: readonly DefinitionRule[] = defineDefinitionRules({
  "definition/shape": {
    severity: "MUST",
    says: "The members of a definition have the types that MCP gives them",
    fix: "Send the member in its type, or leave it out, null included.",
    source: "MCP 2025-11-25, schema: Tool; SDK clients refuse the whole list",
    judgeTools: each(judgeShape),
  },
  "definition/annotations": {
    severity: "SHOULD",
    says: "Annotations do not contradict each other, the name or the description",
    fix: "Set `readOnlyHint` only on tools that change nothing: clients call those without asking.",
    source: "MCP 2025-06-18, tool annotations; VS Code and others call read-only tools without asking",
    judgeTools: each(judgeAnnotations),
  },
  "definition/annotation-names": {
    severity: "SHOULD",
    says: "No annotation is a misspelt hint, such as `readonlyHint`",
    fix: "Spell it as MCP does: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`.",
    source: "MCP 2025-06-18, tool annotations",
    judgeTools: each(judgeHintNames),
  },
});

/** MCP since 2025-11-25. */
const LEGAL = /^[A-Za-z0-9_.-]{1,128}$/;
/** The names that the APIs of Anthropic and OpenAI accept. */
const PORTABLE = /^[A-Za-z0-9_-]+$/;
const MAX_PORTABLE = 64;

function judgeCharacters({ name }: JsonObject): DefinitionProblem[] {
  // A name that is empty or not a text breaks `tools-list/name`.
  if (typeof name !== "string" || name === "" || LEGAL.test(name)) return [];
  const strange = [...new Set(Array.from(name).filter((one) => !/[A-Za-z0-9_.-]/.test(one)))].slice(0, 5);
  if (strange.length === 0) return [{ path: "/name", message: `The name has ${name.length} characters` }];
  const shown = strange.map((one) => `${describeMessageValue(one)} (U+${hex(one)})`).join(", ");
  return [{ path: "/name", message: `The name has ${shown}` }];
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

function judgePortable({ name }: JsonObject): DefinitionProblem[] {
  // `definition/name-characters` reports names that are not legal in MCP.
  if (typeof name !== "string" || !LEGAL.test(name)) return [];
  if (!PORTABLE.test(name)) return [{ path: "/name", message: "The name has a dot" }];
  if (name.length <= MAX_PORTABLE) return [];
  return [{ path: "/name", message: `The name has ${name.length} characters` }];
}

/** A name as some clients compare it: in lower case, with `_` for all other characters. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "_");
}

function judgeAmbiguous(tools: readonly DefinedTool[]): RuleFinding[] {
  const first = new Map<string, string>();
  return tools.flatMap(({ name }) => {
    const folded = fold(name);
    const other = first.get(folded);
    if (other === undefined) first.set(folded, name);
    // Two equal names break `tools-list/name-unique`.
    if (name === "" || other === undefined || other === name) return [];
    return [{ tool: name, path: "/name", message: `The name is taken for ${describeMessageValue(other)}` }];
  });
}

/** Names that every client can use and tell apart. */
const nameRules: readonly DefinitionRule[] = defineDefinitionRules({
  "definition/name-characters": {
    severity: "SHOULD",
    says: "A tool's name has 1 to 128 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`",
    fix: "Rename the tool; the words for people belong in `title`.",
    source: "MCP 2025-11-25, tool names",
    judgeTools: each(judgeCharacters),
  },
  "definition/name-portable": {
    severity: "SHOULD",
    says: `A tool's name has no dot and at most ${MAX_PORTABLE} characters`,
    fix: 'Write "_" for the dot and shorten the name: clients that pass it on as it is get their whole request refused.',
    source:
      "Anthropic and OpenAI API: names are [A-Za-z0-9_-]{1,64}; Claude Desktop, Codex and Copilot CLI pass names on",
    judgeTools: each(judgePortable),
  },
  "definition/name-ambiguous": {
    severity: "SHOULD",
    says: "No two names differ only in capital letters or in `_`, `-` and `.`",
    fix: "Rename one of the two so that another word tells them apart.",
    source: "VS Code and others write one character for all that a model's API does not take",
    judgeTools: judgeAmbiguous,
  },
});

/** All rules about definitions that need no server. */
const definitionRules: readonly DefinitionRule[] = [
  ...nameRules,
  ...shapeRules,
  ...schemaRules,
  ...clientRules,
  ...toolTextRules,
];

/** The schemas of a tool in which another rule found something, so that it is not reported twice. */
function knownBad(tool: DefinedTool): ReadonlySet<string> {
  const found = schemaRules.flatMap(({ judgeTools, severity }) =>
    severity === "MAY" ? [] : judgeTools([tool]),
  );
  return new Set(schemaNames.filter((name) => found.some(({ path }) => path.startsWith(`/${name}`))));
}

/** What a validator says about schemas in which no other rule found anything. */
async function judgeUsable(record: ServerRecord, judging: JudgeTools): Promise<RuleVerdict> {
  if (record.tools.length === 0) return { untested: "The server lists no tools" };
  const found: RuleFinding[] = [];
  for (const tool of record.tools) {
    const bad = knownBad(tool);
    for (const { name, path, root } of schemasOf(tool.definition)) {
      const { problem } = bad.has(name) ? { problem: undefined } : await judging.validate(root, {});
      if (problem !== undefined) found.push({ tool: tool.name, path, message: problem });
    }
  }
  return found;
}

/** The model reads the greeting's instructions like definitions. */
function judgeInstructions({ greeting }: ServerRecord): RuleVerdict {
  const instructions = greeting.kind === "result" ? greeting.result["instructions"] : undefined;
  if (typeof instructions !== "string") return { untested: "The greeting has no instructions" };
  const path = "/instructions";
  const hidden = findHidden(instructions);
  return [
    ...(hidden.length === 0 ? [] : [{ path, message: `The text has ${hidden.slice(0, 5).join(", ")}` }]),
    ...findOrders(instructions).map((message) => ({ path, message })),
  ];
}

const liveRules: readonly ServerRule[] = defineServerRules({
  "definition/schema-usable": {
    severity: "MUST",
    says: "A validator can compile every schema",
    fix: "Correct the schema: clients that compile it refuse the tool, or the whole list.",
    source: "MCP 2026-07-28, schema validation",
    judge: judgeUsable,
  },
  "protocol/instructions": {
    severity: "SHOULD",
    says: "The greeting's instructions have no characters that are not seen, and set nothing else aside",
    fix: "Say what the server is for and how its tools go together.",
    source: "MCP 2025-06-18, instructions; tool poisoning (Invariant Labs, April 2025)",
    judge: judgeInstructions,
  },
});

/** Names, schemas, texts and annotations of the tools that a server lists. */
export const definitionServerRules: readonly ServerRule[] = [...toServerRules(definitionRules), ...liveRules];
