import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { describeValue } from "../../protocol/message-values.ts";
import type { Finding } from "../server-rule.ts";
import {
  type DefinedTool,
  type DefinitionProblem,
  type DefinitionRule,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";
import { findHidden, findLookalikes } from "./hidden-characters.ts";
import { findOrders } from "./orders.ts";
import { appendPointer } from "../../json/pointer.ts";

/** A text of a definition that a model may read. */
interface PlacedText {
  readonly path: string;
  readonly text: string;
}

const MAX_TEXTS = 10_000;
const MAX_DEPTH = 100;

/** Not read by the model: a client's own data, and pictures. */
const unread = new Set(["_meta", "icons"]);

/** Every text of a definition, keys too, in order; the first 10,000 down to a depth of 100. */
function textsOf(definition: JsonObject): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  const visit = (value: JsonValue, path: string, depth: number): void => {
    if (texts.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
    if (typeof value === "string") texts.push({ path, text: value });
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      if (depth === 0 && unread.has(key)) continue;
      const place = appendPointer(path, Array.isArray(value) ? Number(key) : key);
      if (!Array.isArray(value)) texts.push({ path: place, text: key });
      visit(child, place, depth + 1);
    }
  };
  visit(definition, "", 0);
  return texts;
}

const MAX_SENTENCES = 1_000;

/** The descriptions and titles of a definition, which are sentences; the first 1,000. */
function sentencesOf(definition: JsonObject): readonly PlacedText[] {
  const sentences: PlacedText[] = [];
  const visit = (value: JsonValue, path: string, depth: number): void => {
    if (typeof value !== "object" || value === null) return;
    if (sentences.length >= MAX_SENTENCES || depth > MAX_DEPTH) return;
    for (const [key, child] of Object.entries(value)) {
      if (depth === 0 && unread.has(key)) continue;
      const place = appendPointer(path, Array.isArray(value) ? Number(key) : key);
      const isSentence = isJsonObject(value) && (key === "description" || key === "title");
      if (isSentence && typeof child === "string") sentences.push({ path: place, text: child });
      else visit(child, place, depth + 1);
    }
  };
  visit(definition, "", 0);
  return sentences;
}

/** Claude Code 2.1.280 cuts longer descriptions. */
const MAX_DESCRIPTION_CHARACTERS = 2_048;
/** A tenth of what a whole list should have. Of 57 definitions of published servers, one has more; the next 1,001. */
const MAX_DEFINITION_TOKENS = 2_000;

