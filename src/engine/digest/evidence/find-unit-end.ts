import {
  CLAUSE,
  CLOSE,
  NEWLINE,
  PLAIN,
  POINT,
  SPACE,
  STOP,
  UNSTOPPED,
  boundaryOf,
} from "./character-table.ts";
import { BEGINS, JOINS, type LineEnds, PARTS } from "./line-ends.ts";

const ATTACHED = /^(?:\p{M}|\p{EMod}|\u200c|\u200d)/u;
const ZERO_WIDTH_JOINER = 0x200d;
/** The most that a cut moves back: a longer cluster is not a real word. */
const MAX_STEPS = 64;

/**
 * The last position at or before `at`, and after `floor`, where a text can be cut; if none is near, a
 * position that at least does not split a surrogate pair.
 */
export function safeCut(text: string, at: number, floor: number): number {
  for (let cut = at; cut > floor && cut > at - MAX_STEPS; cut--) if (canCut(text, cut)) return cut;
  if (!isInsidePair(text, at)) return at;
  return at - 1 > floor ? at - 1 : at + 1;
}

/** Whether a text can be cut at a position: not inside a surrogate pair, not before a mark, not in a joined emoji. */
export function canCut(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  // No mark comes before U+0300, and `NaN` means the end of the text.
  if (!(next >= 0x0300)) return true;
  if (isInsidePair(text, at) || text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return false;
  return !ATTACHED.test(next >= 0xd800 && next <= 0xdfff ? text.slice(at, at + 2) : text.charAt(at));
}

function isInsidePair(text: string, at: number): boolean {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff;
}

// Titles and abbreviations of European languages that end with a full stop and are followed by a capital. A
// missing one costs a passage that begins a few words late; a wrong one joins two sentences.
const BEFORE_NAMES = new Set(
  (
    "dr mr mrs ms prof st sr jr vs cf al eg ie approx dept ed eds rev gen col capt sgt lt hon inc ltd co corp bros " +
    "jan feb apr jun jul aug sept sep oct nov dec ave blvd mt bzw ggf evtl inkl vgl hrsg mio mrd tel str " +
    "mme mlle av sra srta ing dott sig avv"
  ).split(" "),
);
/** Abbreviations of counted things: ordinary words unless a number follows. */
const BEFORE_NUMBERS = new Set("no nos nr fig figs vol pp p s art abs bd ch sec ca núm pág env".split(" "));
/** A sentence begins with lower case only in texts without capitals. */
const LOWER = /^\p{Ll}/u;
/** No sentence begins with these; mostly a spaced ellipsis. */
const LEADING_STOP = /^[.,;]/u;
const NUMBER = /^\p{N}/u;
/** "J. Smith", "U.S. Navy"; "am 3. Oktober", but not "in 1985. Then". */
const INITIAL_OR_ORDINAL = /^(?:(?:\p{L}\.)*\p{L}|\d{1,2})$/u;
const FULL_STOP = 0x2e;
const ELLIPSIS = 0x2026;
/** Longer words are not abbreviations. */
const MAX_LENGTH = 8;
/** Before lower case, an unknown word up to this length may be an abbreviation. */
const MAX_UNKNOWN_LENGTH = 5;

/**
 * Whether a sentence that began at `start` continues after the stop at `at`: the stop belongs to an
 * abbreviation, an initial or an ordinal, or it closes only a quotation. White space follows at `end`, after
 * closing quotes and brackets.
 */
function goesOn(text: string, start: number, at: number, end: number): boolean {
  const next = text.slice(end + 1, end + 3);
  if (LEADING_STOP.test(next)) return true;
  const isLower = LOWER.test(next);
  const stop = text.charCodeAt(at);
  if (end > at + 1 || stop === ELLIPSIS) return isLower;
  return stop === FULL_STOP && isShortForm(lastWord(text, start, at), next, isLower);
}

function isShortForm(word: string, next: string, isLower: boolean): boolean {
  // A stop without a word ends a spaced ellipsis.
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

/** In a script without full stops, a space after this many characters ends the unit. */
const UNSTOPPED_CHARS = 80;

/** Where a unit ends. */
interface UnitEnd {
  readonly at: number;
  /** What ends here: a sentence by its punctuation, a line or paragraph without punctuation, or nothing complete. */
  readonly ends: "sentence" | "line" | "nothing";
  /** What begins with the next unit. */
  readonly begins: "sentence" | "line" | "nothing";
}

/** Where the unit that begins at `start` ends; white space before the end is not trimmed yet. */
export function findUnitEnd(
  text: string,
  start: number,
  to: number,
  maxChars: number,
  lines: LineEnds,
): UnitEnd {
  let hasUnstopped = false;
  const limit = Math.min(to, start + maxChars);
  for (let at = start; at < limit; at++) {
    const kind = boundaryOf(text.charCodeAt(at));
    if (kind === PLAIN || kind === CLAUSE || kind === CLOSE) continue;
    if (kind === UNSTOPPED) hasUnstopped = true;
    else if (kind === NEWLINE) {
      const end = lineEnd(text, at, lines);
      if (end !== undefined) return end;
    } else if (kind === SPACE) {
      if (hasUnstopped && at - start >= UNSTOPPED_CHARS) return { at, ends: "sentence", begins: "sentence" };
    } else {
      const end = passClosers(text, at + 1, limit);
      if (endsSentence(text, start, at, end, to)) return { at: end, ends: "sentence", begins: "sentence" };
      at = end - 1;
    }
  }
  if (limit === to) return { at: to, ends: "line", begins: "sentence" };
  return { at: findPieceEnd(text, start, limit), ends: "nothing", begins: "nothing" };
}

/** How a unit ends at the line break at `at`; undefined if it continues in the next line. */
function lineEnd(text: string, at: number, lines: LineEnds): UnitEnd | undefined {
  if (text.charCodeAt(at + 1) === 0x0a) return { at, ends: "line", begins: "sentence" };
  const meaning = lines.meaning(at);
  if (meaning === JOINS) return undefined;
  if (meaning === BEGINS) return { at, ends: "line", begins: "sentence" };
  return meaning === PARTS
    ? { at, ends: "line", begins: "line" }
    : { at, ends: "nothing", begins: "nothing" };
}

/** Further stops, closing quotes and brackets belong to the sentence that a stop ends. */
function passClosers(text: string, from: number, limit: number): number {
  let at = from;
  for (; at < limit; at++) {
    const kind = boundaryOf(text.charCodeAt(at));
    if (kind !== POINT && kind !== STOP && kind !== CLOSE) break;
  }
  return at;
}

/** Whether a sentence that began at `start` ends with the stop at `at`, whose last closer is before `end`. */
function endsSentence(text: string, start: number, at: number, end: number, to: number): boolean {
  if (end === to) return true;
  if (boundaryOf(text.charCodeAt(at)) === STOP) return canCut(text, end);
  const after = boundaryOf(text.charCodeAt(end));
  if (after !== SPACE && after !== NEWLINE) return false;
  // In scripts where sentences end without a stop, a stop abbreviates a word.
  if (text.charCodeAt(at) === FULL_STOP && boundaryOf(text.charCodeAt(at - 1)) === UNSTOPPED) return false;
  return !goesOn(text, start, at, end);
}

/**
 * Where to cut a sentence that is longer than a passage: near half of the limit, so that passages of two
 * pieces can begin at each; after a clause if there is one, else at a space, else between characters.
 */
function findPieceEnd(text: string, start: number, limit: number): number {
  const middle = start + Math.ceil((limit - start) / 2);
  const floor = start + Math.ceil((limit - start) / 8);
  let space = 0;
  for (let at = middle; at > floor; at--) {
    const kind = boundaryOf(text.charCodeAt(at));
    if (kind !== SPACE && kind !== NEWLINE) {
      // In scripts without spaces a comma is enough.
      if (kind === CLAUSE && text.charCodeAt(at) >= 0x0e00 && canCut(text, at + 1)) return at + 1;
      continue;
    }
    if (boundaryOf(text.charCodeAt(at - 1)) === CLAUSE) return at;
    space ||= at;
  }
  return space > 0 ? space : safeCut(text, middle, start);
}
