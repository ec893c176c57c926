import { isRetrievalTool } from "../../contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { describeMessageValue } from "../../protocol/message-values.ts";
import type { RuleFinding } from "../server-rule.ts";
import {
  type DefinedTool,
  type DefinitionProblem,
  type DefinitionRule,
  defineDefinitionRules,
  each,
} from "./definition-rule.ts";
import { appendPointer } from "../../json/pointer.ts";

// Finds characters that a person who reads a text cannot see, or takes for others, while a model reads them.
// It promises not to report characters with an honest use: emoji with joiners and flags, joiners of Persian and Indic
// scripts, Greek letters of formulas, line breaks and tabs. It never changes a text.

interface Range {
  readonly from: number;
  readonly to: number;
  readonly what: string;
}

const hidden: readonly Range[] = [
  { from: 0x00, to: 0x08, what: "control character" },
  { from: 0x0b, to: 0x0c, what: "control character" },
  { from: 0x0e, to: 0x1f, what: "control character" },
  { from: 0x7f, to: 0x9f, what: "control character" },
  { from: 0x115f, to: 0x1160, what: "filler that is not seen" },
  { from: 0x180e, to: 0x180e, what: "separator that is not seen" },
  { from: 0x200b, to: 0x200b, what: "zero-width space" },
  { from: 0x202a, to: 0x202e, what: "change of the writing direction" },
  { from: 0x2060, to: 0x2064, what: "operator that is not seen" },
  { from: 0x2066, to: 0x2069, what: "change of the writing direction" },
  { from: 0x206a, to: 0x206f, what: "control character" },
  { from: 0x3164, to: 0x3164, what: "filler that is not seen" },
  { from: 0xfeff, to: 0xfeff, what: "zero-width space" },
  { from: 0xffa0, to: 0xffa0, what: "filler that is not seen" },
  { from: 0xfff9, to: 0xfffb, what: "control character" },
  { from: 0xe0000, to: 0xe007f, what: "tag character" },
  { from: 0xe0100, to: 0xe01ef, what: "variation selector" },
];

const JOINERS = /[\u200C\u200D]/;
const PLAIN = /[\u0020-\u007E]/;
const HAN = /\p{Script=Han}$/u;
/** The flags of England, Scotland and Wales are written with tag characters after a black flag. */
const FLAGS = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

/** All characters of the table, and the joiners. */
const SUSPICIOUS = new RegExp(
  `[\\u200C\\u200D${hidden.map(({ from, to }) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("")}]`,
  "gu",
);
const MAX_FOUND = 1_000;

