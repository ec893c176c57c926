// What a cut result proposes to call, and whether that gives exactly what follows the beginning: no gap, no overlap.

import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../src/core/json/json-value.ts";
import { blocksOf, structureOf, textOf } from "../../src/core/readers/facts-held.ts";

interface Notice {
  /** The last line of a cut text. */
  readonly line: string | undefined;
  /** The notes of the structure. */
  readonly meta: string | undefined;
  readonly tool: string;
  readonly args: JsonObject;
}

const LINE = /; the (?:rest|first (?:\d+ )?of \d+ gaps): (\w+) (\{.*\})\]$/m;
const ELSEWHERE = "[the result is in structuredContent]";

/** What a cut result proposes to call, in words after a text or among the notes of the structure. */
export function noticeIn(sent: JsonObject): Notice | undefined {
  const line = (blocksOf(sent) ?? []).map(textOf).find((text) => LINE.test(text));
  const [, tool = "", args = "{}"] = LINE.exec(line ?? "") ?? [];
  const { meta } = structureOf(sent) ?? {};
  const notes = isJsonObject(meta) ? JSON.stringify(meta) : undefined;
  if (line !== undefined) return { line: line.trim(), meta: notes, tool, args: jsonIn(args) as JsonObject };
  const [found] = isJsonObject(meta) ? retrievesIn(meta) : [];
  const said = found?.["arguments"];
  if (found === undefined || !isJsonObject(said)) return undefined;
  return { line, meta: notes, tool: wordsOf(found["tool"]), args: said };
}

function wordsOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function retrievesIn({ warning_details: details }: JsonObject): readonly JsonObject[] {
  const all = Array.isArray(details) ? details.filter(isJsonObject) : [];
  return all.flatMap(({ context }) =>
    isJsonObject(context) && isJsonObject(context["retrieve"]) ? [context["retrieve"]] : [],
  );
}

/** What is left of the text in each channel that has it; in the structure it is in the field `content`. */
export function headsIn(sent: JsonObject): readonly string[] {
  const texts = (blocksOf(sent) ?? []).map(textOf);
  const words = texts.filter((text) => text !== ELSEWHERE && !LINE.test(text));
  const { data, content } = structureOf(sent) ?? {};
  const inside = isJsonObject(data) ? data["content"] : content;
  return [...words, ...(typeof inside === "string" ? [inside] : [])];
}

/** The data of an answer of the retrieval tool. */
export function answerOf(result: JsonObject): JsonObject {
  const said = structureOf(result) ?? jsonIn(textOf(blocksOf(result)?.[0] ?? {}));
  const data = isJsonObject(said) ? said["data"] : undefined;
  return isJsonObject(data) ? data : {};
}

export interface Following {
  readonly says: string;
  /** How many lines the call gave. */
  readonly count?: number;
  readonly problem?: string;
}

const fails = (problem: string): Following => ({ says: "", problem });

const MARK = /^\[… lines? (\d+)(?:-(\d+))?(?:: [^\]\n]*)?\]\n/m;

/** The text up to its first gap; undefined if what is behind a gap is not what the whole has there. */
function beginningOf(whole: string, kept: string): string | undefined {
  const mark = MARK.exec(kept);
  if (mark === null) return whole.startsWith(kept) ? kept : undefined;
  const head = kept.slice(0, mark.index);
  const [said, first = "0", last = first] = mark;
  const lines = whole.split("\n");
  const gap = lines.slice(Number(first) - 1, Number(last));
  const after = lines.slice(Number(last)).join("\n");
  const isSame = closed(lines.slice(0, Number(first) - 1)) === head && gap.length > 0;
  return isSame && isAfter(after, kept.slice(mark.index + said.length), Number(last)) ? head : undefined;
}

