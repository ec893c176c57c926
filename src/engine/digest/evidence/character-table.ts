// The meaning of each UTF-16 unit for cutting and comparing, computed once per unit and cached: a property
// test per character would cost more than the rest of a digest.

/** Classes of units for the end of a passage; plain units are skipped. */
export const PLAIN = 0;
export const NEWLINE = 1;
export const SPACE = 2;
/** Ends a sentence if white space follows: . ! ? */
export const POINT = 3;
/** Ends a sentence by itself, as in Chinese, Hindi or Amharic. */
export const STOP = 4;
/** Closes a quotation or bracket, and belongs to the sentence it follows. */
export const CLOSE = 5;
/** Ends a part of a sentence: , ; : */
export const CLAUSE = 6;
/** A unit of a script that has neither spaces between words nor full stops. */
export const UNSTOPPED = 7;
const UNKNOWN = 255;

/** How the words of a script are found: by spaces, as pairs of characters, as triples. */
export const SPACED = 0;
const PAIRED = 1;
export const TRIPLED = 2;

/** Not part of a word. */
export const NO_LETTER = 1;
/** Part of a word, but ignored in comparisons: vowel points, joiners, soft hyphens. */
export const SILENT = 2;

const boundaries = new Uint8Array(0x1_0000).fill(UNKNOWN);
/** The letter, and in the higher bits the script; 0 while unknown. */
const letters = new Uint32Array(0x1_0000);
const SCRIPT_SHIFT = 16;

const STOPS = /[。！？｡．।॥؟۔።፧፨။།༎។៕։᠃᠉꘎꘏꤯꩝꩞꩟꫰꯫﹒﹖﹗]/u;
const POINTS = /[.!?…‼⁇⁈⁉]/u;
const CLOSES = /[\p{Pe}\p{Pf}"'’”]/u;
const CLAUSES = /[,;:、，；：،؛–—၊៖፣፤፥]/u;
const PAIRS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Yi}]/u;
const TRIPLES =
  /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Javanese}\p{scx=Balinese}]/u;
const STOPLESS = /[\p{scx=Thai}\p{scx=Lao}]/u;
const LETTER = /[\p{L}\p{N}]/u;
const MARK = /\p{M}/u;
/** Optional in writing: soft hyphen, accents, Hebrew and Arabic points, tatweel, joiners, variation selectors. */
const SILENTS: readonly (readonly [from: number, to: number])[] = [
  [0x00ad, 0x00ad],
  [0x0300, 0x036f],
  [0x0591, 0x05c7],
  [0x0610, 0x061a],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x200c, 0x200d],
  [0xfe00, 0xfe0f],
];

/** The class of a unit for the end of a passage. */
export function boundaryOf(unit: number): number {
  const known = boundaries[unit];
  if (known !== undefined && known !== UNKNOWN) return known;
  return (boundaries[unit] = findBoundary(unit));
}

function findBoundary(unit: number): number {
  if (unit === 0x0a) return NEWLINE;
  const character = String.fromCharCode(unit);
  if (/\s/u.test(character)) return SPACE;
  if (STOPS.test(character)) return STOP;
  if (POINTS.test(character)) return POINT;
  if (CLOSES.test(character)) return CLOSE;
  if (CLAUSES.test(character)) return CLAUSE;
  return unit >= 0x0e00 && STOPLESS.test(character) && LETTER.test(character) ? UNSTOPPED : PLAIN;
}

/** The letter for a unit in comparisons, NO_LETTER or SILENT. */
export function letterOf(unit: number): number {
  return (letters[unit] || learn(unit)) & 0xffff;
}

/** How words of the unit's script are found. */
export function scriptOf(unit: number): number {
  return (letters[unit] || learn(unit)) >>> SCRIPT_SHIFT;
}

function learn(unit: number): number {
  return (letters[unit] = findLetter(unit) | (findScript(unit) << SCRIPT_SHIFT));
}

function findLetter(unit: number): number {
  // The planes of emoji contain no letters; halves of other characters beyond the BMP are compared unchanged.
  if (startsSymbol(unit)) return NO_LETTER;
  if (unit >= 0xd800 && unit <= 0xdfff) return unit;
  const character = String.fromCharCode(unit);
  if (SILENTS.some(([from, to]) => unit >= from && unit <= to)) return SILENT;
  if (MARK.test(character)) return unit;
  if (!LETTER.test(character)) return NO_LETTER;
  const folded = character.normalize("NFKD").toLowerCase().normalize("NFKD");
  const first = folded.charCodeAt(0);
  // A final sigma is a sigma; ß, ø, ł and similar letters have no decomposition.
  return FOLDS.get(first) ?? (LETTER.test(folded.charAt(0)) ? first : unit);
}

const FOLDS = new Map(
  ["ςσ", "ßs", "øo", "łl", "đd", "ıi", "æa", "œo", "ðd", "þt", "ħh", "ёе"].map((pair) => [
    pair.charCodeAt(0),
    pair.charCodeAt(1),
  ]),
);

/** Whether a unit is the first half of an emoji or another symbol beyond the BMP. */
export function startsSymbol(unit: number): boolean {
  return unit >= 0xd83c && unit <= 0xd83e;
}

function findScript(unit: number): number {
  if (unit < 0x0e00) return SPACED;
  // Most letters beyond the BMP are rare Han; their halves, like those of others, are compared in pairs.
  if (unit >= 0xd800 && unit <= 0xdfff) return PAIRED;
  const character = String.fromCharCode(unit);
  if (PAIRS.test(character)) return PAIRED;
  return TRIPLES.test(character) ? TRIPLED : SPACED;
}
