// How much of a client's own limits a result takes, by what the client shows of it.

import type { JsonObject } from "../../json/json-value.ts";
import type { Reader } from "../../readers/reader.ts";
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
  readonly byteLength: (text: string) => number;
}

/** Measures a result for its reader. */
export function shareFor(
  result: JsonObject,
  reader: Reader,
  { isTyped, byteLength }: Measuring,
): ReaderShare {
  const { shown, readings, unseen } = shownResult(result, reader, isTyped);
  const sizes: TextSizes = { tokens: uncounted, characters: lengthOf, bytes: byteLength, lines: countLines };
  const shares = limitsFor(result, reader).flatMap((limit) =>
    readings.map((reading) => usedOf(reading, limit, reader, sizes) / (limit.most - (limit.taken ?? 0))),
  );
  const hasBoth = result["structuredContent"] !== undefined && (shown === "both" || shown === "whole");
  return {
    // The channel that is not shown must fit the budget too: the row may be wrong.
    views: [...readings, ...unseen].map(({ texts }) => texts),
    share: Math.max(0, ...shares),
    times: hasBoth || repeats(result, reader) ? 2 : 1,
  };
}

/** Tokens are counted against the budget, which is lowered to them. */
function uncounted(): number {
  return 0;
}

function lengthOf({ length }: string): number {
  return length;
}
