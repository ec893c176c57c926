const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LETTERS = /[\p{L}\p{M}]/gu;
const VISIBLE = /\S/gu;
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
/** Signs of tables, lists, headings, quoted code and links at the beginning. */
const NOT_PROSE = /^(?:[|#>*+=<{}\\/@$~`_-]|https?:)/u;
const CODE = /[{};=<>\\|`_]/gu;
const MIN_LETTER_SHARE = 0.7;
const MAX_CODE_SHARE = 0.02;
const MIN_WORDS = 5;
const MIN_UNSPACED_LETTERS = 10;

/** Whether a stretch reads as a sentence: words mostly, not a table row, a menu, code or a formula. */
export function isProse(text: string): boolean {
  if (NOT_PROSE.test(text)) return false;
  const visible = count(text, VISIBLE);
  const letters = count(text, LETTERS);
  if (letters < MIN_LETTER_SHARE * visible || count(text, CODE) > MAX_CODE_SHARE * visible) return false;
  return UNSPACED.test(text) ? letters >= MIN_UNSPACED_LETTERS : count(text, WORD) >= MIN_WORDS;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
