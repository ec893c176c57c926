import { countCodePoints } from "../../core/contract/code-points.ts";

/** The offset in UTF-16 units after a number of further code points; the length of the text if it ends before. */
function skipCodePoints(text: string, from: number, codePoints: number): number {
  let offset = from;
  for (let left = codePoints; left > 0 && offset < text.length; left--) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The piece of a text between two counts of code points, the second one excluded. */
export function codePointSlice(text: string, start: number, end: number): string {
  const from = skipCodePoints(text, 0, start);
  return text.slice(from, skipCodePoints(text, from, end - start));
}

/** Where a slice begins: in UTF-16 units, for cutting, and in code points, for the answer. */
export interface SlicePlace {
  readonly unit: number;
  readonly codePoint: number;
}

/** A piece of an item's JSON text; offsets count Unicode code points and exclude `to`. */
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
 * The longest slice from a place on that `fits`, at least one character, so that the slices come to an end.
 * If a line ends nearby, the slice ends there.
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

// Doubling first: the rest of the text may be a thousand times longer than what fits, and every try is counted.
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

/** The most of a slice that is given up to end it at the end of a line. */
const GIVEN_UP_SHARE = 0.25;

/** A piece of code or prose is easier to read in whole lines. */
function atLineEnd(text: string, start: number, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return line > end - (end - start) * GIVEN_UP_SHARE && line > start ? line : end;
}

/** The next end that does not split a surrogate pair. */
function wholeCharacter(text: string, unit: number): number {
  const after = text.charCodeAt(unit);
  const before = text.charCodeAt(unit - 1);
  const isSplit = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return isSplit ? unit + 1 : unit;
}
