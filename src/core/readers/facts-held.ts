// Whether one channel of a result holds the facts of the other: texts and structuredContent.

import { base64In, resolveReferences } from "../contract/block-reference.ts";
import { jsonEqual } from "../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../json/json-value.ts";
import { PartsOf, wordsIn } from "./parts-of.ts";

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

/** As its compact JSON to the letter, as its JSON in another layout, or as one of its values. */
export type Repeat = "exact" | "other layout" | "value" | undefined;

/** What a structure says. Writing it is most of the cost of comparing it, so it is written once for all questions. */
export class StructureFacts {
  readonly structure: JsonObject;
  #json: string | undefined;
  #values: ReadonlySet<JsonValue> | undefined;
  #parts: PartsOf | undefined;

  constructor(structure: JsonObject) {
    this.structure = structure;
  }

  /** Its compact JSON. */
  get json(): string {
    return (this.#json ??= JSON.stringify(this.structure));
  }

  /** How a block repeats the structure, if it does. */
  repeatIn(block: JsonObject): Repeat {
    const text = textOf(block);
    if (text === "") return undefined;
    // Such as the content of a file, which many servers send as a text and in a field.
    this.#values ??= new Set(Object.values(this.structure));
    if (this.#values.has(text)) return "value";
    if (!/^\s*\{/.test(text)) return undefined;
    if (text === this.json) return "exact";
    const value = jsonIn(text);
    return value !== undefined && jsonEqual(value, this.structure) ? "other layout" : undefined;
  }

  /** Whether a text is the JSON of the structure, in whatever layout. */
  isMirror(block: JsonObject): boolean {
    const repeat = this.repeatIn(block);
    return repeat === "exact" || repeat === "other layout";
  }

  /** The first word of the texts that the structure lacks. */
  wordOutside(blocks: readonly JsonObject[]): string | undefined {
    for (const block of blocks) {
      if (textOf(block) === "" || this.repeatIn(block) !== undefined) continue;
      // Most texts are mirrors, which need no search.
      const parts = (this.#parts ??= new PartsOf(this.json.toLowerCase()));
      for (const word of wordsIn(textOf(block))) if (!parts.has(word.toLowerCase())) return word;
    }
    return undefined;
  }

  /** Whether a model that gets the structure alone misses nothing of the blocks. */
  holds(blocks: readonly JsonObject[]): boolean {
    return blocks.every(({ type }) => type === "text") && this.wordOutside(blocks) === undefined;
  }

  /** The texts of which the structure has every word. */
  textsHeld(blocks: readonly JsonObject[]): ReadonlySet<JsonObject> {
    return new Set(
      blocks.filter((block) => block["type"] === "text" && this.wordOutside([block]) === undefined),
    );
  }

  /** The blocks of which the structure has all, as words or as the same bytes, which it may also only refer to. */
  blocksHeld(blocks: readonly JsonObject[]): ReadonlySet<JsonObject> {
    const withBytes = blocks.filter((block) => base64In(block) !== undefined);
    const values = new Set(
      withBytes.length === 0 ? [] : scalarsIn(resolveReferences(this.structure, blocks)),
    );
    const held = withBytes.filter((block) => values.has(base64In(block) ?? ""));
    return new Set([...this.textsHeld(blocks), ...held]);
  }
}

/** Whether the blocks hold every value of a structure, in whatever form. */
export function blocksHold(blocks: readonly JsonObject[], facts: StructureFacts): boolean {
  if (blocks.some((block) => facts.isMirror(block))) return true;
  return blocks.some((block) => block["type"] !== "text" || textOf(block) !== "")
    ? valueOutside(blocks, facts.structure) === undefined
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
