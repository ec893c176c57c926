// The parts of an answer that statistics use.

import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { AnsweredCall } from "./answered-call.ts";

/** What a model reads of a result: its texts, or its structured content if it has no text. */
export function readableOf({ content, structuredContent }: JsonObject): readonly string[] {
  const texts: string[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    const text = isJsonObject(block) ? block["text"] : undefined;
    if (typeof text === "string") texts.push(text);
  }
  if (texts.length > 0 || structuredContent === undefined || isTooDeep(structuredContent)) return texts;
  return [JSON.stringify(structuredContent)];
}

/** A failure that the server had not marked as a failure, or that had no code for programs. */
export function isRepaired({ outcome, arrival }: AnsweredCall): boolean {
  if (outcome?.ok !== false || arrival.kind !== "result") return false;
  const { isError, structuredContent } = arrival.result;
  const data = isJsonObject(structuredContent) ? structuredContent["data"] : undefined;
  const hasCode = isJsonObject(data) && typeof data["error_code"] === "string";
  return isError !== true || !hasCode;
}

export function isCut({ outcome }: AnsweredCall): boolean {
  const level = outcome?.notes.fidelity?.level;
  return level !== undefined && level !== "full";
}

/** A text, or the beginning of a text with the length of the whole. */
export interface Readable {
  readonly length: number;
  slice(start: number, end: number): string;
}

/** The beginning of a text that is in another thread, and the length of the whole text. */
interface TextStart {
  readonly start: string;
  readonly length: number;
}

/** What statistics and pages need of a result that was parsed in another thread. */
export interface StandIn {
  /** The result, with only the beginnings of its texts. */
  readonly result: JsonObject;
  readonly texts: readonly TextStart[];
}

/** At most this many characters of a text are counted. */
const START_LENGTH = 32 * 1024;
/** The length of the last one includes all further texts. */
const MAX_TEXTS = 32;

function startOf(text: string): string {
  return text.slice(0, START_LENGTH);
}

/** The error code of an envelope, if it has one. */
function codeIn(structured: unknown): JsonObject {
  const data = isJsonObject(structured) ? structured["data"] : undefined;
  const code = isJsonObject(data) ? data["error_code"] : undefined;
  return typeof code === "string" ? { structuredContent: { data: { error_code: startOf(code) } } } : {};
}

function startsOf(texts: readonly string[]): readonly TextStart[] {
  const rest = texts.slice(MAX_TEXTS).reduce((sum, text) => sum + text.length, 0);
  return texts.slice(0, MAX_TEXTS).map((text, at) => ({
    start: startOf(text),
    length: text.length + (at === MAX_TEXTS - 1 ? rest : 0),
  }));
}

export function standInFor(result: JsonObject): StandIn {
  const texts = startsOf(readableOf(result).filter((text) => text !== ""));
  const content = texts.map(({ start }) => ({ type: "text", text: start }));
  const { isError, structuredContent } = result;
  return {
    result: { content, ...(isError === true ? { isError } : {}), ...codeIn(structuredContent) },
    texts,
  };
}

const TEXTS = Symbol("texts");
type Opened = JsonObject & { readonly [TEXTS]?: readonly Readable[] };

/** The result that represents a result in another thread. */
export function openStandIn({ result, texts }: StandIn): JsonObject {
  const opened: Opened = {
    ...result,
    [TEXTS]: texts.map(({ start, length }) => ({ length, slice: (from, to) => start.slice(from, to) })),
  };
  return opened;
}

/** What a model reads of a result, also if it was parsed in another thread. */
export function readableTexts(result: Opened): readonly Readable[] {
  return result[TEXTS] ?? readableOf(result);
}
