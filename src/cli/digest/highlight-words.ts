import { foldText, isUnspaced, splitWords } from "../../text/words.ts";

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Shorter words are mostly "the" and "did"; those with a digit are not. */
const MIN_LETTERS = 4;
/** How much of the longer word two forms of one word have in common at their beginning. */
const COMMON_SHARE = 0.7;

type Highlight = (line: string) => string;

/** Paints the words of a query in a line of text, in their other forms too; for the eye only, it decides nothing. */
export function highlightWords(query: string, paint: (word: string) => string): Highlight {
  const words = [...new Set(splitWords(query))];
  const telling = words.filter((word) => isUnspaced(word) || word.length >= MIN_LETTERS || /\d/.test(word));
  const wanted = telling.length > 0 ? telling : words;
  const pairs = wanted.filter((word) => isUnspaced(word));
  return (line) =>
    line.replaceAll(RUN, (run) => {
      if (isUnspaced(run)) return paintPairs(run, pairs, paint);
      const { folded } = foldText(run);
      return wanted.some((word) => isFormOf(folded, word)) ? paint(run) : run;
    });
}

function isFormOf(word: string, other: string): boolean {
  const longer = Math.max(word.length, other.length);
  let common = 0;
  while (common < longer && word[common] === other[common]) common++;
  return common === longer || (common >= MIN_LETTERS && common >= longer * COMMON_SHARE);
}

/** In scripts without spaces a word is not known; what is painted are the pairs of characters that were searched. */
function paintPairs(run: string, pairs: readonly string[], paint: (word: string) => string): string {
  const isPainted: boolean[] = Array.from({ length: run.length }, () => false);
  for (const pair of pairs) {
    for (let at = run.indexOf(pair); at !== -1; at = run.indexOf(pair, at + 1)) {
      isPainted.fill(true, at, at + pair.length);
    }
  }
  let painted = "";
  for (let at = 0; at < run.length;) {
    let end = at + 1;
    while (end < run.length && (isPainted[end] ?? false) === (isPainted[at] ?? false)) end++;
    painted += isPainted[at] === true ? paint(run.slice(at, end)) : run.slice(at, end);
    at = end;
  }
  return painted;
}
