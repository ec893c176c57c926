// Arabic writes "and", "the", "in the", "like the" and "for the" as one word with the noun, and adds endings for number,
// gender and owner: folded only, `والكتاب` would not meet `كتاب`. The common ones are taken off on both sides of a
// comparison, as the light stemmers of research on Arabic retrieval do. Roots and patterns are left alone: they join
// words of different meaning.

const ALEF = 0x0627;
const LAM = 0x0644;
const WAW = 0x0648;
/** "With the", "like the", "so the": ب ك ف before the article. */
const BEFORE_ARTICLE: ReadonlySet<number> = new Set([0x0628, 0x0643, 0x0641]);
const SUFFIXES = ["ها", "ان", "ات", "ون", "ين", "يه"].map(unitsOf);
/** Last: the folded feminine ending or "his", and the ending of nouns of origin. */
const SHORT_SUFFIXES = ["ه", "ي"].map(unitsOf);
/** A stem keeps at least this many letters. */
const MIN_STEM = 3;

function unitsOf(letters: string): readonly number[] {
  return Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** Whether a folded letter is Arabic. */
export function isArabic(letter: number): boolean {
  return letter >= 0x0621 && letter <= 0x06d5;
}

/** Takes prefixes and suffixes off a folded word, in its buffer; gives the length of the stem. */
export function stemArabic(letters: Uint16Array, length: number): number {
  const from = prefixLength(letters, length);
  if (from > 0) letters.copyWithin(0, from, length);
  return withoutSuffix(letters, withoutSuffix(letters, length - from, SUFFIXES), SHORT_SUFFIXES);
}

function prefixLength(letters: Uint16Array, length: number): number {
  const hasAnd = letters[0] === WAW && length > MIN_STEM;
  const from = hasAnd ? 1 : 0;
  const article = articleLength(letters, from);
  return length - from - article >= MIN_STEM ? from + article : from;
}

function articleLength(letters: Uint16Array, from: number): number {
  const [first = 0, second, third] = letters.subarray(from, from + 3);
  if (first === ALEF && second === LAM) return 2;
  if (first === LAM && second === LAM) return 2;
  return BEFORE_ARTICLE.has(first) && second === ALEF && third === LAM ? 3 : 0;
}

function withoutSuffix(
  letters: Uint16Array,
  length: number,
  suffixes: readonly (readonly number[])[],
): number {
  const found = suffixes.find(
    (suffix) =>
      length - suffix.length >= MIN_STEM &&
      suffix.every((letter, index) => letters[length - suffix.length + index] === letter),
  );
  return length - (found?.length ?? 0);
}
