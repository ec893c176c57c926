// Whether a sentence can be a key point: a reader who sees neither the sentence before it, nor its heading or its list,
// knows what it says. An English one must be a whole clause, because lists and options of manuals are full of "Any
// options." and "If the cache should be used."; other languages are judged by the words they begin with.

import { isEnglishClause } from "./english-fragments.ts";
import { leansOnOthers } from "./leaning-words.ts";

/** A question, what introduces a list, and what is cut off: none says anything by itself. */
const ASKS_OR_LEADS = /(?:[?？؟⁇:：…]|\.\.\.)[\p{Pe}\p{Pf}"'’”]*$/u;
/** In other scripts a word says more, or words have no spaces between them. */
const LATIN = /^[\p{Script=Latin}\p{Script=Common}]+$/u;
/** A shorter sentence is a step, a label, or the rest of what stands before it. */
const MIN_WORDS = 8;

/** `leans`: whether it begins with a pronoun or a connective, or points elsewhere, if that is known. */
export function standsAlone(
  text: string,
  start: number,
  end: number,
  leans: boolean = leansOnOthers(text, start, end),
): boolean {
  if (leans || ASKS_OR_LEADS.test(text.slice(Math.max(start, end - 4), end))) return false;
  // A line may end anywhere in a sentence.
  const sentence = text.slice(start, end).replaceAll("\n", " ");
  if (LATIN.test(sentence) && sentence.split(/\s+/u).length < MIN_WORDS) return false;
  return isEnglishClause(sentence.toLowerCase().replaceAll("’", "'"));
}
