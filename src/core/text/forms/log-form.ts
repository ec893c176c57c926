// Logs: lines that begin with a time or a level, or are JSON with one. A line without belongs to the line above that has
// one. Lines that are equal apart from numbers, times and ids say the same.

import { DECORATION, ORDINARY, STRUCTURE, type TextForm, lineEnd } from "./text-form.ts";

/** How many lines, at equal distances, decide whether a text is a log. */
const SAMPLED_LINES = 300;
const SURE_SHARE = 0.6;

export function readLog(text: string, lineStarts: Int32Array): TextForm | undefined {
  if (!isLog(text, lineStarts)) return undefined;
  const count = lineStarts.length;
  const parents = new Int32Array(count).fill(-1);
  const levels = new Uint8Array(count);
  const sameAs = new Int32Array(count);
  const firsts = new Map<number, number>();
  let entry = -1;
  let warnings = 0;
  for (let line = 0; line < count; line++) {
    const start = lineStarts[line] ?? 0;
    const end = lineEnd(text, lineStarts, line);
    const head = text.slice(start, Math.min(end, start + HEAD_LENGTH));
    const isEntry = beginsEntry(head);
    if (isEntry) entry = line;
    else parents[line] = entry;
    const level =
      isEntry || entry < 0 ? levelOf(head) : levelWithin(head, levels[entry] ?? INFO, line - entry);
    levels[line] = level;
    if (level === WARNING) warnings++;
    sameAs[line] = head.trim() === "" ? line : firstLike(text, { start, end, level, line }, firsts);
  }
  const hasFewWarnings = warnings <= count * FEW_WARNINGS_SHARE;
  const rankOf = (level: number): number =>
    level === ERROR || (level === WARNING && hasFewWarnings)
      ? STRUCTURE
      : level === DETAIL
        ? DECORATION
        : ORDINARY;
  return { kind: "log", parents, ranks: levels.map(rankOf), sameAs };
}

/** Where every line is a warning, warnings are no structure. */
const FEW_WARNINGS_SHARE = 0.05;

function isLog(text: string, lineStarts: Int32Array): boolean {
  const step = Math.max(1, Math.floor(lineStarts.length / SAMPLED_LINES));
  let [told, entries] = [0, 0];
  for (let line = 0; line < lineStarts.length; line += step) {
    const start = lineStarts[line] ?? 0;
    const head = text.slice(start, Math.min(lineEnd(text, lineStarts, line), start + HEAD_LENGTH));
    if (head.trim() === "") continue;
    told++;
    if (beginsEntry(head)) entries++;
  }
  return entries > 1 && entries >= told * SURE_SHARE;
}

/** How much of a line is searched for a time and a level. */
const HEAD_LENGTH = 400;
/** A time in the middle of a sentence is not the time of its line. */
const TIME_WITHIN = 64;

const DAY = /(?<!\d)(?:19|20)\d\d[-/](?:0\d|1[0-2])[-/][0-3]\d(?!\d)/;
const TIME = /(?<![\d:])[0-2]?\d:[0-5]\d:[0-5]\d(?![\d:])/;
const UPTIME = /^\[ {0,8}\d{1,8}\.\d{3,9}\]/;
const LEVEL_FIRST =
  /^(?:\d{1,9} )?(?:npm |\[|<)?(?:trace|debug|verb(?:ose)?|silly|http|info|notice|warn(?:ing)?|err(?:or)?|fatal|crit(?:ical)?|[DIWEF](?=\/))(?:[\]>:!|/]| {1,8}(?![a-z]* (?:is|are|of|the|and|in)\b))/i;
