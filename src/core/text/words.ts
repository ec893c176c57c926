/** A text made comparable, and the same text with its case if both have the same offsets. */
export interface FoldedText {
  readonly folded: string;
  /** Undefined if folding moved offsets: camelCase humps are then not recognised. */
  readonly cased: string | undefined;
}

const NON_ASCII = /[^\0-\u007f]/;

/** Compatibility forms, composed and decomposed letters, and upper and lower case compare as equal. */
export function foldText(text: string): FoldedText {
  if (!NON_ASCII.test(text)) return { folded: text.toLowerCase(), cased: text };
  const cased = text.normalize("NFKC");
  // Whether a sigma is final depends on what follows it, which is lost once a word is taken out of its text.
  const folded = cased.toLowerCase().replaceAll("ς", "σ");
  return { folded, cased: folded.length === cased.length ? cased : undefined };
}

// Marks belong to words: without them the vowel signs of Hindi or Tamil would break every word.
const WORD = /^[\p{L}\p{N}\p{M}]/u;
// Written without spaces, or (Hangul) with particles joined to the word: words are searched for as pairs of characters.
const UNSPACED =
  /^(?:\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{scx=Hangul}|\p{scx=Thai}|\p{scx=Lao}|\p{scx=Khmer}|\p{scx=Myanmar})/u;
const UPPER = /^\p{Lu}/u;

/** Whether a character (one code point) is part of a word. */
export function isWordCharacter(character: string): boolean {
  const unit = character.charCodeAt(0);
  if (unit < 0x80) return isAsciiWord(unit);
  return WORD.test(character);
}

/** Whether spaces do not separate words in this character's script. */
export function isUnspaced(character: string): boolean {
  return character.charCodeAt(0) >= 0x0e00 && WORD.test(character) && UNSPACED.test(character);
}

/** The code point that starts at an offset; empty at the end. */
export function characterAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function characterBefore(text: string, offset: number): string {
  const unit = text.charCodeAt(offset - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  const pair = isLow && offset > 1 ? characterAt(text, offset - 2) : "";
  return pair.length === 2 ? pair : text.charAt(offset - 1);
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
}

function isHump(cased: string, offset: number): boolean {
  const after = characterAt(cased, offset);
  if (!UPPER.test(after)) return false;
  if (!UPPER.test(characterBefore(cased, offset))) return true;
  // The last capital of HTTPServer begins a word; those before it do not.
  const next = characterAt(cased, offset + after.length);
  return next !== "" && next !== next.toUpperCase();
}

function isAsciiUpper(unit: number): boolean {
  return unit >= 65 && unit <= 90;
}

/** Whether a word may begin or end at an offset: at a gap, at a camelCase hump, anywhere in unspaced scripts. */
export function isBoundary(text: FoldedText, offset: number): boolean {
  const { folded, cased } = text;
  if (offset <= 0 || offset >= folded.length) return true;
  const before = folded.charCodeAt(offset - 1);
  const after = folded.charCodeAt(offset);
  // Almost every call is about ASCII, and there is one for each place where a term is found.
  if (before >= 0x80 || after >= 0x80) return isWideBoundary(text, offset);
  if (!isAsciiWord(before) || !isAsciiWord(after)) return true;
  return cased !== undefined && isAsciiUpper(cased.charCodeAt(offset)) && isHump(cased, offset);
}

function isWideBoundary({ folded, cased }: FoldedText, offset: number): boolean {
  const before = characterBefore(folded, offset);
  const after = characterAt(folded, offset);
  if (!isWordCharacter(before) || !isWordCharacter(after)) return true;
  if (isUnspaced(before) || isUnspaced(after)) return true;
  return cased !== undefined && isHump(cased, offset);
}

/** A run of letters, digits and marks: a word, in scripts with spaces between words. */
export const WORD_RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** The runs of letters, digits and marks of a folded text, unchanged. */
export function wordRuns(folded: string): string[] {
  return folded.match(WORD_RUN) ?? [];
}

/**
 * The words of a text in any script, folded: a camelCase or mixed name gives its whole and its parts, scripts without
 * spaces give overlapping pairs of characters.
 */
export function splitWords(text: string): string[] {
  const folded = foldText(text);
  const words: string[] = [];
  for (const match of folded.folded.matchAll(WORD_RUN)) pushRun(folded, match.index, match[0], words);
  return words;
}

function pushRun(text: FoldedText, start: number, run: string, words: string[]): void {
  const parts = partsOf(text, start, start + run.length);
  if (parts.length > 1 && !parts.some((part) => isUnspaced(part))) words.push(run);
  for (const part of parts) {
    if (isUnspaced(part)) pushPairs(part, words);
    else words.push(part);
  }
}

/** A run split at humps and where unspaced script begins or ends; an unspaced part stays whole. */
function partsOf(text: FoldedText, start: number, end: number): string[] {
  const parts: string[] = [];
  let from = start;
  let wasUnspaced = isUnspaced(characterAt(text.folded, start));
  for (let offset = start; offset < end;) {
    const character = characterAt(text.folded, offset);
    const isNowUnspaced = isUnspaced(character);
    const isCut = isNowUnspaced !== wasUnspaced || (!isNowUnspaced && isBoundary(text, offset));
    if (offset > from && isCut) {
      parts.push(text.folded.slice(from, offset));
      from = offset;
    }
    wasUnspaced = isNowUnspaced;
    offset += character.length;
  }
  parts.push(text.folded.slice(from, end));
  return parts;
}

function pushPairs(part: string, words: string[]): void {
  const characters = Array.from(part);
  if (characters.length === 1) words.push(part);
  for (let index = 0; index + 1 < characters.length; index++) {
    words.push(`${characters[index] ?? ""}${characters[index + 1] ?? ""}`);
  }
}
