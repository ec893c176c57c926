import { isJsonObject } from "../../json/json-value.ts";
import { cutText } from "./cut-text.ts";
import type { SummariseRequest, Summary } from "./summariser.ts";
import { SummariserError } from "./summariser-error.ts";

export type SummaryLimits = Pick<SummariseRequest, "maxSummaryChars" | "maxKeyPoints" | "maxKeyPointChars">;

/**
 * A summary is text from outside, and its document may have had a hand in it: what moves a terminal's cursor, turns the
 * direction of writing or hides words from people (tag characters) does not pass.
 */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\s]+/gu;

function tidy(text: string): string {
  return text.replace(HIDDEN, "").replace(UNPRINTABLE, " ").trim();
}

function refuse(says: string): never {
  throw new SummariserError("invalid_answer", `The summariser's answer ${says}.`);
}

/** Whatever a summariser gave, as a summary within the limits; throws `invalid_answer` for what is none. */
export function tidySummary(given: unknown, limits: SummaryLimits): Summary {
  if (!isJsonObject(given)) refuse("is no object");
  const { summary, keyPoints } = given;
  if (typeof summary !== "string") refuse("has no summary");
  if (!Array.isArray(keyPoints)) refuse("has no list of key points");
  const points = keyPoints.map((point: unknown) =>
    typeof point === "string" ? tidy(point) : refuse("has a key point that is no text"),
  );
  const tidied = tidy(summary);
  if (tidied === "") refuse("is empty");
  return {
    summary: cutText(tidied, limits.maxSummaryChars),
    keyPoints: [...new Set(points)]
      .filter((point) => point !== "")
      .slice(0, limits.maxKeyPoints)
      .map((point) => cutText(point, limits.maxKeyPointChars)),
  };
}
