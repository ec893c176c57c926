// Finds the text of a value that lines and patterns refer to.

import { countLines, firstCodePoints } from "../../../core/text/code-points.ts";
import { faults } from "../../../core/contract/faults.ts";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";
import { type JsonValue, isJsonObject, type JsonObject } from "../../../core/json/json-value.ts";
import { keysOf } from "../../../core/json/json-chunks.ts";
import { mainCollection } from "../../../core/json/main-collection.ts";
import { appendPointer, getByPointer } from "../../../core/json/pointer.ts";
import type { MissingPlace } from "../../../core/pipeline/pipeline-context.ts";
import { MAX_LENGTH, writeKey } from "./example-question.ts";
import { quoteName } from "../../../core/text/say-name.ts";

export interface PlacedText {
  readonly pointer: string;
  readonly text: string;
}

/** The most values that are searched for the text; in a larger value the request must name it. */
const MAX_VISITED = 100_000;
const MAX_NAMED = 5;

/**
 * The text at a pointer. Without one: the value if it is a text, else the only text in it with several lines,
 * or the only text. Throws a fault that names the texts that exist.
 */
export function findText(value: JsonValue, pointer: string | undefined): PlacedText {
  if (pointer !== undefined) return textAt(value, pointer);
  if (typeof value === "string") return { pointer: "", text: value };
  const texts = textsIn(value);
  const long = texts.filter(({ text }) => text.includes("\n"));
  const [only, ...others] = long.length > 0 ? long : texts;
  if (only !== undefined && others.length === 0) return only;
  throw refuse(
    only === undefined ? "The archive holds no text." : "The archive holds several texts.",
    only === undefined
      ? "lines and grep are for texts: ask with select, match or query."
      : `${inRecords(value)}Name the text by pointer.`,
    [only, ...others].filter((text) => text !== undefined),
  );
}

/** Records are not searched like a text, but by words or by a condition. */
function inRecords(value: JsonValue): string {
  const { pointer = "", items = [] } = mainCollection(value) ?? {};
  const record = items.find(isJsonObject);
  const key = Object.entries(record ?? {}).find(([, inner]) => typeof inner === "string")?.[0];
  if (key === undefined || pointer.includes("~") || pointer.split("/").length > 2) return "";
  // An expression cannot be cut, and a longer name is not a good example.
  if (Math.max(key.length, pointer.length) > MAX_LENGTH) return "";
  const list = pointer === "" ? "" : writeKey(pointer.slice(1));
  const select = `${list}[?matches(${writeKey(key)}, '(?i)timeout')]`;
  return `Records are searched with query, for words, or with select, such as ${select}. `;
}

function textAt(value: JsonValue, pointer: string): PlacedText {
  const found = valueAt(value, pointer);
  if (typeof found === "string") return { pointer, text: found };
  const shown = quoteName(pointer);
  const what = found === undefined ? "nothing" : "no text";
  throw refuse(`At ${shown} is ${what}.`, "Give the JSON Pointer of a text.", textsIn(value));
}

function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  try {
    return getByPointer(value, pointer);
  } catch {
    return undefined;
  }
}

/** The texts of a value in document order, up to the limit. */
function textsIn(value: JsonValue): PlacedText[] {
  const texts: PlacedText[] = [];
  const pending: { readonly pointer: string; readonly value: JsonValue }[] = [{ pointer: "", value }];
  let visited = 0;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (++visited > MAX_VISITED) break;
    const { pointer, value: found } = place;
    if (typeof found === "string") texts.push({ pointer, text: found });
    for (const [key, inner] of membersOf(found, MAX_VISITED - visited).reverse()) {
      pending.push({ pointer: appendPointer(pointer, key), value: inner });
    }
  }
  return texts;
}

function membersOf(value: JsonValue, max: number): [string | number, JsonValue][] {
  if (Array.isArray(value)) return [...(value as readonly JsonValue[]).slice(0, max).entries()];
  if (!isJsonObject(value)) return [];
  return keysOf(value)
    .slice(0, max)
    .map((key) => [key, value[key] ?? null]);
}