const JSON_ENTRY = /^\{.{0,300}"(?:level|lvl|severity|time|ts|timestamp|@timestamp|msg)" ?:/;

/** Whether a line says when or how grave, as every entry of a log does. */
function beginsEntry(head: string): boolean {
  const first = head.slice(0, TIME_WITHIN);
  if (LEVEL_FIRST.test(first) || UPTIME.test(first) || JSON_ENTRY.test(head)) return true;
  const at = Math.min(placeOf(TIME, first), placeOf(DAY, first));
  return at < first.length && !WORDS.test(first.slice(0, at));
}

/** A sentence that names a day has words before it. */
const WORDS = /[a-z] [a-z]/;

function placeOf(pattern: RegExp, head: string): number {
  const at = head.search(pattern);
  return at < 0 ? head.length : at;
}

/** Levels of lines, as numbers that tell lines of different levels apart. */
const [INFO, DETAIL, WARNING, ERROR] = [0, 1, 2, 3];

const ERROR_WORDS =
  /\b(?:FATAL|ERROR|ERR|CRIT|CRITICAL|ALERT|EMERG|PANIC|SEVERE)\b|(?:^|[[<=" :])(?:error|fatal|crit|critical|panic|emerg)(?=[\]>" :!=]|$)|"level" ?: ?[56]0\b|"\s5\d\d(?= )|^(?:npm ERR!|E\/)/;
const WARNING_WORDS =
  /\b(?:WARN|WARNING)\b|(?:^|[[<=" :])(?:warn|warning)(?=[\]>" :!=]|$)|"level" ?: ?40\b|"\s4\d\d(?= )|^W\/|\b(?:failed|failure|refused|denied|timed out|timeout|unhandled|[Ee]xception|Traceback)\b|\d # /;
const DETAIL_WORDS =
  /\b(?:DEBUG|TRACE|VERBOSE)\b|(?:^|[[<=" :])(?:debug|trace|verb|verbose|silly)(?=[\]>" :!=]|$)|"level" ?: ?[12]0\b/;

function levelOf(head: string): number {
  if (ERROR_WORDS.test(head)) return ERROR;
  if (DETAIL_WORDS.test(head.slice(0, TIME_WITHIN * 2))) return DETAIL;
  return WARNING_WORDS.test(head) ? WARNING : INFO;
}

/** The line after an error often says what it was. */
function levelWithin(head: string, entry: number, distance: number): number {
  if (entry === ERROR && distance === 1) return ERROR;
  return entry === DETAIL || head.trim() === "" ? DETAIL : INFO;
}

interface LogLine {
  readonly start: number;
  readonly end: number;
  readonly level: number;
  readonly line: number;
}

/** The first line that is equal apart from words with digits; else the line itself. */
function firstLike(text: string, place: LogLine, firsts: Map<number, number>): number {
  const likeness = likenessOf(text, place);
  const first = firsts.get(likeness);
  if (first !== undefined) return first;
  firsts.set(likeness, place.line);
  return place.line;
}

const [PRIME, OTHER_PRIME] = [0x01000193, 0x85ebca6b];
const HIGH = 0x200000;

/**
 * A number that lines have alike if they are equal apart from words with digits, such as numbers, times, addresses and
 * ids, and of the same level. Two hashes in one number: 400,000 lines would have equal ones of 32 bits by chance.
 */
function likenessOf(text: string, { start, end, level }: LogLine): number {
  let [low, high] = [0x811c9dc5 ^ level, level + 1];
  for (let at = start; at < end;) {
    const wordEnd = endOfWord(text, at, end);
    if (wordEnd > at && hasDigit(text, at, wordEnd)) {
      low = Math.imul(low ^ 0x30, PRIME);
      high = Math.imul(high ^ 0x30, OTHER_PRIME);
      at = endOfNumber(text, wordEnd, end);
      continue;
    }
    for (const stop = Math.max(wordEnd, at + 1); at < stop; at++) {
      const unit = text.charCodeAt(at);
      // Columns are filled up with spaces.
      if (unit === SPACE && text.charCodeAt(at + 1) === SPACE) continue;
      low = Math.imul(low ^ unit, PRIME);
      high = Math.imul(high ^ unit, OTHER_PRIME);
    }
  }
  return ((high >>> 0) % HIGH) * 2 ** 32 + (low >>> 0);
}

const SPACE = 0x20;

/** After a word with digits: also what follows a sign between digits, as in 12:30:01.5 or 2026-11-19. */
function endOfNumber(text: string, from: number, end: number): number {
  let at = from;
  while (at + 1 < end && ".,:-/+".includes(text.charAt(at)) && isDigit(text.charCodeAt(at + 1)))
    at = endOfWord(text, at + 1, end);
  return at;
}

function endOfWord(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isWordUnit(text.charCodeAt(at))) at++;
  return at;
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isWordUnit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit === 0x5f;
}
