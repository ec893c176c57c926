import { countCodePoints } from "../../core/contract/code-points.ts";

/** Offset in UTF-16 units of a number of code points further on; the length of the text when it ends before. */
function skipCodePoints(text: string, from: number, codePoints: number): number {
  let offset = from;
  for (let left = codePoints; left > 0 && offset < text.length; left--) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The piece of a text between two counts of code points, the second one left out. */
export function codePointSlice(text: string, start: number, end: number): string {
  const from = skipCodePoints(text, 0, start);
  return text.slice(from, skipCodePoints(text, from, end - start));
}

/** Where a slice begins: in UTF-16 units, to cut there, and in code points, to say so. */
export interface SlicePlace {
  readonly unit: number;
  readonly codePoint: number;
}

/** A piece of an item's JSON text; offsets count Unicode code points and leave `to` out. */
interface TextSlice {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly is_slice: true;
}

interface SlicedText {
  readonly slice: TextSlice & { readonly [key: string]: string | number | true };
  readonly next: SlicePlace | undefined;
}

/**
 * The longest slice from a place on that `fits`, one character at least, so that the slices come to an end. It ends with a
 * line where one ends near.
 */
export function sliceText(
  text: string,
  start: SlicePlace = { unit: 0, codePoint: 0 },
  fits: (slice: SlicedText["slice"]) => boolean,
): SlicedText {
  const of = countCodePoints(text);
  const sliceTo = (unit: number): SlicedText["slice"] => {
    const piece = text.slice(start.unit, unit);
    return {
      text: piece,
      from: start.codePoint,
      to: start.codePoint + countCodePoints(piece),
      of,
      is_slice: true,
    };
  };
  const longest = longestEnd(text, start.unit, (unit) => fits(sliceTo(unit)));
  const end = longest < text.length ? atLineEnd(text, start.unit, longest) : longest;
  const slice = sliceTo(end);
  return { slice, next: end < text.length ? { unit: end, codePoint: slice.to } : undefined };
}

const FIRST_STEP = 1_024;

// Doubling first: the rest of the text may be a thousand times what fits, and every try is counted.
function longestEnd(text: string, start: number, fits: (unit: number) => boolean): number {
  let good = wholeCharacter(text, start + 1);
  let step = FIRST_STEP;
  while (good < text.length && fits(wholeCharacter(text, good + step))) {
    good = Math.min(text.length, wholeCharacter(text, good + step));
    step *= 2;
  }
  let bad = Math.min(text.length + 1, good + step);
  while (bad - good > 1) {
    const middle = wholeCharacter(text, Math.floor((good + bad) / 2));
    if (middle >= bad) break;
    if (fits(middle)) good = middle;
    else bad = Math.floor((good + bad) / 2);
  }
  return Math.min(good, text.length);
}

/** How much of a slice is given up at most for an end at the end of a line. */
const GIVEN_UP_SHARE = 0.25;

/** A piece of code or prose is easier to read in whole lines. */
function atLineEnd(text: string, start: number, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return line > end - (end - start) * GIVEN_UP_SHARE && line > start ? line : end;
}

/** The next end that splits no surrogate pair. */
function wholeCharacter(text: string, unit: number): number {
  const after = text.charCodeAt(unit);
  const before = text.charCodeAt(unit - 1);
  const isSplit = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return isSplit ? unit + 1 : unit;
}
