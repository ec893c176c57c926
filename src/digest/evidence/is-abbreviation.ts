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
/** A sentence does not begin like this: it goes on. */
const GOES_ON = /^[\p{Ll}.,;]/u;
const NUMBER = /^\p{N}/u;
/** "J. Smith", "U.S. Navy"; "am 3. Oktober", but not "in 1985. Then". */
const INITIAL_OR_ORDINAL = /^(?:\p{L}|\p{L}\.\p{L}|\d{1,2})$/u;
const MAX_LENGTH = 8;

/** Whether the full stop at `at` belongs to a short form, an initial or an ordinal; `end` is where white space follows. */
export function isAbbreviation(text: string, start: number, at: number, end: number): boolean {
  // A closing quote or a second stop after it: no short form.
  if (end > at + 1) return false;
  const next = text.slice(end + 1, end + 3);
  if (GOES_ON.test(next)) return true;
  const before = lastWord(text, start, at);
  if (before === "" || before.length > MAX_LENGTH) return false;
  if (INITIAL_OR_ORDINAL.test(before)) return true;
  const folded = before.toLowerCase();
  return BEFORE_NAMES.has(folded) || (BEFORE_NUMBERS.has(folded) && NUMBER.test(next));
}

function lastWord(text: string, start: number, at: number): string {
  const from = Math.max(start, at - MAX_LENGTH - 1);
  const space = text.slice(from, at).search(/[^\s("'„“[]*$/u);
  return text.slice(from + space, at);
}
