// The values that options take: the words of closed sets, and the parsers of all others.

import { InvalidArgumentError } from "commander";
import { responseLevels } from "../../core/contract/choices.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { printable } from "../output/format-values.ts";
import type { ByteRange } from "../archive/find-entry.ts";

/** The library's levels of a value, and the JSON-RPC message around it. */
export const levelChoices = [...responseLevels, "message"] as const;
export type LevelChoice = (typeof levelChoices)[number];

export const shellChoices = ["bash", "zsh", "fish"] as const;
export type ShellChoice = (typeof shellChoices)[number];

export const reportChoices = ["pretty", "json", "junit", "sarif", "html"] as const;
export type ReportChoice = (typeof reportChoices)[number];

/** Reads an option that is an integer from 1 up. */
export function parseWhole(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Give a whole number of 1 or more.");
}

/** Reads an option that is an integer from 0 up to a limit. */
export function parseWholeUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from 0 to ${most}.`);
  };
}

/** Reads an option that is a number above 0; fractions are allowed. */
export function parseUpTo(most: number, unit: "days" | "seconds"): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= most) return value;
    throw new InvalidArgumentError(`Give a number of ${unit} above 0 and up to ${most}.`);
  };
}

export const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** `30d`, or a date as ISO 8601 writes it. */
export function parseSince(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined && Number(days) <= MAX_DAYS) return Date.now() - Number(days) * DAY_MS;
  const date = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(date)) return date;
  throw new InvalidArgumentError("Give days such as 30d, or a date such as 2026-11-01.");
}

/** Reads the name of a tenant. An empty one comes from a variable that is not set, and no result is kept for it. */
export function parseTenant(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError(
    "The tenant is empty: give its name, such as local:waybill, or the digits that `waybill archive tenants` shows, or leave --tenant out.",
  );
}

/** Collects the values of an option that may be repeated. */
export function addWord(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

/** `name=text`, once for each name; the text may have further equals signs. */
export function addNamed(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0)).trim();
  const value = text.slice(at + 1).trim();
  if (name === "" || value === "") throw new InvalidArgumentError("Write it as name=text.");
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...before, [name]: value };
}

/** `Name: value`, as in HTTP; may be repeated. The value may be a secret, so messages do not repeat it. */
export function addHeader(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:\s*(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { ...before, [name]: value };
  throw new InvalidArgumentError("Write a header as 'Name: value'.");
}

const RANGE = /^(\d{1,15})-(\d{1,15})?$/;
const RANGE_URI = /^(waybill:\/\/archive\/[^/?#]+)\/(\d{1,15})\/(\d{1,15})$/i;

/** `0-1000`, or `1000-` for the rest. */
export function parseByteRange(text: string): ByteRange {
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
