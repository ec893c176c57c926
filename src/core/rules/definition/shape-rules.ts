import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";
import { describeMember } from "../../protocol/message-values.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import {
  type DefinitionProblem,
  type DefinitionRule,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";

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

/** Clients read no hint that is spelt in another way; a key that is like none of them is the author's own. */
function judgeHintNames({ annotations }: JsonObject): DefinitionProblem[] {
  if (!isJsonObject(annotations)) return [];
  const known: readonly string[] = ["title", ...hints];
  return Object.keys(annotations).flatMap((key) => {
    const meant = known.includes(key) ? undefined : didYouMean(key, hints);
    if (meant === undefined) return [];
    const message = `Nobody reads the annotation "${key}". Did you mean "${meant}"?`;
    return [{ path: appendPointer("/annotations", key), message }];
  });
}

/** A name as words in small letters, with spaces between: `deleteUser` and `delete-user` are "delete user". */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase()
    .trim();
}

/** Words that say that something is changed, whatever follows; `remove` and `create` are also said of results. */
const CHANGES =
  /^(?:delete|destroy|erase|kill|overwrite|purge|send|uninstall|update|upload|wipe|write)\b|^drop (?:collection|database|index|schema|table)\b|^remove (?:directory|file|folder|member|record|row|user)s?\b|^create (?:branch|directory|file|folder|issue|record|repository|user)s?\b/;
const READS = /^(?:describe|find|get|list|read|search|show|view)\b(?!.* (?:and|then|or) )/;

/** A description that begins with one of these is of a tool that changes something; others are also said of queries. */
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
export const shapeRules: readonly DefinitionRule[] = defineDefinitionRules({
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
