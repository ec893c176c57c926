import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { appendPointer } from "../../json/pointer.ts";

/** A text of a definition that a model may read. */
export interface PlacedText {
  readonly path: string;
  readonly text: string;
}

const MAX_TEXTS = 10_000;
const MAX_DEPTH = 100;

/** Not for the model: a client's own data, and pictures. */
const unread = new Set(["_meta", "icons"]);

/** Every text of a definition, keys too, in their order; the first 10,000 down to a depth of 100. */
export function textsOf(definition: JsonObject): readonly PlacedText[] {
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

/** The descriptions and titles of a definition: what is written in sentences. The first 1,000 of them. */
export function sentencesOf(definition: JsonObject): readonly PlacedText[] {
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
