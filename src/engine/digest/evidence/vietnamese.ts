// Vietnamese writes each syllable as a word of its own, and tells words apart by accents that other languages can do
// without: folded, `ma`, `má`, `mà`, `mả`, `mã` and `mạ` are one. So a question with Vietnamese letters is compared
// syllable by syllable, accents included, in pairs, as Chinese is in pairs of characters. A question that was typed
// without accents has none of these letters, and is compared as other languages are.

/** The longest syllable is `nghiêng`; a longer word is foreign. */
export const MAX_SYLLABLE = 7;

/** Letters that only Vietnamese has. Dots below and tildes on single vowels are left out: other languages have them. */
const OWN_LETTERS =
  /[\u01a0\u01a1\u01af\u01b0\u1ea2-\u1eb7\u1eba\u1ebb\u1ebe-\u1ec9\u1ece-\u1ee3\u1ee6-\u1ef1\u1ef6\u1ef7]/u;

const WORDS = /[\p{L}\p{N}]+/gu;
const ACCENTED = /[^\p{ASCII}]/u;
/** In Vietnamese most words have an accent; in a German question about the Trần dynasty, one has. */
const MIN_ACCENTED = 0.4;

/** Whether a question in composed form (NFC) is Vietnamese: it has letters that only Vietnamese has, and is full of accents. */
export function isVietnamese(question: string): boolean {
  if (!OWN_LETTERS.test(question)) return false;
  const words = question.match(WORDS) ?? [];
  return words.filter((word) => ACCENTED.test(word)).length >= MIN_ACCENTED * words.length;
}

export const VOWELS: ReadonlySet<number> = new Set(
  Array.from("aăâeêioôơuưy", (letter) => letter.charCodeAt(0)),
);

/** Grave, acute, tilde, hook above, dot below. */
const TONES = /[\u0300\u0301\u0303\u0309\u0323]/gu;
/** After this unit come no Latin letters with accents. */
const LAST_LATIN = 0x1eff;

/** The letter of each unit, and in the higher bits its tone; 0 while unknown. */
const sounds = new Uint32Array(LAST_LATIN + 1);

/** A letter in lower case without its tone, and in the higher bits the tone. */
export function soundOf(unit: number): number {
  if (unit > LAST_LATIN) return unit;
  return sounds[unit] || (sounds[unit] = findSound(unit));
}

function findSound(unit: number): number {
  const apart = String.fromCharCode(unit).toLowerCase().normalize("NFD");
  const [tone = ""] = apart.match(TONES) ?? [];
  const letter = apart.replaceAll(TONES, "").normalize("NFC").charCodeAt(0) || unit;
  return letter | ((tone.charCodeAt(0) || 0) << 16);
}

/** Between the syllables of a word is a space, a line break or, in older texts, a hyphen. */
export function joinsSyllables(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x2d || unit === 0xa0;
}
