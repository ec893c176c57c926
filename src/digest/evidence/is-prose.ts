import { NEWLINE, SILENT, SPACE, SPACED, boundaryOf, letterOf, scriptOf } from "./character-table.ts";

/** What tables, lists, headings, quoted code and links begin with. */
const NOT_PROSE = /^(?:[|#>*+=<{}\\/@$~`_-]|https?:)/u;
const CODE = new Set(Array.from("{};=<>\\|`_", (sign) => sign.charCodeAt(0)));
const MIN_LETTER_SHARE = 0.7;
/** Prose about code names things in it; a line of code has several times as many signs. */
const MAX_CODE_SHARE = 0.06;
const MIN_WORDS = 5;
const MIN_UNSPACED_LETTERS = 10;

/** Whether a stretch reads as a sentence: words mostly, not a table row, a menu, code or a formula. */
export function isProse(text: string, start: number, end: number): boolean {
  if (NOT_PROSE.test(text.slice(start, start + 6))) return false;
  let visible = 0;
  let letters = 0;
  let unspaced = 0;
  let words = 0;
  let code = 0;
  let isInWord = false;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    const isLetter = letterOf(unit) >= SILENT;
    if (isLetter) {
      if (!isDigit(unit)) letters++;
      if (!isInWord) words++;
      if (scriptOf(unit) !== SPACED) unspaced++;
    } else if (CODE.has(unit)) code++;
    isInWord = isLetter;
    const boundary = boundaryOf(unit);
    if (boundary !== SPACE && boundary !== NEWLINE) visible++;
  }
  if (letters < MIN_LETTER_SHARE * visible || code > MAX_CODE_SHARE * visible) return false;
  return words >= MIN_WORDS || unspaced >= MIN_UNSPACED_LETTERS;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