function nameOf(character: string, what: string): string {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${point} (${what})`;
}

/** The kind of a suspicious character; undefined if it has an honest use in this place. */
function judgeCharacter(character: string, before: string, after: string): string | undefined {
  // Joiners belong between letters of other scripts and in emoji; between plain letters they hide something.
  if (JOINERS.test(character)) {
    const isHiding = PLAIN.test(before.slice(-1)) && PLAIN.test(after.slice(0, 1));
    return isHiding ? "joiner that is not seen" : undefined;
  }
  const point = character.codePointAt(0) ?? 0;
  const what = hidden.find(({ from, to }) => point >= from && point <= to)?.what;
  return what === "variation selector" && HAN.test(before) ? undefined : what;
}

/** The invisible characters of a text, each once, in words; the first 1,000 are examined. */
export function findHidden(text: string): readonly string[] {
  const plain = text.replaceAll(FLAGS, "");
  const found = new Set<string>();
  let looked = 0;
  for (const { 0: character, index } of plain.matchAll(SUSPICIOUS)) {
    if (++looked > MAX_FOUND) break;
    const end = index + character.length;
    const what = judgeCharacter(
      character,
      plain.slice(Math.max(0, index - 2), index),
      plain.slice(end, end + 1),
    );
    if (what !== undefined) found.add(nameOf(character, what));
  }
  return [...found];
}

/** Letters that look like Latin ones, by code point, because in this file they would look the same too. */
const lookalikes = new Set(
  // Cyrillic a, ie, o, er, es, u, ha, i, je, dze; the same as capitals; capital ka, em, en, te, ve; three rare ones.
  "\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0410\u0415\u041E\u0420\u0421\u0423\u0425\u0406\u0408\u0405\u041A\u041C\u041D\u0422\u0412\u0501\u04BB\u04CF" +
    // Greek omicron, and the capitals from Alpha to Chi that Latin has too.
    "\u03BF\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7",
);
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const FULLWIDTH = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;

const MAX_READ = 100_000;

/** Words of Latin letters that also contain lookalikes from other scripts, in the first 100,000 characters. */
export function findLookalikes(text: string): readonly string[] {
  if (!/[\u0250-\u{10FFFF}]/u.test(text)) return [];
  const words = text.slice(0, MAX_READ).match(WORD) ?? [];
  return [...new Set(words.filter(isMixed))];
}

function isMixed(word: string): boolean {
  const letters = Array.from(word).filter((one) => /\p{L}/u.test(one));
  const isPlainLatin = (one: string): boolean => LATIN.test(one) && !FULLWIDTH.test(one);
  const others = letters.filter((one) => !isPlainLatin(one));
  if (others.length === 0 || others.length === letters.length) return false;
  // A word with a letter unlike any Latin one was meant in another script: "SQLзапрос".
  return others.every((one) => lookalikes.has(one) || FULLWIDTH.test(one));
}

// Finds sentences in a definition that tell the model what to do beyond the use of the tool: the marks of a poisoned
// description. It promises to report only wording that no honest description needs, so it misses much. Honest are "call
// this before any other tool", "do not tell the user to type done" and "never without informing the user": descriptions
// of real servers have them.

interface Order {
  readonly what: string;
  readonly pattern: RegExp;
  /** Words in the same sentence that reverse the meaning. */
  readonly unless?: RegExp | undefined;
}

const MAX_ORDERS_READ = 20_000;
const MAX_SENTENCE = 2_000;

const orders: readonly Order[] = [
  {
    what: "sets other instructions aside",
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b(?: \w+){0,2} (?:previous|prior|above|earlier|preceding|system)(?: \w+){0,2} (?:instructions?|prompts?|rules|directions|guidelines)\b/,
    unless: /\b(?:never|not|cannot)\b.*\b(?:ignore|disregard|forget|override|bypass)\b/,
  },
  {
    what: "keeps something from the user",
    pattern:
      /\b(?:do not|don't|never|must not) (?:tell the user (?:that you|you|about this|this|anything)|let the user know|(?:mention|tell|show|reveal) (?:this|it|that|any of this) to the user|inform the user (?:of|about|that))\b|\bwithout (?:telling|informing|notifying|alerting) the user\b|\b(?:hide|conceal) (?:this|it) from the user\b/,
    unless: /\b(?:never|not|cannot|don't|avoid)\b.*\bwithout (?:telling|informing|notifying|alerting)\b/,
  },
  {
    what: "poses as a message of the system",
    pattern:
      /<\/?(?:important|system|system-reminder|secret)>|<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?inst\]|\[system override\]/,
  },
  {
    what: "asks for what is private",
    pattern:
      /\b(?:read|open|load|fetch|cat)\b.{0,60}(?:~\/\.ssh|\bid_rsa|\.aws\/credentials|mcp\.json|\/etc\/passwd).{0,120}\b(?:pass|send|include|put|append|provide)\b|\b(?:include|pass|send|reveal|print|repeat) your (?:\w+ )?system prompt\b/,
    unless: /\b(?:never|do not|don't|must not)\b/,
  },
];

/** The sentences of a text; a dot inside a path does not end one. Only the beginning of a long one is read. */
function lowerSentencesOf(text: string): readonly string[] {
  const plain = text.slice(0, MAX_ORDERS_READ).normalize("NFKC").toLowerCase();
  return plain
    .split(/(?<=[.!?])\s+|\n\s*\n/)
    .map((sentence) => sentence.slice(0, MAX_SENTENCE).replaceAll(/\s+/g, " "));
}

/** What a text orders the model to do, in words, each order once; the first 20,000 characters are read. */
export function findOrders(text: string): readonly string[] {
  const sentences = lowerSentencesOf(text);
  return orders.flatMap(({ what, pattern, unless }) => {
    const found = sentences
      .filter((sentence) => unless?.test(sentence) !== true)
      .flatMap((sentence) => pattern.exec(sentence)?.[0] ?? []);
    return found[0] === undefined ? [] : [`It ${what}: "${found[0].slice(0, 100)}"`];
  });
}

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
  return [{ path: "/description", message: `The description is ${describeMessageValue(description)}` }];
}

function judgeSame(tools: readonly DefinedTool[]): RuleFinding[] {
  const first = new Map<string, string>();
  return tools.flatMap(({ name, definition: { description } }) => {
    const said = typeof description === "string" ? wordsOf(description) : "";
    const other = first.get(said);
    if (other === undefined) first.set(said, name);
    if (said === "" || other === undefined || other === name) return [];
    return [
      {
        tool: name,
        path: "/description",
        message: `The tool is described as ${describeMessageValue(other)} is`,
      },
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

function judgeFields(definition: JsonObject): DefinitionProblem[] {
  // The gateway's own tool is paid for in every conversation: it answers a wrong call with the form of its arguments.
  if (isRetrievalTool(definition)) return [];
  const { inputSchema } = definition;
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

function judgeTokens(tools: readonly DefinedTool[]): RuleFinding[] {
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
    return [
      { path, message: `Two scripts are mixed in ${found.slice(0, 3).map(describeMessageValue).join(", ")}` },
    ];
  });
}

function judgeOrders(definition: JsonObject): DefinitionProblem[] {
  return sentencesOf(definition).flatMap(({ path, text }) =>
    findOrders(text).map((message) => ({ path, message })),
  );
}

/** What a model reads of a tool. */
export const toolTextRules: readonly DefinitionRule[] = defineDefinitionRules({
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
