// Whether one channel of a result holds the facts of the other: texts and structuredContent.

import { base64In, resolveReferences } from "../contract/block-reference.ts";
import { jsonEqual } from "../json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn, mapObject } from "../json/json-value.ts";
import { type Fact, dataKeysIn, factsOf, isEcho, keysIn, namesIn, sayFact } from "./facts-of.ts";
import { PartsOf, wordsIn } from "./parts-of.ts";
import { SaidIn } from "./said-in.ts";

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
  readonly #isError: boolean;
  #json: string | undefined;
  #values: ReadonlySet<JsonValue> | undefined;
  #parts: PartsOf | undefined;
  #names: ReadonlySet<string> | undefined;

  constructor(structure: JsonObject, isError = false) {
    this.structure = structure;
    this.#isError = isError;
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
      for (const word of wordsIn(textOf(block)))
        if (!parts.has(word.toLowerCase()) && !this.#isNamed(word)) return word;
    }
    return undefined;
  }

  /** Whether the name of a field has the word, as `createdAt` has "created". */
  #isNamed(word: string): boolean {
    this.#names ??= new Set([...keysIn(this.structure)].flatMap(namesIn));
    return this.#names.has(word.toLowerCase());
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
      withBytes.length === 0 ? [] : [...factsOf("", resolveReferences(this.structure, blocks))].map(sayFact),
    );
    const held = withBytes.filter((block) => values.has(base64In(block) ?? ""));
    return new Set([...this.textsHeld(blocks), ...held]);
  }

  /**
   * Each member of the structure with a fact that the blocks lack, and the fact. A text has what it says; a picture or a
   * link its own fields, and the bytes that the structure repeats or only refers to.
   */
  *outside(blocks: readonly JsonObject[]): Generator<readonly [member: string, fact: Fact]> {
    const others = blocks.filter(({ type }) => type !== "text");
    const texts = blocks.map(textOf).filter((text) => text !== "");
    const structure =
      others.length === 0 ? this.structure : (resolveReferences(this.structure, others) as JsonObject);
    const members = Object.entries(structure);
    const said = new SaidIn(texts, others);
    const dataKeys = new Set(dataKeysIn(members));
    for (const [key, value] of members) {
      if (!this.#isError && isEcho(key, value)) continue;
      const fact = said.factOutside(key, value, { isOnly: members.length === 1, isData: dataKeys.has(key) });
      if (fact !== undefined) yield [key, fact];
    }
  }
}

/** Whether the blocks hold every fact of a structure, in whatever form. */
export function blocksHold(blocks: readonly JsonObject[], facts: StructureFacts): boolean {
  return membersOutside(blocks, facts) === undefined;
}

/** The part of the structure that has facts which the blocks lack; undefined if they hold all of it. */
export function membersOutside(blocks: readonly JsonObject[], facts: StructureFacts): JsonObject | undefined {
  if (blocks.some((block) => facts.isMirror(block))) return undefined;
  const { structure } = facts;
  if (blocks.every((block) => block["type"] === "text" && textOf(block) === "")) return structure;
  const lacking = new Set([...facts.outside(blocks)].map(([member]) => member));
  if (lacking.size === 0) return undefined;
  return lacking.size === Object.keys(structure).length
    ? structure
    : mapObject(structure, (value, key) => (lacking.has(key) ? value : undefined));
}

/** A fact of the structure that the blocks lack, in words. */
export function factOutside(blocks: readonly JsonObject[], facts: StructureFacts): string | undefined {
  if (blocks.some((block) => facts.isMirror(block))) return undefined;
  for (const [, fact] of facts.outside(blocks)) return sayFact(fact);
  return undefined;
}
