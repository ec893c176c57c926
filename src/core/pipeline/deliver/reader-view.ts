// What the model behind a client is given of a result, and how much of the client's own limits that takes.

import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { exactTextOf } from "../../json/exact-text.ts";
import { type Reader, type ReaderLimit, type Shown, lineLimitOf } from "../../readers/reader.ts";
import { type ReaderShare, blockText } from "../parcel.ts";

/** One way in which a client may show a result, as the texts that its model is given. */
type View = readonly string[];

type ByteLength = (text: string) => number;

/**
 * Measures a result for its reader. Bytes of pictures count only where a client writes the result as JSON, or takes only
 * so much of it.
 */
export function shareFor(result: JsonObject, reader: Reader, byteLength: ByteLength): ReaderShare {
  const isError = result["isError"] === true;
  const shown = isError ? reader.failure : reader.success;
  const views = viewsOf(result, shown, reader);
  const limits = reader.limits.filter(({ sparesFailures }) => !(isError && sparesFailures === true));
  const seen = seenOf(views, shown, reader);
  const shares = limits.map((limit) => {
    const sizes =
      limit.of === "line"
        ? [lineBytes(result, byteLength)]
        : seen.map((view) => sizeIn(view, limit, reader, byteLength));
    return Math.max(...sizes) / (limit.most - (limit.taken ?? 0));
  });
  const isPaidTwice = shown === "both" || shown === "whole" || lineLimitOf(reader) !== undefined;
  const hasBoth = result["structuredContent"] !== undefined && isPaidTwice;
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
    const whole = JSON.stringify(result);
    return [repeats(result, reader) ? [whole, JSON.stringify(content)] : [whole]];
  }
  const texts = (Array.isArray(content) ? content.filter(isJsonObject) : []).map(blockText);
  if (structuredContent === undefined) return [texts];
  const structure = JSON.stringify(structuredContent);
  if (shown !== "both") return [texts, [structure]];
  const isOnce = reader.showsMirrorOnce === true && texts.length === 1 && texts[0] === structure;
  return [isOnce ? [structure] : [structure, ...texts]];
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

/** A structure that JavaScript would change is written as its own text; some characters become escapes on one line. */
function lineBytes(result: JsonObject, byteLength: ByteLength): number {
  const exact = exactTextOf(result["structuredContent"]);
  const json =
    exact === undefined
      ? JSON.stringify(result)
      : JSON.stringify({ ...result, structuredContent: null }) + exact;
  return byteLength(json) + MORE_BYTES * (json.match(ESCAPED_ON_LINE)?.length ?? 0);
}

/** As `json/one-line.ts` does: of two or three bytes they become six. */
const ESCAPED_ON_LINE = /[\u0085\u2028\u2029]/g;
const MORE_BYTES = 4;

function lengthOf({ length }: string): number {
  return length;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
