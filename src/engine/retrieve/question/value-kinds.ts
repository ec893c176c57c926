import { type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";

/** A kind of argument. A list kind, such as `numbers`, applies to every item of the list. */
export type Kind =
  | "any"
  | "number"
  | "string"
  | "boolean"
  | "array"
  | "object"
  | "null"
  | "expression"
  | "numbers"
  | "strings"
  | "arrays"
  | "objects";

const ITEM_KINDS: Partial<Record<Kind, Kind>> = {
  numbers: "number",
  strings: "string",
  arrays: "array",
  objects: "object",
};

/** JMESPath's name of a value's type. */
export function typeOf(value: JsonValue): "number" | "string" | "boolean" | "array" | "object" | "null" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "number" | "string" | "boolean" | "object";
}

export function isOfKind(value: JsonValue, kind: Kind): boolean {
  if (kind === "any") return true;
  const itemKind = ITEM_KINDS[kind];
  if (itemKind === undefined) return typeOf(value) === kind;
  return Array.isArray(value) && value.every((item) => typeOf(item as JsonValue) === itemKind);
}

const WORDS: Record<Kind, string> = {
  any: "any value",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
  expression: "an expression (&key)",
  numbers: "a list of numbers",
  strings: "a list of texts",
  arrays: "a list of lists",
  objects: "a list of objects",
};

export function wordsFor(kinds: readonly Kind[]): string {
  const words = kinds.map((kind) => WORDS[kind]);
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const ITEM_WORDS = {
  number: "number",
  string: "text",
  boolean: "boolean",
  array: "list",
  object: "object",
  null: "null",
} as const;

/** Describes a value in a few words: "list of 3 objects", "text", "number". */
export function describeValue(value: JsonValue): string {
  if (typeof value === "string") return "text";
  if (isJsonObject(value)) return "object";
  if (!Array.isArray(value)) return typeOf(value);
  const types = new Set(value.slice(0, 100).map((item) => typeOf(item as JsonValue)));
  if (types.size === 0) return "empty list";
  const words = [...types].map((type) => ITEM_WORDS[type]);
  if (words.length === 1) return `list of ${value.length} ${words[0]}${value.length === 1 ? "" : "s"}`;
  return `list of ${value.length}: ${words.map((word) => `${word}s`).join(", ")}`;
}
