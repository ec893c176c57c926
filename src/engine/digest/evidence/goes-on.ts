// Whether a sentence continues after a full stop, a question mark or an exclamation mark that white space follows:
// the sign belongs to an abbreviation, a number, an ellipsis, a piece of code or a name, or closes only a quotation.
// A sign that is wrongly taken for an end cuts a sentence into two halves that say nothing; one that is wrongly passed
// joins two sentences, so in doubt the sentence continues.

export const FULL_STOP = 0x2e;
const ELLIPSIS = 0x2026;

/** Titles and abbreviations that end with a full stop and are followed by a capital. */
const BEFORE_NAMES = new Set(
  (
    "dr mr mrs ms prof st sr jr vs cf al eg ie approx dept ed eds rev gen col capt sgt lt hon inc ltd co corp bros " +
    "jan feb apr jun jul aug sept sep oct nov dec ave blvd mt incl excl resp esp maj sen rep gov univ " +
    "bzw ggf evtl inkl exkl vgl hrsg mio mrd tel str hr ing dipl " +
    "mme mlle av sra srta dott sig avv tp ts ths gs pgs bs " +
    "ул им проф акад св пр пл обл тов"
  ).split(" "),
);
/** Abbreviations of counted things: ordinary words unless a number follows. */
const BEFORE_NUMBERS = new Set(
  (
    "no nos nr fig figs vol pp p s art abs bd ch sec ca núm pág env eq eqs ref refs ver chap tab abb kap anm " +
    "max min sect рис стр гл табл см ст"
  ).split(" "),
);
/** A sentence begins with lower case only in texts without capitals. */
const LOWER = /^\p{Ll}/u;
const BEGINS_UPPER = /^[^\p{L}]{0,4}\p{Lu}/u;
/** No sentence begins with these; mostly a spaced ellipsis. */
const LEADING_STOP = /^[.,;]/u;
/** Inside a line, these continue a formula or a piece of code: `5! = 120`, `x ? : y`. */
const LEADING_SIGN = /^[=:&|+/%^)\]}]/u;
/** The rest of a condition in code: `A : B` after `x ?`. */
const REST_OF_CONDITION = /^\S{1,40} : \S/u;
const NUMBER = /^\p{N}/u;
/** "J. Smith", "U.S. Navy", "Ph.D. student"; "am 3. Oktober", but not "in 1985. Then". */
const INITIAL_OR_ORDINAL = /^(?:(?:\p{L}\.)*\p{L}|(?:\p{Lu}\p{Ll}?\.)+\p{Lu}\p{Ll}?|\d{1,2})$/u;
/** What begins an English sentence and no name: "Node.js 20. It runs" is no ordinal, "Plan B. The" no initial. */
const OPENER =
  /^(?:The|It|This|These|That|If|You|We|They|He|She|An?|For|When|To|See|Use|There|But|And|As|By|Its|Not?)(?![\p{L}\p{N}.])/u;
/** Before this, a sign is alone in its brackets or ends a list of them: `(...)`, `(!)`, `f(a, ...)`. */
const OPENS_OR_PARTS = new Set(Array.from(" ([{,", (sign) => sign.charCodeAt(0)));
const CLOSES_BRACKET = /^[.!?…]*["'”’]?[)\]}]/u;
/** Longer words are not abbreviations. */
const MAX_LENGTH = 8;
/** Before lower case, an unknown word up to this length may be an abbreviation. */
const MAX_UNKNOWN_LENGTH = 5;
/** As much of what follows as the rules above look at. */
const LOOKED_AT = 48;
const SPACE = 0x20;

/**
 * Whether a sentence that began at `start` continues after the sign at `at`. White space follows at `end`, after
 * closing quotes and brackets.
 */
export function goesOn(text: string, start: number, at: number, end: number): boolean {
  const next = text.slice(end + 1, end + 1 + LOOKED_AT);
  if (LEADING_STOP.test(next)) return true;
  if (text.charCodeAt(end) === SPACE && LEADING_SIGN.test(next)) return true;
  const before = text.charCodeAt(at - 1);
  if (at > start && OPENS_OR_PARTS.has(before) && CLOSES_BRACKET.test(text.slice(at, end))) return true;
  const isLower = LOWER.test(next);
  const stop = text.charCodeAt(at);
  if (stop !== FULL_STOP && stop !== ELLIPSIS) {
    if (before === SPACE && at > start && (isLower || REST_OF_CONDITION.test(next))) return true;
    // "Yahoo! is", "if a? then": a text whose sentences begin with capitals begins the next with one too.
    if (isLower && BEGINS_UPPER.test(text.slice(start, start + 8))) return true;
  }
  if (end > at + 1 || stop === ELLIPSIS) return isLower;
  return stop === FULL_STOP && isShortForm(lastWord(text, start, at), next, isLower);
}

function isShortForm(word: string, next: string, isLower: boolean): boolean {
  // A stop without a word ends a spaced ellipsis.
  if (word === "") return isLower;
  if (word.length > MAX_LENGTH) return false;
  if (isLower && word.length <= MAX_UNKNOWN_LENGTH) return true;
  if (INITIAL_OR_ORDINAL.test(word)) return !OPENER.test(next);
  const folded = word.toLowerCase();
  return BEFORE_NAMES.has(folded) || (BEFORE_NUMBERS.has(folded) && NUMBER.test(next));
}

function lastWord(text: string, start: number, at: number): string {
  const from = Math.max(start, at - MAX_LENGTH - 1);
  const space = text.slice(from, at).search(/[^\s("'„“[]*$/u);
  return text.slice(from + space, at);
}
