import { InvalidArgumentError } from "commander";
import type { JsonValue } from "../../core/json/json-value.ts";
import { printable } from "../output/format-values.ts";
import type { ByteRange } from "./read-selection.ts";

/** Reads an option that is an integer from 1 up. */
export function parseWhole(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Give a whole number of 1 or more.");
}

const MAX_DAYS = 36_525;

/** Reads an option that is a number of days; fractions are allowed. */
export function parseDays(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= MAX_DAYS) return value;
  throw new InvalidArgumentError(`Give a number of days above 0 and up to ${MAX_DAYS}.`);
}

const RANGE = /^(\d{1,15})-(\d{1,15})?$/;
const RANGE_URI = /^(waybill:\/\/archive\/[^/?#]+)\/(\d{1,15})\/(\d{1,15})$/i;

/** `0-1000`, or `1000-` for the rest. */
export function parseRange(text: string): ByteRange {
  const [, start, end] = RANGE.exec(text) ?? [];
  if (start === undefined)
    throw new InvalidArgumentError("Give bytes as S-E, such as 0-1000, or S- for the rest.");
  return { start: Number(start), end: end === undefined ? undefined : Number(end) };
}

/** A resource URI may contain its own range, as in `waybill://archive/<hash>/0/1000`. */
export function splitRangeUri(reference: string): { readonly reference: string; readonly range?: ByteRange } {
  const [, uri, start, end] = RANGE_URI.exec(reference.trim()) ?? [];
  if (uri === undefined) return { reference };
  return { reference: uri, range: { start: Number(start), end: Number(end) } };
}

export interface MatchCondition {
  readonly path: string;
  readonly value: JsonValue;
}

/** `path=value`, once for each `--match`. A value that parses as JSON is that value; anything else is text. */
export function addMatch(text: string, before: readonly MatchCondition[] = []): readonly MatchCondition[] {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give path=value, such as user.login=ada.");
  const path = text.slice(0, at);
  if (before.some((condition) => condition.path === path)) {
    throw new InvalidArgumentError(`${path} is given twice, and no item can be equal to both.`);
  }
  return [...before, { path, value: readValue(text.slice(at + 1)) }];
}

function readValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Explains how values were read that may have been meant as text, for a user who found nothing. */
export function describeReadings(match: readonly MatchCondition[]): string[] {
  return match
    .filter(({ value }) => typeof value !== "string")
    .map(({ path, value }) => {
      const text = JSON.stringify(value);
      const kind = value === null ? "null" : `the ${typeof value} ${text}`;
      return `waybill: ${printable(path)} was compared with ${printable(kind)}; for the text write --match '${printable(path)}="${printable(text)}"'.`;
    });
}