function closed(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** The same for what follows a gap, whose lines are counted from the whole's first. */
function isAfter(rest: string, kept: string, passed: number): boolean {
  const mark = MARK.exec(kept);
  if (mark === null) return rest.startsWith(kept);
  const [said, first = "0", last = first] = mark;
  const lines = rest.split("\n");
  const between = closed(lines.slice(0, Number(first) - 1 - passed));
  const after = lines.slice(Number(last) - passed).join("\n");
  return (
    between === kept.slice(0, mark.index) &&
    isAfter(after, kept.slice(mark.index + said.length), Number(last))
  );
}

/** Whether the lines between these two, if there are any, were kept. */
function isKept(kept: string, after: number, before: number): boolean {
  const marks = [...kept.matchAll(new RegExp(MARK.source, "gm"))];
  const isOutside = ([, first = "0", last = first]: readonly string[]): boolean =>
    Math.max(Number(first), after + 1) > Math.min(Number(last), before - 1);
  return before > after && marks.every(isOutside);
}

export function followsLines(whole: string, kept: string, { lines, items }: JsonObject): Following {
  const head = beginningOf(whole, kept);
  if (head === undefined) return fails("WHAT WAS SENT IS NO PART OF IT");
  const rest = whole.slice(head.length);
  if (Array.isArray(lines)) {
    const before = head === "" ? 0 : head.split("\n").length - 1;
    const found = lines.filter(isJsonObject);
    const numbers = found.map(({ line }) => Number(line));
    if (!head.endsWith("\n") && head !== "") return fails("LINES AFTER HALF A LINE");
    if (numbers[0] !== before + 1) return fails(`LINES FROM ${JSON.stringify(numbers[0])}`);
    // What is passed over between two lines was kept.
    const isWhole = numbers.every(
      (line, at) => line > before && isKept(kept, numbers[at - 1] ?? before, line),
    );
    if (!isWhole) return fails("LINES BETWEEN ARE MISSING");
    const all = whole.split("\n");
    if (!found.every(({ line, text }) => text === all[Number(line) - 1])) return fails("OTHER LINES");
    return { says: `${say(found.length)} lines from ${say(before + 1)}`, count: found.length };
  }
  const [first] = Array.isArray(items) ? items.filter(isJsonObject) : [];
  const value = first?.["value"] ?? first?.["text"];
  if (typeof value !== "string" || !rest.startsWith(value)) return fails("OTHER TEXT");
  return { says: `characters ${say(head.length)} to ${say(head.length + value.length)}` };
}

interface Missing {
  readonly pointer: string;
  readonly value: JsonValue;
}

export function followsItems(whole: string, head: string, { items }: JsonObject): Following {
  const [all, kept] = [jsonIn(whole), jsonIn(head)];
  if (all === undefined || kept === undefined) return fails("WHAT WAS SENT IS NO JSON");
  const missing = missingIn(all, kept);
  if (missing === undefined) return fails("WHAT WAS SENT IS NO PART OF IT");
  const found = Array.isArray(items) ? items.filter(isJsonObject) : [];
  if (found.length === 0) return fails("NOTHING");
  for (const [at, { pointer, value, text }] of found.entries()) {
    const next = missing[at];
    if (next === undefined || !wordsOf(pointer).endsWith(next.pointer))
      return fails(`${wordsOf(pointer)} WHERE ${next?.pointer ?? "nothing"} FOLLOWS`);
    const isSame = value !== undefined && jsonEqual(value, next.value);
    // An item that is too long for one answer comes in slices of its JSON.
    const isSlice = typeof text === "string" && JSON.stringify(next.value).startsWith(text);
    if (!isSame && !isSlice) return fails(`ANOTHER VALUE AT ${wordsOf(pointer)}`);
  }
  return { says: `the next ${say(found.length)} of ${say(missing.length)} missing items` };
}

/** What is missing, in the order of the whole; undefined if the kept is no part of it. */
function missingIn(all: JsonValue, kept: JsonValue, pointer = ""): readonly Missing[] | undefined {
  if (Array.isArray(all) && Array.isArray(kept)) return missingItems(all, kept, pointer);
  if (!isJsonObject(all) || !isJsonObject(kept)) return jsonEqual(all, kept) ? [] : undefined;
  const missing: Missing[] = [];
  for (const [key, value] of Object.entries(all)) {
    const own = kept[key];
    const place = `${pointer}/${key}`;
    const inside = own === undefined ? [{ pointer: place, value }] : missingIn(value, own, place);
    if (inside === undefined) return undefined;
    missing.push(...inside);
  }
  return missing;
}

/** Items may be missing anywhere in a list; each that was kept is the first that it can be. */
function missingItems(
  all: readonly JsonValue[],
  kept: readonly JsonValue[],
  pointer: string,
): readonly Missing[] | undefined {
  const missing: Missing[] = [];
  let next = 0;
  for (const [at, value] of all.entries()) {
    const place = `${pointer}/${at}`;
    const candidate = kept[next];
    const inside = candidate === undefined ? undefined : missingIn(value, candidate, place);
    if (inside === undefined) missing.push({ pointer: place, value });
    else {
      missing.push(...inside);
      next++;
    }
  }
  return next === kept.length ? missing : undefined;
}

function say(amount: number): string {
  return amount.toLocaleString("en-US");
}
