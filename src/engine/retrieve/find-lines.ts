// Answers `lines`, `tail`, `around` and `grep`: lines of an archived text with their exact numbers. A line that is too long
// comes in part, with the pointer that gives all of it.

import { countCodePoints } from "../../core/text/code-points.ts";
import { refuseCursor } from "./cursor/cursor-options.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { findText } from "./question/find-text.ts";
import { searchLines } from "./question/search-lines.ts";
import type { FoundLine, FoundLines, LineRange, TextSearch } from "./question/question.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import { type AskContext, questionedEntry, questionsOff } from "./ask-archive.ts";
import type { ItemList } from "./item-list.ts";
import { readGrep, readRange } from "./line-arguments.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";
import { type RetrieveAnswer, answerPage, pageKey, pageSize } from "./answer-page.ts";
import { type ItemForm, readPagePlace } from "./page-items.ts";
import { assertText, readEntry } from "./read-entry.ts";

/** The most that is taken from a text for one page: more than any budget has room for. */
const PAGE_UNITS = 256 * 1024;

export async function findLines(
  request: RetrieveRequest,
  context: AskContext,
  entry: ArchiveEntry,
): Promise<RetrieveAnswer> {
  const { pointer, lines, tail, around, grep } = request;
  assertText(entry, grep === undefined ? "lines" : "grep");
  const asked: JsonObject = {
    ...(pointer === undefined ? {} : { pointer }),
    ...(lines === undefined ? {} : { lines }),
    ...(tail === undefined ? {} : { tail }),
    ...(around === undefined ? {} : { around: [around.line, around.n ?? null] }),
    ...(grep === undefined ? {} : { grep: { ...readGrep(grep) } }),
  };
  const key = pageKey(entry, asked, context);
  const start = await readPagePlace(request.cursor, Number.POSITIVE_INFINITY, key);
  const pattern = readGrep(grep);
  const range = readRange(request);
  const found = await search(context, entry, {
    pointer,
    range,
    pattern: pattern?.pattern,
    context: pattern?.context ?? 0,
    skip: start.item,
    maxUnits: PAGE_UNITS,
  });
  const slashes = noteSlashes(pattern?.pattern ?? "");
  if (start.item > 0 && start.item >= found.found) throw refuseCursor("malformed");
  const { data, pagination } = await answerPage(
    {
      list: listFrom(found, start.item),
      entry: { memo: new Map() },
      form: linesOf(found, (pattern?.context ?? 0) > 0),
      start,
      maxItems: pageSize(request.limit),
      atHand: found.lines.length,
      frame: ({ items }): JsonObject => ({
        ...(found.pointer === "" ? {} : { pointer: found.pointer }),
        lines: items,
        total_lines: found.totalLines,
        matched: found.matched,
        ...noteOf(found, slashes, range),
      }),
    },
    key,
    context,
  );
  return { data, pagination };
}

/** Why there are no lines, if that can be said. */
function noteOf({ matched, totalLines }: FoundLines, slashes?: string, range?: LineRange): JsonObject {
  if (matched > 0) return {};
  if (slashes !== undefined) return { note: slashes };
  const first = range !== undefined && "spans" in range ? range.spans[0]?.from : undefined;
  if (totalLines === 0 || first === undefined || first <= totalLines) return {};
  return { note: `The text ends at line ${totalLines}` };
}

const MAX_SHOWN = 100;

/** Other languages write a pattern between slashes; here the slashes are part of the pattern. */
function noteSlashes(pattern: string): string | undefined {
  const [, inner, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (inner === undefined) return undefined;
  const meant = `${flags.includes("i") ? "(?i)" : ""}${inner}`;
  const shown = meant.length > MAX_SHOWN ? "" : `: ${meant}`;
  return `Nothing matches. A pattern is written without slashes around it${shown}`;
}

/** Only the lines from the start of the page on are loaded; an item's name is its index among them. */
function listFrom({ found, lines }: FoundLines, skipped: number): ItemList {
  return {
    count: found,
    at: (index) => ({ pointer: String(index - skipped), value: lines[index - skipped]?.text ?? "" }),
  };
}

function linesOf({ pointer, lines }: FoundLines, hasContext: boolean): ItemForm {
  const lineAt = (place: string): FoundLine =>
    lines[Number(place)] ?? { line: 0, text: "", isMatch: false, at: 0 };
  const write = ({ line, text, isMatch, at, piece }: FoundLine): JsonObject => ({
    line,
    text,
    // Without context lines, every line is a match.
    ...(isMatch && hasContext ? { match: true } : {}),
    ...(piece === undefined
      ? {}
      : {
          from: piece.from,
          to: piece.from + countCodePoints(text),
          of: piece.of,
          is_slice: true,
          pointer: `${pointer}#char=${at}-${at + piece.of}`,
        }),
  });
  return {
    whole: (item) => write(lineAt(item.pointer)),
    text: (item) => JSON.stringify(write(lineAt(item.pointer))),
    piece: (item, { text, from }) => {
      const found = lineAt(item.pointer);
      const { piece = { from: 0, of: countCodePoints(found.text) } } = found;
      return write({
        ...found,
        text: typeof text === "string" ? text : "",
        piece: { from: piece.from + Number(from), of: piece.of },
      });
    },
    hasOnePiece: true,
  };
}

/** A text up to this length is searched for lines here; starting a worker would take longer. */
const SHORT_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;

/** Strings in JSON contain no raw line feeds, so a line feed separates the parts of the JSON: those lines are meant. */
function hasLines(bytes: Uint8Array): boolean {
  return bytes.includes(LINE_FEED);
}

/** An untrusted pattern runs only in a worker: even linear time may be long. */
async function search(context: AskContext, entry: ArchiveEntry, asked: TextSearch): Promise<FoundLines> {
  const isShort = asked.pattern === undefined && entry.bytes <= SHORT_BYTES;
  const questions = isShort ? undefined : await context.questions?.();
  if (questions !== undefined) {
    const source = await questionedEntry(context, entry);
    const isText = source.isText || (asked.pointer === undefined && hasLines(source.bytes));
    return questions.search({ ...source, isText }, asked, { signal: context.signal });
  }
  if (asked.pattern !== undefined) throw questionsOff("grep");
  const { value, ownText } = await readEntry(context, entry);
  const isOwn = asked.pointer === undefined && ownText?.includes("\n") === true;
  const { pointer, text } = findText(isOwn ? ownText : value, asked.pointer);
  return searchLines(text, pointer, asked, undefined);
}
