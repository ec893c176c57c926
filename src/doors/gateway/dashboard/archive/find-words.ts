// Finds words in a text, and what is shown of the matches. All words must occur, also as parts of longer words; words
// in quotes must be adjacent. If all words occur adjacent in the given order, only such places count. Case does not
// matter. `waybill_retrieve` ranks whole words by BM25; a person at the page looks for a part of an id or of a key, which
// BM25 does not find, and wants to see its place.

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../../../../core/json/scan-json.ts";
import { appendPointer } from "../../../../core/json/pointer.ts";

/** How much is masked around a match before a part of it is shown: a secret is recognised only as a whole. */
const MASKED_AROUND_CHARS = 8 * 1024;
const SHOWN_BEFORE_CHARS = 80;
const SHOWN_AFTER_CHARS = 160;
const MAX_WORDS = 10;

interface Match {
  readonly at: number;
  readonly length: number;
}

/** What to search for: one pattern for all words together, and one for each word. */
export interface Wanted {
  readonly phrase: RegExp;
  /** The longest first: it narrows the search the most. */
  readonly words: readonly RegExp[];
}

function patternOf(words: string, isJson: boolean): RegExp {
  const written = isJson ? JSON.stringify(words).slice(1, -1) : words;
  const source = written
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s+`);
  return new RegExp(source, "giu");
}

/** A part in quotes is one word; everything else is split at spaces. */
function partsOf(given: string): readonly string[] {
  const found = given.matchAll(/["“”]([^"“”]*[^\s"“”][^"“”]*)["“”]|(\S+)/g);
  return Array.from(found, ([whole, quoted]) => (quoted ?? whole).trim());
}

/** The patterns of words for a text, or for its JSON form. */
export function wantedIn(given: string, isJson: boolean): Wanted {
  const words = partsOf(given).slice(0, MAX_WORDS);
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return {
    phrase: patternOf(words.join(" "), isJson),
    words: longestFirst.map((word) => patternOf(word, isJson)),
  };
}

function matchesOf(text: string, pattern: RegExp, max: number): Match[] {
  const found: Match[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push({ at: match.index, length: match[0].length });
    if (found.length === max) break;
  }
  return found;
}

interface Found {
  readonly pattern: RegExp;
  readonly matches: readonly Match[];
}

function findWords(text: string, { phrase, words }: Wanted, max: number): Found | undefined {
  const together = matchesOf(text, phrase, max);
  if (together.length > 0) return { pattern: phrase, matches: together };
  const [first, ...others] = words;
  if (first === undefined || others.length === 0) return undefined;
  if (!others.every((word) => matchesOf(text, word, 1).length > 0)) return undefined;
  const matches = matchesOf(text, first, max);
  return matches.length === 0 ? undefined : { pattern: first, matches };
}

/** The places of matches in a text: pointers in JSON, else lines. */
function placesOf({ text, isJson }: SearchedText, matches: readonly Match[]): readonly string[] {
  const offsets = matches.map(({ at }) => at);
  try {
    if (isJson) return pointersAt(text, offsets);
  } catch {
    // The text is declared as JSON and is not JSON.
  }
  return offsets.map((offset) => lineAt(text, offset));
}

function lineAt(text: string, offset: number): string {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return `line ${line}`;
}

/** The excerpt for a place; undefined if masking removes the match. */
function excerptOf(
  text: string,
  { at, length }: Match,
  pattern: RegExp,
  mask: (text: string) => string,
): string | undefined {
  const start = Math.max(0, at - MASKED_AROUND_CHARS);
  const around = text.slice(start, at + length + MASKED_AROUND_CHARS);
  const masked = mask(around);
  const expected = at - start;
  const place = masked === around ? expected : nearest(masked, pattern, expected);
  if (place === undefined) return undefined;
  const from = Math.max(0, place - SHOWN_BEFORE_CHARS);
  const to = place + length + SHOWN_AFTER_CHARS;
  const shown = masked
    .slice(from, to)
    // No half of a surrogate pair at either end.
    .replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
    .replaceAll(/\s+/g, " ");
  return `${start + from > 0 ? "…" : ""}${shown}${to < masked.length ? "…" : ""}`;
}

function nearest(text: string, pattern: RegExp, expected: number): number | undefined {
  const places = Array.from(text.matchAll(pattern), ({ index }) => index);
  return places.sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))[0];
}

export interface FoundPlace {
  readonly place: string;
  readonly excerpt: string;
}

export interface SearchedText {
  readonly text: string;
  readonly isJson: boolean;
}

/** The first places of a text that match. Masked text is not found. */
export function findPlaces(
  searched: SearchedText,
  wanted: Wanted,
  mask: (text: string) => string,
  max: number,
): readonly FoundPlace[] {
  const found = findWords(searched.text, wanted, max);
  if (found === undefined) return [];
  const places = placesOf(searched, found.matches);
  return found.matches.flatMap((match, index) => {
    const excerpt = excerptOf(searched.text, match, found.pattern, mask);
    return excerpt === undefined ? [] : [{ place: places[index] ?? "", excerpt }];
  });
}

// Converts positions in a JSON text to pointers, in one pass that decodes only the keys on the way: the text may have
// megabytes, and calls continue meanwhile.

interface Frame {
  /** For an array: the current item. For an object: undefined. */
  index: number | undefined;
  /** For an object: the position of the current key, with its quotes. */
  key: readonly [start: number, end: number] | undefined;
}

/** The position after the quote that ends the JSON string which began before `from`. */
function endOfText(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH && first > from) first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function pointerOf(text: string, frames: readonly Frame[]): string {
  let pointer = "";
  for (const { index, key } of frames) {
    if (index !== undefined) pointer = appendPointer(pointer, index);
    else if (key !== undefined) pointer = appendPointer(pointer, JSON.parse(text.slice(...key)) as string);
  }
  return pointer;
}

/** Walks JSON up to the last of some offsets, in ascending order, and returns the pointer of each. */
export function pointersAt(text: string, offsets: readonly number[]): readonly string[] {
  const frames: Frame[] = [];
  const pointers: string[] = [];
  let frame: Frame | undefined;
  let wanted = offsets[0] ?? Number.POSITIVE_INFINITY;
  for (let at = 0; at < text.length && pointers.length < offsets.length;) {
    let end = at + 1;
    // By character codes: creating a string for each character would take several times as long.
    switch (text.charCodeAt(at)) {
      case QUOTE:
        end = endOfText(text, end);
        // A key has the same pointer as its value.
        if (frame !== undefined && frame.index === undefined) frame.key ??= [at, end];
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        frame = { index: text.charCodeAt(at) === OPEN_BRACKET ? 0 : undefined, key: undefined };
        frames.push(frame);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        frames.pop();
        frame = frames.at(-1);
        break;
      case COMMA:
        if (frame?.index !== undefined) frame.index += 1;
        else if (frame !== undefined) frame.key = undefined;
        break;
      default:
    }
    while (wanted < end) {
      pointers.push(pointerOf(text, frames));
      wanted = offsets[pointers.length] ?? Number.POSITIVE_INFINITY;
    }
    at = end;
  }
  return pointers;
}
