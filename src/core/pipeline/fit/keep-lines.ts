// What is kept of a text whose form is not known: its first lines, the passages that match the words of the call, and
// its last lines.

import { countLines } from "../../text/code-points.ts";
import type { Passage } from "../../text/passages.ts";
import { type WeighPart, goodEnd, longestBeginning, longestEnd } from "./cut-text.ts";
import { type KeptLines, type MarkTools, joined, weighMark, withMarks } from "./mark-gaps.ts";

/** The last lines may take this share of the room, and passages that match this share of what is left. */
const TAIL_SHARE = 0.25;
const PASSAGES_SHARE = 0.6;
/** With passages, at least this share of the room is for the first lines, so a passage there is not counted twice. */
const HEAD_SHARE = 0.2;
/** If the room is smaller than this many marks, the first lines alone say more. */
export const LEAST_MARKS = 5;
/** Every gap costs a mark and a name among the omissions. */
const MAX_PASSAGES = 12;

export interface LineTools extends MarkTools {
  readonly weigh: WeighPart;
  /** The passages that match the words of the call, best first. */
  readonly ranked: () => readonly Passage[];
}

/** Undefined if there is no room for both ends: then only the beginning of the text is kept. */
export function keepLines(text: string, room: number, tools: LineTools): KeptLines | undefined {
  const { weigh } = tools;
  const mark = weighMark(room, tools);
  if (room < mark * LEAST_MARKS) return undefined;
  const tail = lastLines(text, room * TAIL_SHARE - mark, tools);
  const left = room - weigh(text.slice(tail.start), room) - mark;
  const chosen = choosePassages(text, tools.ranked(), { room: left, mark, before: tail.start }, weigh);
  const head = firstLines(text, left - chosen.weight, weigh);
  if (head.end === 0 || head.end >= tail.start) return undefined;
  return withMarks(text, joined([head, ...chosen.passages, tail]), tools);
}

function firstLines(text: string, room: number, weigh: WeighPart): Passage {
  return { start: 0, end: goodEnd(text, longestBeginning(text, room, weigh)), line: 1 };
}

/** How much of the end may be given up to begin with a line, and how much to begin with a word. */
const MAX_LOST_SHARE = 0.5;
const MAX_LOST_WORD = 40;

/** Begins with a line, else with a word, and ends where the text ends. */
function lastLines(text: string, room: number, { weigh, lengths }: LineTools): Passage {
  const from = longestEnd(text, room, weigh);
  const line = text.indexOf("\n", from - 1) + 1;
  const isLine = line > 0 && line - from <= (text.length - from) * MAX_LOST_SHARE;
  const word = text.slice(from, from + MAX_LOST_WORD).search(/[\s>]/);
  const start = from === 0 ? 0 : isLine ? line : from + word + 1;
  return { start, end: text.length, line: lengths.lines - countLines(text.slice(start)) + 1 };
}

interface Chosen {
  readonly passages: readonly Passage[];
  readonly weight: number;
}

/** The best passages that have room, between the first and the last lines. */
function choosePassages(
  text: string,
  ranked: readonly Passage[],
  { room, mark, before }: { readonly room: number; readonly mark: number; readonly before: number },
  weigh: WeighPart,
): Chosen {
  if (ranked.length === 0) return { passages: [], weight: 0 };
  const { end: after } = firstLines(text, room * HEAD_SHARE, weigh);
  const passages: Passage[] = [];
  let left = room * PASSAGES_SHARE;
  for (const passage of ranked) {
    if (passages.length === MAX_PASSAGES || left <= mark) break;
    if (passage.end <= after || passage.end > before) continue;
    const weight = weigh(text.slice(passage.start, passage.end), left) + mark;
    if (weight > left) continue;
    passages.push(passage);
    left -= weight;
  }
  return { passages, weight: room * PASSAGES_SHARE - left };
}
