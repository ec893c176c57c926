// From what was typed to the arguments of a call, with a sentence for each thing that is wrong.

import { isJsonObject, type JsonObject, type JsonValue } from "../../src/core/json/json-value.ts";
import {
  type ChoiceField,
  type Draft,
  type Field,
  isEmptyText,
  type ListField,
  type NumberField,
  type TextField,
} from "./field.ts";

export interface FormProblem {
  /** Where: names and numbers of items, as `filters/0/name`. */
  readonly path: string;
  readonly says: string;
  /** What was typed could not be read: it is among the arguments as a text. */
  readonly isUnread?: boolean | undefined;
}

export interface ReadForm {
  readonly arguments: JsonObject;
  readonly problems: readonly FormProblem[];
}

const REQUIRED = "This is required.";

type Tell = (says: string, isUnread?: boolean) => void;

function isGiven(draft: Draft): boolean {
  if (draft === undefined || draft === "") return false;
  if (typeof draft === "string" || isEmptyText(draft)) return true;
  return Array.isArray(draft) ? draft.length > 0 : Object.values(draft).some(isGiven);
}

const asText = (draft: Draft): string => (typeof draft === "string" ? draft : "");

function readText(field: TextField, draft: Draft, tell: Tell): string {
  const text = asText(draft);
  const chars = Array.from(text).length;
  const say = (count: number): string =>
    `${count.toLocaleString("en")} ${count === 1 ? "character" : "characters"}`;
  if (chars < field.minLength) tell(`Give at least ${say(field.minLength)}.`);
  if (chars > field.maxLength)
    tell(`Give at most ${say(field.maxLength)}; this has ${chars.toLocaleString("en")}.`);
  return text;
}

function readNumber(field: NumberField, draft: Draft, tell: Tell): number | string {
  const text = asText(draft).trim();
  const value = Number(text);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(value)) {
    tell("Give a number, as 12 or 0.5.", true);
    return text;
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    tell("This number has more digits than can be sent exactly.", true);
    return text;
  }
  if (field.isInteger && !Number.isInteger(value)) tell("Give a whole number.");
  else if (field.isAboveMin ? value <= field.min : value < field.min)
    tell(field.isAboveMin ? `Give more than ${field.min}.` : `Give at least ${field.min}.`);
  else if (field.isBelowMax ? value >= field.max : value > field.max)
    tell(field.isBelowMax ? `Give less than ${field.max}.` : `Give at most ${field.max}.`);
  else if (field.step !== undefined && !isMultiple(value, field.step))
    tell(`Give a multiple of ${field.step}.`);
  return value;
}

function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  // 0.3 / 0.1 is not quite 3.
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function readChoice(field: ChoiceField, draft: Draft, tell: Tell): JsonValue {
  const choice = field.choices[Number(asText(draft))];
  if (choice === undefined) tell("Choose one.");
  return choice ?? null;
}

/** A text of JSON, or why it is not JSON. */
function readJsonText(text: string, tell: Tell): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    tell(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`, true);
    return text;
  }
}

class FormReader {
  readonly problems: FormProblem[] = [];

  read(field: Field, draft: Draft, path: string): JsonValue | undefined {
    const tell: Tell = (says, isUnread) => void this.problems.push({ path, says, isUnread });
    if (!isGiven(draft)) {
      if (!field.isRequired) return undefined;
      if (field.kind !== "list" && field.kind !== "group") {
        tell(field.kind === "choice" ? "Choose one." : REQUIRED);
        return undefined;
      }
    }
    switch (field.kind) {
      case "text":
        return readText(field, draft, tell);
      case "number":
        return readNumber(field, draft, tell);
      case "choice":
        return readChoice(field, draft, tell);
      case "json":
        return readJsonText(asText(draft), tell);
      case "list":
        return this.#list(field, draft, path, tell);
      case "group":
      default:
        return this.group(field.fields, draft, `${path}/`);
    }
  }

  #list(field: ListField, draft: Draft, path: string, tell: Tell): JsonValue[] {
    const drafts = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
    const items = drafts.map((item, index) => this.read(field.item, item, `${path}/${index}`) ?? null);
    const say = (count: number): string => `${count} ${count === 1 ? "item" : "items"}`;
    if (items.length < field.minItems) tell(`Give at least ${say(field.minItems)}.`);
    if (items.length > field.maxItems) tell(`Give at most ${say(field.maxItems)}.`);
    if (field.isUnique && new Set(items.map((item) => JSON.stringify(item))).size < items.length)
      tell("Give each item only once.");
    return items;
  }

  group(fields: readonly Field[], draft: Draft, prefix: string): JsonObject {
    const drafts =
      typeof draft === "object" && !Array.isArray(draft) ? (draft as { readonly [name: string]: Draft }) : {};
    const given = fields.flatMap((field) => {
      const own = Object.hasOwn(drafts, field.name) ? drafts[field.name] : undefined;
      const value = this.read(field, own, `${prefix}${field.name}`);
      return value === undefined ? [] : [[field.name, value] as const];
    });
    // Not by assignment: an argument may be called `__proto__`.
    return Object.fromEntries(given);
  }
}

/** The arguments that a form describes. They are complete only where there are no problems. */
export function toArguments(fields: readonly Field[], draft: Draft): ReadForm {
  const reader = new FormReader();
  const values = reader.group(fields, draft, "");
  return { arguments: values, problems: reader.problems };
}

/** The arguments from a text of JSON. */
export function readArguments(text: string): ReadForm {
  const problems: FormProblem[] = [];
  const tell: Tell = (says) => void problems.push({ path: "", says });
  const value = text.trim() === "" ? {} : readJsonText(text, tell);
  if (isJsonObject(value)) return { arguments: value, problems };
  if (problems.length === 0) tell('Arguments are an object, as {"name": "value"}.');
  return { arguments: {}, problems };
}
