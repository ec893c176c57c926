import { CLAUSE, CLOSE, POINT, SPACED, STOP, boundaryOf, scriptOf } from "./character-table.ts";

// The meaning of a line break inside a paragraph. A break because the line was full means nothing: the
// sentence continues, whatever the next line begins with. A break whose meaning is unclear separates two
// units, but neither counts as a whole sentence: half a sentence can say the opposite of the whole.

/** The text continues in the next line. */
export const JOINS = 0;
/** The next line begins something new: an item of a list. */
export const BEGINS = 1;
/** The two lines are separate, as in a list of names. */
export const PARTS = 2;
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
    const end = lineEnd(text, line, to);
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
    const end = lineEnd(text, line, block.to);
    line = end + 1;
    if (line >= block.to) break;
    if (!isFilled(text, end, block) && !GOES_ON.test(text.slice(line, line + 2))) meant++;
    else wrapped++;
  }
  return meant >= MIN_LINES && meant > wrapped;
}

function lineEnd(text: string, line: number, to: number): number {
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
