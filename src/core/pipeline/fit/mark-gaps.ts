// A text of which several parts were kept: word for word, in their order, with a mark that names the lines of every gap
// between; of a gap within a line, its characters. A code block that a gap cuts ends before the mark and begins again
// after it.

import { countCodePoints, countLineEnds } from "../../text/code-points.ts";
import { type CodeBlock, blockAt } from "../../text/fences.ts";
import type { Passage } from "../../text/passages.ts";
import type { WeighPart } from "./cut-text.ts";
import type { OmittedText } from "./omission.ts";

interface KnownLengths {
  readonly codePoints: number;
  readonly lines: number;
}

export interface MarkTools {
  readonly lengths: KnownLengths;
  readonly blocks: readonly CodeBlock[];
  /** A block of which many lines are missing, such as a tree, is not closed for each of them. */
  readonly marksInBlocks?: boolean;
}

/** A text with its gaps marked, and what the gaps are. */
export interface KeptLines extends Pick<OmittedText, "runs" | "lines"> {
  readonly value: string;
  /** The gaps themselves. */
  readonly rest: readonly string[];
}

/** What a mark may need besides itself. */
const FENCES = "```\n```typescript\n";

/** What a mark weighs at most, with the longest note of all. */
export function weighMark(
  room: number,
  { weigh, lengths, blocks, marksInBlocks = false }: MarkTools & { readonly weigh: WeighPart },
  note = "",
): number {
  const fences = blocks.length === 0 || marksInBlocks ? "" : FENCES;
  return weigh(lineMark([lengths.lines, lengths.lines], note) + fences, room);
}

/** In their order; those that touch, or almost do, become one. */
export function joined(parts: readonly Passage[]): readonly Passage[] {
  const all: Passage[] = [];
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    // A gap that is shorter than its mark is filled.
    const touches = last !== undefined && part.start - last.end <= lineMark([last.line, part.line]).length;
    if (last !== undefined && touches) all[all.length - 1] = { ...last, end: Math.max(last.end, part.end) };
    else if (part.end > part.start) all.push(part);
  }
  return all;
}

function lineMark([first, last]: readonly [number, number], note = ""): string {
  return `[… ${first === last ? `line ${first}` : `lines ${first}-${last}`}${note}]\n`;
}

function charMark([from, to]: readonly [number, number]): string {
  return `[… characters ${from + 1}-${to}]\n`;
}

const MAX_INFO_LENGTH = 20;

/** A mark, outside of code blocks. */
function between(mark: string, before: CodeBlock | undefined, after: CodeBlock | undefined): string {
  const end = before === undefined ? "" : `${before.fence}\n`;
  const again = after === undefined ? "" : `${after.fence}${after.info.slice(0, MAX_INFO_LENGTH)}\n`;
  return `${end}${mark}${again}`;
}

/** What a mark says of a gap besides its lines, which are counted from 1: nothing, or words after a colon. */
export type NoteGap = (first: number, last: number) => string;

export function withMarks(
  text: string,
  parts: readonly Passage[],
  { lengths, blocks, marksInBlocks = false }: MarkTools,
  noteOf: NoteGap = () => "",
): KeptLines {
  const { codePoints, lines } = lengths;
  const texts: string[] = [];
  const rest: string[] = [];
  const runs: (readonly [number, number])[] = [];
  const lineRuns: (readonly [number, number])[] = [];
  // Without surrogate pairs a place in the text is its number of code points.
  const count = (part: string): number => (codePoints === text.length ? part.length : countCodePoints(part));
  let [at, counted, line] = [0, 0, 1];
  for (const part of [...parts, { start: text.length, end: text.length, line: lines + 1 }]) {
    if (part.start > at) {
      const gap = text.slice(at, part.start);
      const run = [counted, (counted += count(gap))] as const;
      const isOfLines = startsLine(text, at) && (startsLine(text, part.start) || part.start === text.length);
      if (isOfLines) lineRuns.push([line, part.line - 1]);
      // The line in words behind the text says that its end is missing.
      if (part.start < text.length) {
        const lastLine = part.line - 1;
        const mark = isOfLines ? lineMark([line, lastLine], noteOf(line, lastLine)) : charMark(run);
        const [before, after] = [blockAt(blocks, at), blockAt(blocks, part.start)];
        const framed = marksInBlocks && before === after ? mark : between(mark, before, after);
        // A gap within a line is marked on a line of its own.
        texts.push(isOfLines ? framed : `\n${framed}`);
      }
      rest.push(gap);
      runs.push(run);
    }
    const kept = text.slice(part.start, part.end);
    texts.push(kept);
    [at, counted, line] = [part.end, counted + count(kept), part.line + countLineEnds(kept)];
  }
  const isAllLines = lineRuns.length === runs.length;
  return {
    value: texts.join(""),
    runs,
    rest,
    lines: isAllLines ? { runs: lineRuns, total: lines } : undefined,
  };
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n";
}
