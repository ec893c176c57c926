import type { JsonObject } from "../../json/json-value.ts";
import { describeValue } from "../../protocol/message-values.ts";
import type { Finding } from "../server-rule.ts";
import {
  type DefinedTool,
  type DefinitionProblem,
  type DefinitionRule,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";

/** MCP since 2025-11-25. */
const LEGAL = /^[A-Za-z0-9_.-]{1,128}$/;
/** What the APIs of Anthropic and OpenAI take as a name. */
const PORTABLE = /^[A-Za-z0-9_-]+$/;
const MAX_PORTABLE = 64;

function judgeCharacters({ name }: JsonObject): DefinitionProblem[] {
  // An empty name, or one that is no text, breaks `tools-list/name`.
  if (typeof name !== "string" || name === "" || LEGAL.test(name)) return [];
  const strange = [...new Set(Array.from(name).filter((one) => !/[A-Za-z0-9_.-]/.test(one)))].slice(0, 5);
  if (strange.length === 0) return [{ path: "/name", message: `The name has ${name.length} characters` }];
  const shown = strange.map((one) => `${describeValue(one)} (U+${hex(one)})`).join(", ");
  return [{ path: "/name", message: `The name has ${shown}` }];
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

function judgePortable({ name }: JsonObject): DefinitionProblem[] {
  // Names that are not legal in MCP are told by `definition/name-characters`.
  if (typeof name !== "string" || !LEGAL.test(name)) return [];
  if (!PORTABLE.test(name)) return [{ path: "/name", message: "The name has a dot" }];
  if (name.length <= MAX_PORTABLE) return [];
  return [{ path: "/name", message: `The name has ${name.length} characters` }];
}

/** A name as clients compare it that write all names in small letters and put `_` for other characters. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "_");
}

function judgeAmbiguous(tools: readonly DefinedTool[]): Finding[] {
  const first = new Map<string, string>();
  return tools.flatMap(({ name }) => {
    const folded = fold(name);
    const other = first.get(folded);
    if (other === undefined) first.set(folded, name);
    // Two that are equal break `tools-list/name-unique`.
    if (name === "" || other === undefined || other === name) return [];
    return [{ tool: name, path: "/name", message: `The name is taken for ${describeValue(other)}` }];
  });
}

/** Names that every client can use and tell apart. */
export const nameRules: readonly DefinitionRule[] = defineDefinitionRules({
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
