import { type JsonValue, isJsonObject, setOwn } from "../json/json-value.ts";

/** Servers hand a list over as one text in a field; this deep and in this many items such texts are looked for. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 100;
/** A shorter text is quickly read by whoever gets it. */
const MIN_LENGTH = 64;

function looksLikeJson(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  return /^\s*[[{]/.test(text.slice(0, MIN_LENGTH)) && /[\]}]\s*$/.test(text.slice(-MIN_LENGTH));
}

function parseText(text: string): JsonValue {
  if (!looksLikeJson(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function openAt(value: JsonValue, depth: number): JsonValue {
  if (typeof value === "string") return parseText(value);
  if (depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    if (items.length > MAX_ITEMS) return value;
    const opened = items.map((item) => openAt(item, depth + 1));
    return opened.some((item, index) => item !== items[index]) ? opened : value;
  }
  if (!isJsonObject(value)) return value;
  let isChanged = false;
  const opened: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    const made = openAt(item, depth + 1);
    isChanged ||= made !== item;
    setOwn(opened, key, made);
  }
  return isChanged ? opened : value;
}

/**
 * The value with JSON in place of the texts that are JSON, so that the records in them can be found one by one and named
 * by pointers that go on into the text. The same value where there is no such text.
 */
export function openTexts(value: JsonValue): JsonValue {
  return openAt(value, 0);
}
