// Titles and short forms that are written with a full stop in the languages of Europe, and are followed by a capital.
// A missing one costs a passage that begins a few words late; a wrong one, two sentences that stay together.
const BEFORE_NAMES = new Set(
  (
    "dr mr mrs ms prof st sr jr vs cf al eg ie approx dept ed eds rev gen col capt sgt lt hon inc ltd co corp bros " +
    "jan feb apr jun jul aug sept sep oct nov dec ave blvd mt bzw ggf evtl inkl vgl hrsg mio mrd tel str " +
    "mme mlle av sra srta ing dott sig avv"
  ).split(" "),
);
/** Short forms of what is counted: words of their own unless a number follows. */
const BEFORE_NUMBERS = new Set("no nos nr fig figs vol pp p s art abs bd ch sec ca núm pág env".split(" "));
/** What a sentence begins with only where nobody writes capitals. */
const LOWER = /^\p{Ll}/u;
/** What no sentence begins with; a spaced ellipsis, mostly. */
const STOP = /^[.,;]/u;
const NUMBER = /^\p{N}/u;
/** "J. Smith", "U.S. Navy"; "am 3. Oktober", but not "in 1985. Then". */
const INITIAL_OR_ORDINAL = /^(?:(?:\p{L}\.)*\p{L}|\d{1,2})$/u;
const FULL_STOP = 0x2e;
const ELLIPSIS = 0x2026;
/** Longer words are not written short. */
const MAX_LENGTH = 8;
/** Before lower case an unknown word of this length may be a short form. */
const MAX_UNKNOWN_LENGTH = 5;

/**
 * Whether a sentence that began at `start` goes on after the stop at `at`: it belongs to a short form, an initial or
 * an ordinal, or what it closes is only quoted. White space follows at `end`, after closing quotes and brackets.
 */
export function goesOn(text: string, start: number, at: number, end: number): boolean {
  const next = text.slice(end + 1, end + 3);
  if (STOP.test(next)) return true;
  const isLower = LOWER.test(next);
  const stop = text.charCodeAt(at);
  if (end > at + 1 || stop === ELLIPSIS) return isLower;
  return stop === FULL_STOP && isShortForm(lastWord(text, start, at), next, isLower);
}

function isShortForm(word: string, next: string, isLower: boolean): boolean {
  // A stop on its own ends a spaced ellipsis.
  if (word === "") return isLower;
  if (word.length > MAX_LENGTH) return false;
  if (INITIAL_OR_ORDINAL.test(word) || (isLower && word.length <= MAX_UNKNOWN_LENGTH)) return true;
  const folded = word.toLowerCase();
  return BEFORE_NAMES.has(folded) || (BEFORE_NUMBERS.has(folded) && NUMBER.test(next));
}

function lastWord(text: string, start: number, at: number): string {
  const from = Math.max(start, at - MAX_LENGTH - 1);
  const space = text.slice(from, at).search(/[^\s("'„“[]*$/u);
  return text.slice(from + space, at);
}
