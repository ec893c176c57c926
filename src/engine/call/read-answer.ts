// The parts of an answer that statistics use.

import { isTooDeep } from "../../core/json/find-non-json.ts";
import { type JsonObject, isJsonObject } from "../../core/json/json-value.ts";
import type { AnsweredCall } from "./run-call.ts";

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
