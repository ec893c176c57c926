import {
  CLAUSE,
  CLOSE,
  NEWLINE,
  PLAIN,
  POINT,
  SPACE_CLASS,
  STOP,
  UNSTOPPED,
  boundaryOf,
  SPACED,
  scriptOf,
} from "./word-reader.ts";
import { FULL_STOP, goesOn } from "./goes-on.ts";

const ATTACHED = /^(?:\p{M}|\p{EMod}|\u200c|\u200d)/u;
const ZERO_WIDTH_JOINER = 0x200d;
/** The most that a cut moves back: a longer cluster is not a real word. */
const MAX_STEPS = 64;

/**
 * The last position at or before `at`, and after `floor`, where a text can be cut; if none is near, a
 * position that at least does not split a surrogate pair.
 */
export function safeCut(text: string, at: number, floor: number): number {
  for (let cut = at; cut > floor && cut > at - MAX_STEPS; cut--) if (canCutTextAt(text, cut)) return cut;
  if (!isInsidePair(text, at)) return at;
  return at - 1 > floor ? at - 1 : at + 1;
}

/** Whether a text can be cut at a position: not inside a surrogate pair, not before a mark, not in a joined emoji. */
export function canCutTextAt(text: string, at: number): boolean {
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
    } else if (kind === SPACE_CLASS) {
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
  if (boundaryOf(text.charCodeAt(at)) === STOP) return canCutTextAt(text, end);
  const after = boundaryOf(text.charCodeAt(end));
  if (after !== SPACE_CLASS && after !== NEWLINE) return false;
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
    if (kind !== SPACE_CLASS && kind !== NEWLINE) {
      // In scripts without spaces a comma is enough.
      if (kind === CLAUSE && text.charCodeAt(at) >= 0x0e00 && canCutTextAt(text, at + 1)) return at + 1;
      continue;
    }
    if (boundaryOf(text.charCodeAt(at - 1)) === CLAUSE) return at;
    space ||= at;
  }
  return space > 0 ? space : safeCut(text, middle, start);
}

// The meaning of a line break inside a paragraph. A break because the line was full means nothing: the
// sentence continues, whatever the next line begins with. A break whose meaning is unclear separates two
// units, but neither counts as a whole sentence: half a sentence can say the opposite of the whole.

/** The text continues in the next line. */
const JOINS = 0;
/** The next line begins something new: an item of a list. */
const BEGINS = 1;
/** The two lines are separate, as in a list of names. */
const PARTS = 2;
/** The meaning is unclear. */
const DOUBTFUL = 3;

