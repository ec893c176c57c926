import { sha256 } from "../../core/text/bytes.ts";
import type { DocumentPage } from "./document.ts";
import { decodeHTML } from "entities/decode";

/** Replaces halves of surrogate pairs, which UTF-8 cannot carry, by U+FFFD. */
export function wellFormed(text: string): string {
  // Every runtime has it since 2023; TypeScript's es2023 library does not have it yet.
  return (text as unknown as { toWellFormed(): string }).toWellFormed();
}

export interface CanonicalOptions {
  /** The form of the seed's system, to check hashes and locators made there; it loses text between < and >. */
  readonly compat?: "foundry" | undefined;
}

const SPACE = "\\t \\u001c-\\u001f\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
const otherLineEnd = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const spaceRun = new RegExp(`[${SPACE}]{2,}|[${SPACE.replace(" ", "")}]`, "g");
// After the two patterns above: a line end with white space around it. At most one space precedes it, so this
// is linear.
const lineBreak = / ?\n[ \n]*/g;
const untidyLine = / \n|\n |\n\n\n/;

/** The separator between two pages. */
const PAGE_JOINT = "\n\n";

/**
 * The canonical form of a text, to which offsets and hashes refer: NFC, runs of spaces as one, lines ended by
 * \n without white space around them, at most one blank line, trimmed. It loses no letter, and applying it
 * again changes nothing.
 */
export function canonicalText(text: string, { compat }: CanonicalOptions = {}): string {
  if (compat === "foundry") return foundryText(text);
  const spaced = wellFormed(text).normalize("NFC").replaceAll(otherLineEnd, "\n").replaceAll(spaceRun, " ");
  const lines = untidyLine.test(spaced)
    ? spaced.replaceAll(lineBreak, (gap) => (gap.indexOf("\n") === gap.lastIndexOf("\n") ? "\n" : PAGE_JOINT))
    : spaced;
  return trimEdges(lines);
}

/** A byte order mark is not text, even after leading white space. */
function trimEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isEdge(text.charCodeAt(start))) start++;
  while (end > start && isEdge(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isEdge(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0xfeff;
}

/** The canonical text of a paged document, each page separately, and the position of each page in it. */
export function canonicalPages(
  pages: readonly string[],
  options: CanonicalOptions = {},
): { readonly text: string; readonly pages: readonly DocumentPage[] } {
  const parts: string[] = [];
  const places: DocumentPage[] = [];
  let length = 0;
  for (const [index, page] of pages.entries()) {
    const part = canonicalText(page, options);
    // An empty page adds no separator: two separators would make a second blank line, which a canonical text
    // does not have.
    const isJoined = parts.length > 0 && (part !== "" || options.compat === "foundry");
    const start = length + (isJoined ? PAGE_JOINT.length : 0);
    if (isJoined || part !== "" || options.compat === "foundry") parts.push(part);
    places.push({ number: index + 1, start, end: start + part.length });
    length = start + part.length;
  }
  return { text: parts.join(PAGE_JOINT), pages: places };
}

const QUERY_HASH_LENGTH = 8;

/** `sha256:` and the hash of a text in UTF-8, as in archives and payloads. */
export async function hashText(text: string): Promise<string> {
  return `sha256:${await sha256(new TextEncoder().encode(text))}`;
}

/** The first eight digits of a query's hash; without a query, of the empty text's hash. */
export async function hashQuery(query = ""): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(query));
  return hash.slice(0, QUERY_HASH_LENGTH);
}

/** White space in Python; JavaScript's \s lacks 1C to 1F and 85, and also has FEFF. */
const FOUNDRY_SPACE =
  "\\t-\\r\\u001c- \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const foundrySpaceRun = new RegExp(`[${FOUNDRY_SPACE}]+`, "g");
const reference = /&(?:#([0-9]+);?|#[xX]([0-9a-fA-F]+);?|[^\t\n\f <&#;]{1,32};?)/g;

/** The characters of Windows-1252 at 80 to 9F; HTML reads references to those code points in this way. */
const windows1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

function isInvalid(code: number): boolean {
  if (code === 0x0b || (code >= 0x01 && code <= 0x08) || (code >= 0x0e && code <= 0x1f)) return true;
  return code === 0x7f || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
}

function characterOf(code: number): string {
  if (code === 0 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return "\ufffd";
  if (code >= 0x80 && code <= 0x9f) return windows1252.charAt(code - 0x80);
  return isInvalid(code) ? "" : String.fromCodePoint(code);
}

/** Decodes references as Python's html.unescape does. */
function unescape(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(reference, (whole: string, decimal?: string, hex?: string) => {
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10));
    return hex === undefined ? decodeHTML(whole) : characterOf(Number.parseInt(hex, 16));
  });
}

/**
 * Replaces every `<`, the text up to the next `>`, and that `>` by a space; by hand, because a pattern is
 * quadratic in bare `<`.
 */
function withoutTags(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf("<"); open !== -1;) {
    const close = text[open + 1] === ">" ? open : text.indexOf(">", open + 1);
    if (close === -1) break;
    if (close > open) {
      kept.push(text.slice(from, open));
      from = close + 1;
    }
    open = text.indexOf("<", close + 1);
  }
  kept.push(text.slice(from));
  return kept.join(" ");
}

/**
 * The canonical text of the seed's system, only for its hashes and locators. Text between < and > is lost,
 * also prose, and applying it twice may lose more.
 */
function foundryText(text: string): string {
  const spaced = withoutTags(unescape(text)).normalize("NFC").replaceAll(foundrySpaceRun, " ");
  return spaced.slice(spaced.startsWith(" ") ? 1 : 0, spaced.endsWith(" ") ? -1 : undefined);
}

const highSurrogate = /[\ud800-\udbff]/;

function isPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/**
 * Converts offsets between UTF-16 units and code points, all in one pass over the text. An offset after the
 * end is undefined.
 */
function convert(
  text: string,
  offsets: readonly number[],
  from: "units" | "points",
): readonly (number | undefined)[] {
  if (!highSurrogate.test(text)) {
    return offsets.map((offset) => (offset <= text.length ? offset : undefined));
  }
  const order = [...offsets.keys()].sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0));
  const found: (number | undefined)[] = offsets.map(() => undefined);
  let units = 0;
  let points = 0;
  for (const index of order) {
    const wanted = offsets[index] ?? 0;
    while (units < text.length && (from === "units" ? units : points) < wanted) {
      units += isPair(text, units) ? 2 : 1;
      points++;
    }
    const reached = from === "units" ? units : points;
    if (reached >= wanted) found[index] = from === "units" ? points : units;
  }
  return found;
}

/** Offsets of a JavaScript string in code points, as contracts count. */
export function toCodePoints(text: string, units: readonly number[]): readonly (number | undefined)[] {
  return convert(text, units, "units");
}

/** Offsets of a contract in UTF-16 units, as JavaScript slices. */
export function toUnits(text: string, points: readonly number[]): readonly (number | undefined)[] {
  return convert(text, points, "points");
}
