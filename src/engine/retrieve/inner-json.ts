import { type JsonValue, isJsonObject, setOwn } from "../../core/json/json-value.ts";
import { readExactly } from "../../core/json/read-exactly.ts";

/** Servers hand a list over as one text in a field; this deep and in this many items such texts are looked for. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 100;
/** A shorter text is quickly read by whoever gets it. */
const MIN_LENGTH = 64;

function looksLikeJson(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  return /^\s*[[{]/.test(text.slice(0, MIN_LENGTH)) && /[\]}]\s*$/.test(text.slice(-MIN_LENGTH));
}

/** Hears of a number that became text, because a double does not keep it. */
type OnQuoted = (number: string) => void;

function parseText(text: string, onQuoted: OnQuoted | undefined): JsonValue {
  if (!looksLikeJson(text)) return text;
  try {
    const { value, quoted } = readExactly(text);
    if (quoted !== undefined) onQuoted?.(quoted);
    return value;
  } catch {
    return text;
  }
}

function openAt(value: JsonValue, depth: number, onQuoted: OnQuoted | undefined): JsonValue {
  if (typeof value === "string") return parseText(value, onQuoted);
  if (depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (items.length > MAX_ITEMS) return value;
    const opened = items.map((item) => openAt(item, depth + 1, onQuoted));
    return opened.some((item, index) => item !== items[index]) ? opened : value;
  }
  if (!isJsonObject(value)) return value;
  let isChanged = false;
  const opened: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    const made = openAt(item, depth + 1, onQuoted);
    isChanged ||= made !== item;
    setOwn(opened, key, made);
  }
  return isChanged ? opened : value;
}

/**
 * The value with JSON in place of the texts that are JSON, so that the records in them can be found one by one and named
 * by pointers that go on into the text. Numbers that a double does not keep stay text, with all their digits. The same
 * value where there is no such text.
 */
export function openTexts(value: JsonValue, onQuoted?: OnQuoted): JsonValue {
  return openAt(value, 0, onQuoted);
}
