// What the descriptions of a tool say a second time. The rules are data, and each takes away only what the same definition
// says elsewhere. Nothing is rewritten: what stays is a part of the text, in its words.

import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { namedTypes } from "./json-schema.ts";

/** The text without spaces that say nothing: at the ends of lines, an indentation of all lines, a second empty line. */
export function tidyText(text: string): string {
  const [first = "", ...rest] = text.split("\n").map((line) => line.trimEnd());
  const margins = rest.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  const margin = margins.reduce((least, each) => Math.min(least, each), Number.MAX_SAFE_INTEGER);
  const lines = [first.trimStart(), ...rest.map((line) => line.slice(margin))];
  return lines
    .filter((line, at) => line !== "" || lines[at - 1] !== "")
    .join("\n")
    .trim();
}

/** What else a definition says of a field. */
export interface FieldFacts {
  readonly name: string;
  /** Undefined if a field of this name may be left out in one place and not in another. */
  readonly isRequired: boolean | undefined;
  readonly schema: JsonObject;
}

/** What stays of a field's description; undefined if the definition says all of it elsewhere. */
export function slimFieldText(text: string, field: FieldFacts, tool: ToolLines): string | undefined {
  const tidy = tidyText(text);
  if (tool.says(field.name, tidy)) return undefined;
  const left = withoutClauses(tidy, field);
  return left === "" || isRepeatOf(left, [field.name], fillersFor(field)) ? undefined : left;
}

/** The lines of a tool's description that are about one argument each, as docstrings write them: `limit: At most`. */
export class ToolLines {
  readonly #lines: ReadonlySet<string>;

  constructor(description: string) {
    this.#lines = new Set(description.split("\n").flatMap(argumentLine));
  }

  says(name: string, text: string): boolean {
    return this.#lines.has(`${name}: ${withoutStop(text)}`);
  }
}

const MAX_HEAD = 80;
const argumentHead = /^(?:[-*] )?[`*]*([\w.-]+)[`*]*(?: ?\([^()]*\))?$/;

/** `- limit (int, optional): At most.` as `limit: At most`. */
function argumentLine(line: string): readonly string[] {
  const trimmed = line.trim();
  const at = trimmed.indexOf(": ");
  if (at < 0 || at > MAX_HEAD) return [];
  const [, name] = argumentHead.exec(trimmed.slice(0, at)) ?? [];
  return name === undefined ? [] : [`${name}: ${withoutStop(trimmed.slice(at + 2))}`];
}

function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

/** A part of a description that may be said elsewhere in the definition, and how that is seen. */
interface Clause {
  /** Matches a whole clause, without brackets and without a stop. */
  readonly words: RegExp;
  readonly isSaid: (field: FieldFacts, found: string) => boolean;
}

const clauses: readonly Clause[] = [
  { words: /^(optional)$/i, isSaid: ({ isRequired }) => isRequired === false },
  { words: /^(required)$/i, isSaid: ({ isRequired }) => isRequired === true },
  {
    words: /^(string|number|integer|boolean|array|object)$/i,
    isSaid: ({ schema }, found) => namedTypes(schema)?.join() === found.toLowerCase(),
  },
  {
    words: /^(?:defaults? to:?|default(?: value)?(?: is|:| =|=)?) ?(\S.*)$/i,
    isSaid: ({ schema }, found) => isWritten(schema["default"], found),
  },
  {
    words: /^optional[,;] ?(?:defaults? to:?|default(?: value)?(?: is|:| =|=)?) ?(\S.*)$/i,
    isSaid: ({ schema, isRequired }, found) => isRequired === false && isWritten(schema["default"], found),
  },
];

const MAX_CLAUSE = 80;

function isSaidElsewhere(clause: string, field: FieldFacts): boolean {
  if (clause.length > MAX_CLAUSE) return false;
  return clauses.some(({ words, isSaid }) => {
    const [, found] = words.exec(clause) ?? [];
    return found !== undefined && isSaid(field, found);
  });
}

/** Whether a text is the value as JSON, as Python or as it is, in quotes or not. */
function isWritten(value: JsonValue | undefined, text: string): boolean {
  if (value === undefined) return false;
  const isQuoted = /^(["'`]).*\1$/.test(text);
  const forms = [JSON.stringify(value), typeof value === "string" ? value : undefined];
  if (typeof value === "boolean") forms.push(value ? "True" : "False");
  if (value === null) forms.push("None");
  return forms.includes(text) || (isQuoted && forms.includes(text.slice(1, -1)));
}

/** A description has no more that a schema can say. */
const MAX_CLAUSES = 4;

/** Clauses at the end, in brackets or behind a stop, and one at the beginning. */
function withoutClauses(text: string, field: FieldFacts): string {
  let left = text;
  for (let round = 0; round < MAX_CLAUSES; round++) left = withoutLast(left, field);
  return withoutFirst(left, field);
}

const openings: Readonly<Record<string, string>> = { ")": "(", "]": "[" };
const separators = [". ", ", ", "\n", "; "];

function withoutLast(text: string, field: FieldFacts): string {
  const whole = withoutStop(text);
  const opening = openings[whole.at(-1) ?? ""];
  if (opening !== undefined) {
    const at = whole.lastIndexOf(opening);
    return at >= 0 && isSaidElsewhere(whole.slice(at + 1, -1).trim(), field)
      ? whole.slice(0, at).trimEnd()
      : text;
  }
  // A value may hold a separator, so each is tried.
  for (const separator of separators) {
    const at = whole.lastIndexOf(separator);
    if (at < 0 || !isSaidElsewhere(whole.slice(at + separator.length).trim(), field)) continue;
    return whole.slice(0, separator === ". " ? at + 1 : at).trimEnd();
  }
  return isSaidElsewhere(whole, field) ? "" : text;
}

const beginning = /^(?:[([](optional|required)[)\]][:.,]?|(optional|required)[:.]) /i;

function withoutFirst(text: string, field: FieldFacts): string {
  const [whole = "", inBrackets, plain] = beginning.exec(text) ?? [];
  const clause = inBrackets ?? plain;
  return clause !== undefined && isSaidElsewhere(clause, field) ? text.slice(whole.length) : text;
}

/** Words that add nothing to a name. */
const fillers = "the a an of for to in this parameter param argument arg field value input".split(" ");
const typeFillers: Readonly<Record<string, readonly string[]>> = {
  string: ["string", "text"],
  number: ["number"],
  integer: ["number", "integer"],
  boolean: ["boolean", "flag"],
  array: ["list", "array"],
  object: ["object"],
};

function fillersFor({ schema }: FieldFacts): ReadonlySet<string> {
  return new Set([...fillers, ...(namedTypes(schema) ?? []).flatMap((type) => typeFillers[type] ?? [])]);
}

const MAX_REPEAT = 120;
/** Punctuation that says nothing by itself; any other sign may be a fact, such as a unit. */
const onlyWords = /^[\p{L}\p{N}\s.,:;'"`()_-]*$/u;

/** Whether a short text has no word, apart from fillers, that others do not have. */
export function isRepeatOf(
  text: string,
  others: readonly string[],
  isFiller: ReadonlySet<string> = new Set(fillers),
): boolean {
  if (text.length > MAX_REPEAT || !onlyWords.test(text)) return false;
  const known = new Set(others.flatMap(wordsIn));
  return wordsIn(text).every((word) => known.has(word) || isFiller.has(word));
}

/** In lower case; `maxResults` and `max_results` are two words each. */
function wordsIn(text: string): readonly string[] {
  const apart = text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return apart.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
}
