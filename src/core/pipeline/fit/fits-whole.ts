// Whether a ready-made result fits as it is, found without reading or rendering it: by bounds first, and if they do not
// decide, by a count that stops as soon as it is certain.

import { jsonLengthAtLeast } from "../../json/json-chunks.ts";
import { type JsonObject, isJsonObject } from "../../json/json-value.ts";
import { type MaybePromise, chain } from "../maybe-promise.ts";
import { type FitContext, blockText } from "../parcel.ts";
import { hasLargeBlob } from "./blocks.ts";
import { makeTextWeigher } from "./weigh-text.ts";

type Limits = Pick<FitContext, "budget" | "counter" | "byteLength" | "maxBlobBytes">;

/** A result this many times longer than the budget is left to the cut, which will show whether it fits. */
const LONG_FACTOR = 8;
/** UTF-8 takes at most this many bytes for a UTF-16 unit of a JavaScript text. */
const MAX_UNIT_BYTES = 3;

function textsOf({ content }: JsonObject, longest: number): readonly string[] | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const block of Array.isArray(content) ? content.filter(isJsonObject) : []) {
    const text = blockText(block);
    texts.push(text);
    length += text.length;
    if (length > longest) return undefined;
  }
  return texts;
}

/** Each channel by itself, because a client shows its model either one. */
function channelsOf(result: JsonObject, longest: number): readonly (readonly string[])[] | undefined {
  const texts = textsOf(result, longest);
  if (texts === undefined) return undefined;
  const { structuredContent: structured } = result;
  if (structured === undefined) return [texts];
  if (jsonLengthAtLeast(structured, longest) > longest) return undefined;
  const json = JSON.stringify(structured);
  return texts.length === 1 && texts[0] === json ? [texts] : [texts, [json]];
}

function count(channels: readonly (readonly string[])[], limits: Limits): MaybePromise<boolean> {
  const { budget } = limits;
  const counter = budget.tokens === "off" ? undefined : limits.counter();
  return chain(counter, (loaded) => {
    const gauge = makeTextWeigher({ ...limits, counter: loaded });
    return channels.every((texts) => {
      let left = gauge.budget;
      for (const text of texts) left -= gauge.weigh(text, left, texts.length === 1 ? left : undefined);
      return left >= 0;
    });
  });
}

/** True if nothing of the result has to be cut or moved; false if a closer look is needed. */
export function fitsWhole(result: JsonObject, limits: Limits): MaybePromise<boolean> {
  const { budget, maxBlobBytes } = limits;
  const content = Array.isArray(result["content"]) ? result["content"].filter(isJsonObject) : [];
  if (hasLargeBlob(content, maxBlobBytes)) return false;
  const lowest = Math.min(
    budget.tokens === "off" ? Number.POSITIVE_INFINITY : budget.tokens,
    budget.bytes === "off" ? Number.POSITIVE_INFINITY : budget.bytes,
  );
  if (lowest === Number.POSITIVE_INFINITY) return true;
  const channels = channelsOf(result, lowest * LONG_FACTOR);
  if (channels === undefined) return false;
  // A token is at least one byte.
  const longest = Math.max(...channels.map((texts) => texts.reduce((sum, text) => sum + text.length, 0)));
  return longest * MAX_UNIT_BYTES <= lowest ? true : count(channels, limits);
}
