// How much of a client's own limits a result takes, by what the client shows of it.

import { exactTextOf } from "../../json/exact-text.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { type Reader, lineLimitOf } from "../../readers/reader.ts";
import {
  type TextSizes,
  countLines,
  limitsFor,
  repeats,
  shownResult,
  usedOf,
} from "../../readers/shown-result.ts";
import type { ReaderShare } from "../parcel.ts";

interface Measuring {
  /** The tool has an output schema. */
  readonly isTyped: boolean;
  readonly byteLength: ByteLength;
}

type ByteLength = (text: string) => number;

/** Measures a result for its reader. */
export function shareFor(
  result: JsonObject,
  reader: Reader,
  { isTyped, byteLength }: Measuring,
): ReaderShare {
  const { shown, readings, unseen } = shownResult(result, reader, isTyped);
  const sizes: TextSizes = { tokens: uncounted, characters: lengthOf, bytes: byteLength, lines: countLines };
  const shares = limitsFor(result, reader).map((limit) => {
    const used =
      limit.of === "line"
        ? [lineBytes(result, byteLength)]
        : readings.map((reading) => usedOf(reading, limit, reader, sizes));
    return Math.max(...used) / (limit.most - (limit.taken ?? 0));
  });
  const isPaidTwice = shown === "both" || shown === "whole" || lineLimitOf(reader) !== undefined;
  const hasBoth = result["structuredContent"] !== undefined && isPaidTwice;
  return {
    // The channel that is not shown must fit the budget too: the client's row may be wrong.
    views: [...readings, ...unseen].map(({ texts }) => texts),
    share: Math.max(0, ...shares),
    times: hasBoth || repeats(result, reader) ? 2 : 1,
  };
}

/** Tokens are not counted here: the budget is already lowered to the client's limit of tokens. */
function uncounted(): number {
  return 0;
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

/** `json/one-line.ts` escapes these: they have two or three bytes, their escapes six. */
const ESCAPED_ON_LINE = /[\u0085\u2028\u2029]/g;
const MORE_BYTES = 4;

function lengthOf({ length }: string): number {
  return length;
}
