import {
  CLAUSE,
  CLOSE,
  NEWLINE,
  PLAIN,
  POINT,
  SPACE,
  SPACED,
  STOP,
  UNSTOPPED,
  boundaryOf,
  scriptOf,
} from "./character-table.ts";
import { goesOn } from "./goes-on.ts";
import { canCut, safeCut } from "./safe-cut.ts";

/** A shorter line stands for itself (a heading, a list item, a verse) unless the next goes on in lower case. */
const SHORT_LINE = 48;
const SHORT_UNSPACED_LINE = 16;
const LOWER = /^\p{Ll}/u;
/** Where a script knows no full stop, a space after so many characters ends the unit. */
const UNSTOPPED_CHARS = 80;
const FULL_STOP = 0x2e;
const LIST_MARK = /^(?:[-*+•‣◦#>|]|\d{1,3}[.)]\s)/u;

/** Where a unit ends. */
interface UnitEnd {
  readonly at: number;
  /** Whether a sentence ends here by its punctuation. */
  readonly isSentence: boolean;
  /** Whether the sentence goes on in the next unit. */
  readonly isPiece: boolean;
}

/** Where the unit that begins at `start` ends: white space before it is still to be trimmed. */
export function findUnitEnd(text: string, start: number, to: number, maxChars: number): UnitEnd {
  let line = start;
  let hasUnstopped = false;
  const limit = Math.min(to, start + maxChars);
  for (let at = start; at < limit; at++) {
    const kind = boundaryOf(text.charCodeAt(at));
    if (kind === PLAIN || kind === CLAUSE || kind === CLOSE) continue;
    if (kind === UNSTOPPED) hasUnstopped = true;
    else if (kind === NEWLINE) {
      if (endsLine(text, line, at)) return { at, isSentence: false, isPiece: false };
      line = at + 1;
    } else if (kind === SPACE) {
      if (hasUnstopped && at - start >= UNSTOPPED_CHARS) return { at, isSentence: true, isPiece: false };
    } else {
      const end = passClosers(text, at + 1, limit);
      if (endsSentence(text, start, at, end, to)) return { at: end, isSentence: true, isPiece: false };
      at = end - 1;
    }
  }
  if (limit === to) return { at: to, isSentence: false, isPiece: false };
  return { at: findPieceEnd(text, start, limit), isSentence: false, isPiece: true };
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

/** Whether a sentence that began at `start` ends with the stop at `at`, whose last closer stands before `end`. */
function endsSentence(text: string, start: number, at: number, end: number, to: number): boolean {
  if (end === to) return true;
  if (boundaryOf(text.charCodeAt(at)) === STOP) return canCut(text, end);
  const after = boundaryOf(text.charCodeAt(end));
  if (after !== SPACE && after !== NEWLINE) return false;
  // Where sentences end without a stop, a stop shortens a word.
  if (text.charCodeAt(at) === FULL_STOP && boundaryOf(text.charCodeAt(at - 1)) === UNSTOPPED) return false;
  return !goesOn(text, start, at, end);
}

function endsLine(text: string, line: number, at: number): boolean {
  if (text.charCodeAt(at + 1) === 0x0a) return true;
  const next = text.slice(at + 1, at + 6);
  if (LIST_MARK.test(next)) return true;
  const isUnspaced = scriptOf(text.charCodeAt(at - 1)) !== SPACED;
  return at - line < (isUnspaced ? SHORT_UNSPACED_LINE : SHORT_LINE) && !LOWER.test(next);
}

/**
 * Where to cut a sentence longer than a passage: near half of what is allowed, so that passages of two pieces can
 * begin at each, after a clause if there is one, else at a space, else between characters.
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
