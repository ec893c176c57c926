// Whether one channel of a result holds the facts of the other: texts and structuredContent.

import { base64In, resolveReferences } from "../contract/block-reference.ts";
import { jsonEqual } from "../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../json/json-value.ts";
import { PartsOf, WORD } from "./parts-of.ts";

/** A mirror of this many characters costs about 200 tokens: less is not worth a change. */
export const DEAR_MIRROR = 800;

/** Undefined for content that MCP does not allow: its client decides about it. */
export function blocksOf({ content = [] }: JsonObject): readonly JsonObject[] | undefined {
  return Array.isArray(content) && content.every(isJsonObject) ? content : undefined;
}

export function structureOf({ structuredContent }: JsonObject): JsonObject | undefined {
  return isJsonObject(structuredContent) ? structuredContent : undefined;
}

/** The text of a text block; empty for every other block. */
export function textOf({ type, text }: JsonObject): string {
  return type === "text" && typeof text === "string" ? text : "";
}

/** Whether a text is the JSON of the structure, in whatever layout. */
export function isMirror(block: JsonObject, structure: JsonObject): boolean {
  return isLayout(repeatsOf(structure)(block));
}

/** As its compact JSON to the letter, as its JSON in another layout, or as one of its values. */
type Repeat = "exact" | "other layout" | "value" | undefined;

function isLayout(repeat: Repeat): boolean {
  return repeat === "exact" || repeat === "other layout";
}

type RepeatIn = (block: JsonObject) => Repeat;

/** How texts repeat the structure, which is written once for all of them. */
export function repeatsOf(structure: JsonObject): RepeatIn {
  let json: string | undefined;
  let values: ReadonlySet<JsonValue> | undefined;
  return (block) => {
    const text = textOf(block);
    if (text === "") return undefined;
    if (/^\s*\{/.test(text)) {
      json ??= JSON.stringify(structure);
      if (text === json) return "exact";
      const value = jsonIn(text);
      if (value !== undefined && jsonEqual(value, structure)) return "other layout";
    }
    // Such as the content of a file, which many servers send as a text and in a field.
    values ??= new Set(Object.values(structure));
    return values.has(text) ? "value" : undefined;
  };
}

/** Whether a model that gets the structure alone misses nothing of the blocks. */
export function structureHolds(structure: JsonObject, blocks: readonly JsonObject[]): boolean {
  return blocks.every(({ type }) => type === "text") && wordOutside(structure, blocks) === undefined;
}

/** The first word of the texts that the structure lacks. */
export function wordOutside(structure: JsonObject, blocks: readonly JsonObject[]): string | undefined {
  const lacking = wordsLacking(structure);
  for (const block of blocks) {
    const word = lacking(block);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** The same of one block after the other. */
function wordsLacking(
  structure: JsonObject,
  repeatIn = repeatsOf(structure),
): (block: JsonObject) => string | undefined {
  // Writing the structure is most of the cost, and most texts are mirrors.
  let held: PartsOf | undefined;
  return (block) => {
    if (textOf(block) === "" || repeatIn(block) !== undefined) return undefined;
    const found = (held ??= new PartsOf(JSON.stringify(structure).toLowerCase()));
    return textOf(block)
      .match(WORD)
      ?.find((word) => !found.has(word.toLowerCase()));
  };
}

/** Whether the blocks hold every value of a structure, in whatever form. */
export function blocksHold(
  blocks: readonly JsonObject[],
  structure: JsonObject,
  repeatIn = repeatsOf(structure),
): boolean {
  if (blocks.some((block) => isLayout(repeatIn(block)))) return true;
  return blocks.some((block) => block["type"] !== "text" || textOf(block) !== "")
    ? valueOutside(blocks, structure) === undefined
    : false;
}

/**
 * A value of the structure that the blocks lack. A text holds what it contains; a picture or a link its own fields, and
 * the bytes that the structure repeats or only refers to.
 */
export function valueOutside(blocks: readonly JsonObject[], structure: JsonObject): string | undefined {
  const texts = new PartsOf(blocks.map(textOf).join("\n"));
  const others = blocks.filter(({ type }) => type !== "text");
  const fields = new Set(others.flatMap((block) => [...scalarsIn(block)]));
  for (const value of scalarsIn(others.length === 0 ? structure : resolveReferences(structure, others)))
    if (!fields.has(value) && !texts.has(value)) return value;
  return undefined;
}

/** The blocks of which the structure has all, as words or as the same bytes, which it may also only refer to. */
export function blocksIn(
  structure: JsonObject,
  blocks: readonly JsonObject[],
  repeatIn = repeatsOf(structure),
): ReadonlySet<JsonObject> {
  const withBytes = blocks.filter((block) => base64In(block) !== undefined);
  const values = new Set(withBytes.length === 0 ? [] : scalarsIn(resolveReferences(structure, blocks)));
  const held = withBytes.filter((block) => values.has(base64In(block) ?? ""));
  return new Set([...textsIn(structure, blocks, repeatIn), ...held]);
}

/** The texts of which the structure has every word. */
export function textsIn(
  structure: JsonObject,
  blocks: readonly JsonObject[],
  repeatIn?: RepeatIn,
): ReadonlySet<JsonObject> {
  const lacking = wordsLacking(structure, repeatIn);
  return new Set(blocks.filter((block) => block["type"] === "text" && lacking(block) === undefined));
}

/** All texts and numbers of a value, as text, in their order. */
function* scalarsIn(value: JsonValue): Generator<string> {
  const pending: Iterator<JsonValue>[] = [[value].values()];
  for (let inner = pending.at(-1); inner !== undefined; inner = pending.at(-1)) {
    const { value: next, done } = inner.next();
    if (done === true) pending.pop();
    else if (typeof next === "object" && next !== null) pending.push(Object.values(next).values());
    else if (typeof next === "string" || typeof next === "number") yield String(next);
  }
}
