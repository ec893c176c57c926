// What the model behind a client is given of a result, and how much of the client's own limits that takes.

import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import type { Reader, ReaderLimit, Shown } from "../../readers/reader.ts";
import { type ReaderShare, blockText } from "../parcel.ts";

/** One way in which a client may show a result, as the texts that its model is given. */
type View = readonly string[];

type ByteLength = (text: string) => number;

/** Measures a result for its reader. Bytes of pictures count only where a client writes the result as JSON. */
export function shareFor(result: JsonObject, reader: Reader, byteLength: ByteLength): ReaderShare {
  const isError = result["isError"] === true;
  const shown = isError ? reader.failure : reader.success;
  const views = viewsOf(result, shown, reader);
  const limits = reader.limits.filter(({ sparesFailures }) => !(isError && sparesFailures === true));
  const shares = seenOf(views, shown, reader).flatMap((view) =>
    limits.map((limit) => sizeIn(view, limit, reader, byteLength) / (limit.most - (limit.taken ?? 0))),
  );
  const hasBoth = result["structuredContent"] !== undefined && (shown === "both" || shown === "whole");
  const times = hasBoth || repeats(result, reader) ? 2 : 1;
  return { views, share: Math.max(0, ...shares), times };
}

function repeats({ isError }: JsonObject, { repeatsFailures }: Reader): boolean {
  return isError === true && repeatsFailures === true;
}

/** Both channels together if the client shows both, else each: the texts first, then the structure. */
function viewsOf(result: JsonObject, shown: Shown, reader: Reader): readonly View[] {
  const { content = [], structuredContent } = result;
  if (shown === "whole") {
    const whole = JSON.stringify(shownWhole(result, reader));
    return [repeats(result, reader) ? [whole, JSON.stringify(content)] : [whole]];
  }
  const texts = (Array.isArray(content) ? content.filter(isJsonObject) : []).map(blockText);
  if (structuredContent === undefined) return [texts];
  const structure = JSON.stringify(structuredContent);
  if (shown !== "both") return [texts, [structure]];
  const isOnce = reader.showsMirrorOnce === true && texts.length === 1 && texts[0] === structure;
  return [isOnce ? [structure] : [structure, ...texts]];
}

/** Of the whole result what is shown as JSON: not `_meta` if it never is, nor pictures that are handed on as such. */
function shownWhole(result: JsonObject, { success, asText, showsMeta }: Reader): JsonObject {
  const { _meta, content, ...rest } = result;
  const meta = _meta === undefined || showsMeta === "never" ? {} : { _meta };
  const isHandedOn = success === "whole" && !asText.includes("image");
  const blocks = isHandedOn && Array.isArray(content) ? content.filter(isNoPicture) : content;
  return { ...rest, ...(blocks === undefined ? {} : { content: blocks }), ...meta };
}

function isNoPicture(block: JsonValue): boolean {
  return !isJsonObject(block) || block["type"] !== "image";
}

/** The views that the client may show its model. */
function seenOf([texts = [], structure]: readonly View[], shown: Shown, reader: Reader): readonly View[] {
  if (structure === undefined) return [texts];
  if (shown === "structure") return [structure];
  if (shown !== "blocks") return [texts, structure];
  return [texts.length === 0 && reader.showsBareStructure ? structure : texts];
}

function sizeIn(view: View, { unit, of }: ReaderLimit, { joins }: Reader, byteLength: ByteLength): number {
  // Tokens are counted against the budget, which is lowered to them.
  if (unit === "tokens") return 0;
  const sizeOf = { characters: lengthOf, bytes: byteLength, lines: countLines }[unit];
  const sizes = view.map(sizeOf);
  if (of === "text") return Math.max(0, ...sizes);
  const gap = joins === "apart" ? 1 : joins.length;
  const joint = unit === "lines" ? Math.max(0, gap - 1) : gap;
  return sizes.reduce((sum, size) => sum + size, joint * Math.max(0, view.length - 1));
}

function lengthOf({ length }: string): number {
  return length;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