/** A line that begins with lower case or a comma continues the line before. */
const GOES_ON = /^(?:\p{Ll}|[,;.)\]])/u;
const LIST_MARK = /^(?:[-*+•‣◦▪–](?=\s)|#{1,6}\s|[>|]|\d{1,3}\.\s|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})\)\s)/u;
const LONGEST_MARK = 8;
/** Shorter lines are never wrapped; counted in characters, of which those of East Asia are twice as wide. */
const MIN_WIDTH = 24;
const MIN_UNSPACED_WIDTH = 12;
/**
 * What indents and justified lines lose when runs of spaces become one space: a share of the width, plus a
 * constant.
 */
const SLACK_SHARE = 0.06;
const SLACK = 3;
/** At least this many deliberate breaks, and no sentence, make a list of lines. */
const MIN_LINES = 3;

/** Whether an item of a list, a quoted line or a row begins at this position. */
export function isItem(text: string, at: number): boolean {
  return LIST_MARK.test(text.slice(at, at + LONGEST_MARK));
}

/** The lines between two blank lines. */
interface Block {
  readonly from: number;
  readonly to: number;
  /** The width of the longest line. */
  readonly width: number;
  readonly marks: number;
  /** Whether its lines are separate. */
  readonly isList: boolean;
}

const nowhere: Block = { from: -1, to: -1, width: 0, marks: 0, isList: false };

/** Finds the meaning of line breaks; breaks are asked for in the order of the text, and each block is read once. */
export class LineEnds {
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  #block = nowhere;

  constructor(text: string, from: number, to: number) {
    this.#text = text;
    this.#from = from;
    this.#to = to;
  }

  /** The meaning of the break at `at` for a sentence that has no stop before it; the next character is not a break. */
  meaning(at: number): number {
    const text = this.#text;
    const block = this.#blockAt(at);
    const isFull = isFilled(text, at, block);
    if (isItem(text, at + 1)) {
      const isOneOfMany = block.marks > 1 || !isFull || text.charCodeAt(at - 1) === 0x3a;
      return isOneOfMany ? BEGINS : JOINS;
    }
    if (GOES_ON.test(text.slice(at + 1, at + 3)) || leadsOn(text, at)) return JOINS;
    if (block.isList) return PARTS;
    return isFull ? JOINS : DOUBTFUL;
  }

  #blockAt(at: number): Block {
    if (at < this.#block.to && at >= this.#block.from) return this.#block;
    // Only inside the segment: searching the whole text for each of many segments would take quadratic time.
    const segment = this.#text.slice(this.#from, this.#to);
    const before = segment.lastIndexOf("\n\n", at - this.#from - 1);
    const after = segment.indexOf("\n\n", at - this.#from);
    const from = before < 0 ? this.#from : this.#from + before + 2;
    const to = after < 0 ? this.#to : this.#from + after;
    return (this.#block = survey(this.#text, from, to));
  }
}

function survey(text: string, from: number, to: number): Block {
  let width = 0;
  let marks = 0;
  let hasSentence = false;
  for (let line = from; line < to;) {
    const end = endOfLine(text, line, to);
    width = Math.max(width, end - line);
    if (isItem(text, line)) marks++;
    hasSentence ||= endsInStop(text, line, end);
    line = end + 1;
  }
  const block = { from, to, width, marks, isList: false };
  return { ...block, isList: !hasSentence && isList(text, block) };
}

/** Whether most lines end although there was room for more. */
function isList(text: string, block: Block): boolean {
  let meant = 0;
  let wrapped = 0;
  for (let line = block.from; line < block.to;) {
    const end = endOfLine(text, line, block.to);
    line = end + 1;
    if (line >= block.to) break;
    if (!isFilled(text, end, block) && !GOES_ON.test(text.slice(line, line + 2))) meant++;
    else wrapped++;
  }
  return meant >= MIN_LINES && meant > wrapped;
}

function endOfLine(text: string, line: number, to: number): number {
  const found = text.indexOf("\n", line);
  return found < 0 || found > to ? to : found;
}

/** Whether the first word of the next line had no room on the line that ends at `at`. */
function isFilled(text: string, at: number, { from, to, width }: Block): boolean {
  const isUnspaced = scriptOf(text.charCodeAt(at - 1)) !== SPACED;
  if (width < (isUnspaced ? MIN_UNSPACED_WIDTH : MIN_WIDTH)) return false;
  const line = Math.max(from, text.lastIndexOf("\n", at - 1) + 1);
  const first = firstWordLength(text, at + 1, to);
  return at - line + 1 + first > width - Math.round(width * SLACK_SHARE) - SLACK;
}

/** In scripts without spaces a line can end after any character. */
function firstWordLength(text: string, from: number, to: number): number {
  if (scriptOf(text.charCodeAt(from)) !== SPACED) return 1;
  let at = from;
  while (at < to && text.charCodeAt(at) !== 0x20 && text.charCodeAt(at) !== 0x0a) at++;
  return at - from;
}

/** Whether a line ends with a comma, a dash or a hyphen; a colon may lead to a list. */
function leadsOn(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  return last !== 0x3a && (last === 0x2d || boundaryOf(last) === CLAUSE);
}

function endsInStop(text: string, line: number, end: number): boolean {
  let at = end - 1;
  while (at > line && boundaryOf(text.charCodeAt(at)) === CLOSE) at--;
  const kind = at >= line ? boundaryOf(text.charCodeAt(at)) : CLOSE;
  return kind === POINT || kind === STOP;
}
