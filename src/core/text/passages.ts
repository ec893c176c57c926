// The passages of a text: parts that say one thing, which a search ranks and shows word for word.

import { rankByQuery } from "./bm25.ts";

/** A passage is some lines that belong together: it ends at an empty line, or when it is this long. */
const PASSAGE_LENGTH = 300;
const PASSAGE_LINES = 3;
/** A longer line is several passages. */
const LONG_LINE = 1_000;

/** A part of a text: from and to in UTF-16 units, and the number of the line that it begins in, counted from 1. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** The passages of a text that match, those with all words first, then best first; at most this many. */
export function rankPassages(
  text: string,
  query: string,
  limit: number,
  mostLines = PASSAGE_LINES,
): readonly Passage[] {
  const passages: Passage[] = [];
  function* each(): Generator<string> {
    for (const passage of passagesOf(text, mostLines)) {
      passages.push(passage);
      yield text.slice(passage.start, passage.end);
    }
  }
  const ranked = rankByQuery(each(), query, { limit, allWordsFirst: true });
  return ranked.flatMap(({ index }) => passages[index] ?? []);
}

/** All of a text in passages, one after the other. */
export function* passagesOf(text: string, mostLines = PASSAGE_LINES): Generator<Passage> {
  let [start, line, lines] = [0, 1, 0];
  for (let at = 0; at < text.length;) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found + 1;
    if (end - at > LONG_LINE) {
      if (at > start) yield { start, end: at, line };
      line += lines;
      yield* piecesOf(text, at, end, line);
      [start, line, lines] = [end, line + 1, 0];
    } else {
      lines++;
      const isEmpty = end - at < 3 && text.slice(at, end).trim() === "";
      if (isEmpty || lines >= mostLines || end - start >= PASSAGE_LENGTH || end === text.length) {
        yield { start, end, line };
        [start, line, lines] = [end, line + lines, 0];
      }
    }
    at = end;
  }
}

/** A long line in pieces, which end with a sentence, a tag or a word. */
function* piecesOf(text: string, from: number, to: number, line: number): Generator<Passage> {
  for (let start = from; start < to;) {
    const window = text.slice(start, Math.min(to, start + PASSAGE_LENGTH));
    const isLast = start + window.length === to;
    const length = isLast ? window.length : endOfPiece(window);
    yield { start, end: start + length, line };
    start += length;
  }
}

/** After the last sentence or tag of the second half, else after the last word, never inside a surrogate pair. */
function endOfPiece(window: string): number {
  const half = Math.floor(window.length / 2);
  const tail = window.slice(half);
  for (const ends of [/[.!?;>](?=[\s<"'])|[。！？]/gu, /[\s,>]/gu]) {
    const last = [...tail.matchAll(ends)].at(-1);
    if (last !== undefined) return half + last.index + last[0].length;
  }
  const lastUnit = window.charCodeAt(window.length - 1);
  return lastUnit >= 0xd800 && lastUnit <= 0xdbff ? window.length - 1 : window.length;
}
