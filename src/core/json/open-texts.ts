// JSON inside the texts of a value: servers send a list as one text in a field, and its records are found and named by
// pointers that continue into the text.

import { readExactly } from "./exact-text.ts";
import { type JsonValue, isJsonObject, setOwn } from "./json-value.ts";

/**
 * Servers send a list as one text in a field; such texts are searched for down to this depth and in this many
 * items.
 */
const MAX_DEPTH = 4;
const MAX_ITEMS = 100;
/** A shorter text is quickly read without this. */
const MIN_LENGTH = 64;

function looksLikeJson(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  return /^\s*[[{]/.test(text.slice(0, MIN_LENGTH)) && /[\]}]\s*$/.test(text.slice(-MIN_LENGTH));
}

/** Gets each number that became text, because a double cannot hold it. */
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
 * The value with parsed JSON in place of texts that are JSON, so that the records in them are found one by
 * one and named by pointers that continue into the text. Numbers that a double cannot hold stay text, with
 * all their digits. The same value if there is no such text.
 */
export function openTexts(value: JsonValue, onQuoted?: OnQuoted): JsonValue {
  return openAt(value, 0, onQuoted);
}
