// Whether one channel of a result holds the facts of the other: texts and structuredContent.

import { base64In, resolveReferences } from "../contract/block-reference.ts";
import { jsonEqual } from "../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../json/json-value.ts";

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
  return mirrorIn(block, structure) !== undefined;
}

/** How a text repeats the structure: as its compact JSON to the letter, or in another layout. */
export function mirrorIn(block: JsonObject, structure: JsonObject): "exact" | "other layout" | undefined {
  const text = textOf(block);
  if (!/^\s*\{/.test(text)) return undefined;
  if (text === JSON.stringify(structure)) return "exact";
  const value = jsonIn(text);
  return value !== undefined && jsonEqual(value, structure) ? "other layout" : undefined;
}

/** Whether a model that gets the structure alone misses nothing of the blocks. */
export function structureHolds(structure: JsonObject, blocks: readonly JsonObject[]): boolean {
  return blocks.every(({ type }) => type === "text") && wordOutside(structure, blocks) === undefined;
}

/** The first word of the texts that the structure lacks. */
export function wordOutside(structure: JsonObject, blocks: readonly JsonObject[]): string | undefined {
  const others = blocks.filter((block) => !isMirror(block, structure));
  // Writing the structure is most of the cost, and most texts are mirrors.
  const words = others.length === 0 ? "" : JSON.stringify(structure).toLowerCase();
  for (const block of others) {
    const lacking = textOf(block)
      .match(WORD)
      ?.find((word) => !words.includes(word.toLowerCase()));
    if (lacking !== undefined) return lacking;
  }
  return undefined;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;

/** Whether the blocks hold every value of a structure, in whatever form. */
export function blocksHold(blocks: readonly JsonObject[], structure: JsonObject): boolean {
  if (blocks.some((block) => isMirror(block, structure))) return true;
  return blocks.some((block) => block["type"] !== "text" || textOf(block) !== "")
    ? valueOutside(blocks, structure) === undefined
    : false;
}

/**
 * A value of the structure that the blocks lack. A text holds what it contains; a picture or a link its own fields, and
 * the bytes that the structure repeats or only refers to.
 */
export function valueOutside(blocks: readonly JsonObject[], structure: JsonObject): string | undefined {
  const texts = blocks.map(textOf).join("\n");
  const others = blocks.filter(({ type }) => type !== "text");
  const fields = new Set(others.flatMap((block) => [...scalarsIn(block)]));
  for (const value of scalarsIn(others.length === 0 ? structure : resolveReferences(structure, others)))
    if (!fields.has(value) && !texts.includes(value)) return value;
  return undefined;
}

/** The blocks of which the structure has all, as words or as the same bytes, which it may also only refer to. */
export function blocksIn(structure: JsonObject, blocks: readonly JsonObject[]): readonly JsonObject[] {
  const isBytes = (block: JsonObject): boolean => base64In(block) !== undefined;
  const values = blocks.some(isBytes) ? new Set(scalarsIn(resolveReferences(structure, blocks))) : new Set();
  return blocks.filter((block) =>
    isBytes(block) ? values.has(base64In(block)) : structureHolds(structure, [block]),
  );
}

/** All texts and numbers of a value, as text. */
function* scalarsIn(value: JsonValue): Generator<string> {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "object" && next !== null) pending.push(...Object.values(next));
    else if (typeof next === "string" || typeof next === "number") yield String(next);
  }
}
