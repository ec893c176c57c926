import type { Span } from "../document.ts";

/** A longer document is shown in part: a browser lays out no 50 MB, and nobody would scroll through them. */
const MAX_WHOLE_LENGTH = 2_000_000;
/** How much is shown on both sides of what is marked. */
const AROUND = 2_000;
const LOOK_BACK = 200;
/** A smaller gap is not worth leaving out. */
const MIN_GAP = 500;

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** A place near this one where a cut does not hurt: the end of a line or a word, never inside a character. */
function tidyCut(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return Math.min(Math.max(place, 0), text.length);
  const from = Math.max(0, place - LOOK_BACK);
  const before = text.slice(from, place);
  for (const separator of ["\n", " "]) {
    const found = before.lastIndexOf(separator);
    if (found !== -1) return from + found;
  }
  return isLowSurrogate(text.charCodeAt(place)) ? place - 1 : place;
}

/** What of the text is shown, in order: all of it, or its beginning and what surrounds the marks. */
export function shownStretches(
  text: string,
  marks: readonly Span[],
  maxWholeLength = MAX_WHOLE_LENGTH,
): readonly Span[] {
  if (text.length <= maxWholeLength) return [{ start: 0, end: text.length }];
  const wanted = [{ start: 0, end: 0 }, ...marks].map(({ start, end }) => ({
    // A cut moves towards the beginning, so neither can move into the mark.
    start: tidyCut(text, start - AROUND),
    end: Math.max(end, tidyCut(text, end + AROUND)),
  }));
  const stretches: { start: number; end: number }[] = [];
  for (const stretch of wanted.sort((a, b) => a.start - b.start)) {
    const last = stretches.at(-1);
    if (last === undefined || stretch.start > last.end + MIN_GAP) stretches.push(stretch);
    else last.end = Math.max(last.end, stretch.end);
  }
  return stretches;
}