function refuse(says: string, remediation: string, texts: readonly PlacedText[]): ToolFault {
  const named = [...texts].sort((a, b) => b.text.length - a.text.length).slice(0, MAX_NAMED);
  return faults.validation(says, {
    remediation,
    details: {
      field: "pointer",
      constraint: "a text",
      ...(named.length === 0 ? {} : { texts: named.map(({ pointer }) => pointer.slice(0, 200)) }),
    },
  });
}

/** Only this much of a text is searched: its beginning represents all of it. */
const SAMPLE_LENGTH = 256 * 1024;
/** Shown if a text has this many lines; a cut seldom keeps these lines. */
const SHOWN = { from: 100, to: 180 } as const;

/** The part of a text that was not sent, in UTF-16 units; `end` is undefined if it goes to the end. */
interface MissingPart {
  readonly start: number;
  readonly end?: number | undefined;
}

/** Searched for more often than anything else. */
const USUAL_WORD = "error";
const MIN_WORD_LENGTH = 3;
const MAX_WORD_LENGTH = 40;
const MAX_WORDS = 32;

const WORD = /[\p{L}\p{N}_]+/gu;

/** A word of the call that a text has, the rarest of them, else one that is often searched for. */
function wordToFind(text: string, words: string): string | undefined {
  const folded = text.toLowerCase();
  // Not by the search: its code is loaded by the first search, and this by every server.
  const asked = (words.toLowerCase().match(WORD) ?? []).filter(
    ({ length }) => length >= MIN_WORD_LENGTH && length <= MAX_WORD_LENGTH,
  );
  const found = [...new Set(asked)].slice(0, MAX_WORDS).flatMap((word) => {
    const times = folded.split(word).length - 1;
    return times === 0 ? [] : [{ word, times }];
  });
  const [rarest] = found.sort((a, b) => a.times - b.times);
  return rarest?.word ?? (folded.includes(USUAL_WORD) ? USUAL_WORD : undefined);
}

/**
 * How to search a text: for a word of the call, or a frequently searched word that it contains, else by lines;
 * undefined for a single line. If a part of it was sent, only the lines that were not.
 */
function exampleLines(text: string, missing: MissingPart, words: string): JsonObject | undefined {
  const { start: sentLength, end } = missing;
  const rest = text.slice(sentLength, Math.min(end ?? text.length, sentLength + SAMPLE_LENGTH));
  const before = text.slice(0, sentLength).split("\n").length;
  const last = before - 1 + Math.min(countLines(rest), SHOWN.to + 1);
  if (last < 2) return undefined;
  const word = wordToFind(rest, words);
  const grep = { pattern: `(?i)${word}` };
  if (sentLength > 0) {
    const until = end === undefined ? "" : before + countLines(text.slice(sentLength, end)) - 1;
    if (word !== undefined) return { grep, lines: `${before}-${until}` };
    return { lines: `${before}-${Math.min(last, before + SHOWN.to - SHOWN.from)}` };
  }
  if (word !== undefined) return { grep };
  if (last <= SHOWN.from) return { lines: `1-${last}` };
  return { lines: `${SHOWN.from}-${Math.min(last, SHOWN.to)}` };
}

/**
 * The same for a value that is a text, or that has one text of several lines and no records; undefined for
 * any other, and if something else is missing.
 */
export function exampleLinesIn(
  value: JsonValue,
  missing: readonly MissingPlace[] = [],
  words = "",
): JsonObject | undefined {
  if (typeof value !== "string" && (mainCollection(value)?.items.length ?? 0) > 0) return undefined;
  const found = onlyText(value);
  // A text that is JSON is parsed, and asked by its keys.
  if (found === undefined || /^\s*[[{]/.test(found.text)) return undefined;
  const place = missing.find(({ pointer }) => pointer === found.pointer);
  if (missing.length > 0 && place === undefined) return undefined;
  const unitAt = (codePoint: number): number => firstCodePoints(found.text, codePoint).length;
  const end = place?.until === undefined ? undefined : unitAt(place.until);
  return exampleLines(found.text, { start: unitAt(place?.after ?? 0), end }, words);
}

/** The text that a request without a pointer means; undefined without a text, or with several. */
export function onlyText(value: JsonValue): PlacedText | undefined {
  try {
    return findText(value, undefined);
  } catch {
    return undefined;
  }
}