function wordsOf(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function judgeNameAsDescription({ name, description }: JsonObject): DefinitionProblem[] {
  if (typeof name !== "string" || typeof description !== "string") return [];
  const said = wordsOf(description);
  // An empty description breaks `tools-list/description`.
  if (said === "" || said !== wordsOf(name)) return [];
  return [{ path: "/description", message: `The description is ${describeValue(description)}` }];
}

function judgeSame(tools: readonly DefinedTool[]): Finding[] {
  const first = new Map<string, string>();
  return tools.flatMap(({ name, definition: { description } }) => {
    const said = typeof description === "string" ? wordsOf(description) : "";
    const other = first.get(said);
    if (other === undefined) first.set(said, name);
    if (said === "" || other === undefined || other === name) return [];
    return [
      { tool: name, path: "/description", message: `The tool is described as ${describeValue(other)} is` },
    ];
  });
}

function judgeLength({ description }: JsonObject): DefinitionProblem[] {
  if (typeof description !== "string" || description.length <= MAX_DESCRIPTION_CHARACTERS) return [];
  return [{ path: "/description", message: `The description has ${description.length} characters` }];
}

/** A field is described by its own words, by those of its parts, or by its ref's target; a constant needs no words. */
function isDescribed(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  if (typeof schema["$ref"] === "string" || schema["const"] !== undefined) return true;
  return sentencesOf(schema).some(({ text }) => text.trim() !== "");
}

function judgeFields({ inputSchema }: JsonObject): DefinitionProblem[] {
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  if (!isJsonObject(properties)) return [];
  const fields = Object.entries(properties);
  const bare = fields.filter(([, schema]) => !isDescribed(schema));
  // The tool's own description says what goes into a single field.
  if (bare.length === 0 || fields.length === 1) return [];
  const shown = bare.slice(0, 5).map(([key]) => `\`${key.slice(0, 60)}\``);
  const more = bare.length > shown.length ? `, and ${bare.length - shown.length} more` : "";
  const message = `${bare.length} of ${fields.length} fields have no description: ${shown.join(", ")}${more}`;
  return [{ path: "/inputSchema/properties", message }];
}

function judgeTokens(tools: readonly DefinedTool[]): Finding[] {
  return tools
    .filter(({ tokens }) => tokens > MAX_DEFINITION_TOKENS)
    .map(({ name, tokens }) => ({ tool: name, path: "", message: `The definition has ${tokens} tokens` }));
}

function judgeHidden(definition: JsonObject): DefinitionProblem[] {
  return textsOf(definition).flatMap(({ path, text }) => {
    const found = findHidden(text);
    return found.length === 0 ? [] : [{ path, message: `The text has ${found.slice(0, 5).join(", ")}` }];
  });
}

function judgeLookalikes(definition: JsonObject): DefinitionProblem[] {
  return textsOf(definition).flatMap(({ path, text }) => {
    // Names have their own rule, which does not allow such letters.
    const found = path === "/name" ? [] : findLookalikes(text);
    if (found.length === 0) return [];
    return [{ path, message: `Two scripts are mixed in ${found.slice(0, 3).map(describeValue).join(", ")}` }];
  });
}

function judgeOrders(definition: JsonObject): DefinitionProblem[] {
  return sentencesOf(definition).flatMap(({ path, text }) =>
    findOrders(text).map((message) => ({ path, message })),
  );
}

/** What a model reads of a tool. */
export const textRules: readonly DefinitionRule[] = defineDefinitionRules({
  "definition/description-is-name": {
    severity: "SHOULD",
    says: "A description says more than the name",
    fix: "Say what the tool does, when to use it and what comes back.",
    source: "MCP 2025-06-18, tools: description",
    judgeTools: each(judgeNameAsDescription),
  },
  "definition/description-same": {
    severity: "SHOULD",
    says: "No two tools have the same description",
    fix: "Say in each description what the other tool does not do.",
    source: "MCP 2025-06-18, tools: description",
    judgeTools: judgeSame,
  },
  "definition/description-length": {
    severity: "SHOULD",
    says: `A description has at most ${MAX_DESCRIPTION_CHARACTERS.toLocaleString("en")} characters`,
    fix: "Say first what the tool does, and move the rest into the descriptions of its fields, or leave it out.",
    source: "Claude Code 2.1.280 cuts longer ones",
    judgeTools: each(judgeLength),
  },
  "definition/field-description": {
    severity: "MAY",
    says: "Every field of an input schema with more than one has a description",
    fix: "Say in a few words what goes into the field, with its unit or form.",
    source: "MCP 2025-06-18, tools: inputSchema",
    judgeTools: each(judgeFields),
  },
  "definition/tokens": {
    severity: "SHOULD",
    says: `A definition has at most ${MAX_DEFINITION_TOKENS.toLocaleString("en")} tokens`,
    fix: "Shorten descriptions, and leave out what the schema says already: every conversation begins with it.",
    source: "a tenth of what a whole list may have before Claude Code keeps it out of the context",
    judgeTools: judgeTokens,
  },
  "definition/hidden-characters": {
    severity: "MUST",
    says: "A definition has no characters that are not seen",
    fix: "Delete them. A person who approves the tool does not see what the model reads there.",
    source: "Unicode TR 36, security considerations; tool poisoning by tag characters",
    judgeTools: each(judgeHidden),
  },
  "definition/lookalike-characters": {
    severity: "SHOULD",
    says: "No word of a definition mixes Latin letters with letters of other scripts that look the same",
    fix: "Write the word in one script.",
    source: "Unicode TS 39, mixed-script confusables",
    judgeTools: each(judgeLookalikes),
  },
  "definition/orders": {
    severity: "SHOULD",
    says: "A definition describes the tool, and gives the model no orders beyond its use",
    fix: "Say what the tool does. What a model must always do belongs to the client's own prompt.",
    source: "Tool poisoning (Invariant Labs, April 2025); OWASP MCP Top 10",
    judgeTools: each(judgeOrders),
  },
});
