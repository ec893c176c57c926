// Titles, references and Latin short forms that are written with a full stop in the languages of Europe. A missing one
// costs a passage that begins a few words late; a wrong one two sentences that stay together.
const KNOWN = new Set(
  (
    "dr mr mrs ms prof st sr jr vs etc cf al eg ie ca approx dept est fig figs vol no nos pp ed eds rev gen col capt sgt lt " +
    "hon inc ltd co corp bros jan feb mar apr jun jul aug sept sep oct nov dec ave blvd mt " +
    "bzw usw ggf evtl inkl vgl nr abs art bd hrsg jh jhd mio mrd tel str u.a z.b d.h " +
    "mme mlle env av sra srta núm pág ing dott sig avv"
  ).split(" "),
);
const LOWER = /^\p{Ll}/u;
const MAX_LENGTH = 8;

/** Whether the full stop at `at` belongs to a short form, an initial or an ordinal; `end` is where white space follows. */
export function isAbbreviation(text: string, start: number, at: number, end: number): boolean {
  // A closing quote or a second stop after it: no short form.
  if (end > at + 1) return false;
  if (LOWER.test(text.slice(end + 1, end + 3))) return true;
  const before = lastWord(text, start, at);
  if (before === "" || before.length > MAX_LENGTH) return false;
  // "J. Smith" and "U.S. Navy", but "plan B." rarely goes on; "am 3. Oktober", but not "in 1985. Then".
  if (/^(?:\p{L}|\p{L}\.\p{L}|\d{1,2})$/u.test(before)) return true;
  return KNOWN.has(before.toLowerCase());
}

function lastWord(text: string, start: number, at: number): string {
  const from = Math.max(start, at - MAX_LENGTH - 1);
  const space = text.slice(from, at).search(/[^\s("'„“[]*$/u);
  return text.slice(from + space, at);
}
