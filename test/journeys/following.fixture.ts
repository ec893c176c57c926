// Whether what a call gave is what is missing first, and everything that is missing in the places that the call names. Lines
// that were kept may stand between those; how many come again is counted.

import { eachRow } from "../../src/engine/retrieve/each-row.fixture.ts";
import { jsonEqual } from "../../src/core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject, jsonIn } from "../../src/core/json/json-value.ts";
import { type Given, wordsOf } from "./proposed.fixture.ts";

export interface Following {
  readonly says: string;
  /** How many lines or items the call gave. */
  readonly count?: number;
  /** How many of them the model has already. */
  readonly again?: number;
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

/** The numbers of the lines that are not in what was kept, which is a part of the whole. */
function missingLines(whole: string, kept: string): readonly number[] {
  const total = whole.replace(/\n$/, "").split("\n").length;
  const missing: number[] = [];
  const add = (first: number, last: number): void => {
    for (let line = first; line <= last; line++) missing.push(line);
  };
  let [passed, rest] = [0, kept];
  for (let mark = MARK.exec(rest); mark !== null; mark = MARK.exec(rest)) {
    const [said, first = "0", last = first] = mark;
    add(Number(first), Number(last));
    [passed, rest] = [Number(last), rest.slice(mark.index + said.length)];
  }
  const tail = rest === "" ? 0 : rest.replace(/\n$/, "").split("\n").length;
  add(passed + tail + 1, total);
  return missing;
}

/** Whether a line is among "88-572,600-"; every line is where no lines were asked for. */
function isAsked(line: number, asked: JsonValue | undefined): boolean {
  if (typeof asked !== "string") return true;
  return asked.split(",").some((range) => {
    const [first = "", last = first] = range.split("-");
    return line >= Number(first) && (last === "" || line <= Number(last));
  });
}

/** What the pages of a call give: the first missing lines, and every missing line among those that it asks for. */
export function followsLines(
  whole: string,
  kept: string,
  { data: { lines, items }, isWhole }: Given,
  { lines: asked }: JsonObject,
): Following {
  const head = beginningOf(whole, kept);
  if (head === undefined) return fails("WHAT WAS SENT IS NO PART OF IT");
  if (!Array.isArray(lines)) return followsCharacters(whole.slice(head.length), head.length, items);
  if (!head.endsWith("\n") && head !== "") return fails("LINES AFTER HALF A LINE");
  const missing = missingLines(whole, kept);
  const found = lines.filter(isJsonObject);
  const numbers = found.map(({ line }) => Number(line));
  const [first] = missing;
  if (first === undefined || numbers[0] !== first) return fails(`LINES FROM ${JSON.stringify(numbers[0])}`);
  const last = isWhole ? Number.POSITIVE_INFINITY : (numbers.at(-1) ?? 0);
  const [given, lacking] = [new Set(numbers), new Set(missing)];
  const expected = missing.filter((line) => line <= last && isAsked(line, asked));
  if (!expected.every((line) => given.has(line))) return fails("LINES BETWEEN ARE MISSING");
  const isInOrder = numbers.every((line, at) => line > (numbers[at - 1] ?? 0) && isAsked(line, asked));
  if (!isInOrder) return fails("LINES THAT WERE NOT ASKED FOR");
  const all = whole.split("\n");
  if (!found.every(({ line, text }) => text === all[Number(line) - 1])) return fails("OTHER LINES");
  const again = numbers.filter((line) => !lacking.has(line)).length;
  const says = `${say(numbers.length)} lines from ${say(first)}, ${say(again)} of them again`;
  return { says, count: numbers.length, again };
}

function followsCharacters(rest: string, start: number, items: JsonValue | undefined): Following {
  const [first] = Array.isArray(items) ? items.filter(isJsonObject) : [];
  const value = first?.["value"] ?? first?.["text"];
  if (typeof value !== "string" || value === "" || !rest.startsWith(value)) return fails("OTHER TEXT");
  return { says: `characters ${say(start)} to ${say(start + value.length)}`, again: 0 };
}

interface Missing {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** The same for the items of JSON: none of them was kept. */
export function followsItems(
  whole: string,
  head: string,
  { data: { items }, isWhole }: Given,
  { ids: asked }: JsonObject,
): Following {
  const [all, kept] = [jsonIn(whole), jsonIn(head)];
  if (all === undefined || kept === undefined) return fails("WHAT WAS SENT IS NO JSON");
  const missing = missingIn(all, kept);
  if (missing === undefined) return fails("WHAT WAS SENT IS NO PART OF IT");
  const entries = Array.isArray(items) ? items.filter(isJsonObject) : [];
  const found = eachRow(
    entries.map((entry): JsonObject & { readonly pointer: string } => ({
      ...entry,
      pointer: wordsOf(entry["pointer"]),
    })),
  );
  const [first] = found;
  if (first === undefined) return fails("NOTHING");
  for (const [at, { pointer, value, text }] of found.entries()) {
    const next = missing[at];
    if (next === undefined || !wordsOf(pointer).endsWith(next.pointer))
      return fails(`${wordsOf(pointer)} WHERE ${next?.pointer ?? "nothing"} FOLLOWS`);
    const isSame = value !== undefined && jsonEqual(value, next.value);
    // An item that is too long for one answer comes in slices of its JSON.
    const isSlice = typeof text === "string" && JSON.stringify(next.value).startsWith(text);
    if (!isSame && !isSlice) return fails(`ANOTHER VALUE AT ${wordsOf(pointer)}`);
  }
  const prefix = wordsOf(first["pointer"]).slice(0, -(missing[0]?.pointer.length ?? 0));
  const left = missing.slice(found.length).find(({ pointer }) => isNamed(`${prefix}${pointer}`, asked));
  if (isWhole && left !== undefined) return fails(`${left.pointer} IS NOT GIVEN`);
  const says = `the next ${say(found.length)} of ${say(missing.length)} missing items`;
  return { says, count: found.length, again: 0 };
}

/** Whether a place is one of "/items/5" and "/items/8..12", or inside one. */
function isNamed(pointer: string, ids: JsonValue | undefined): boolean {
  if (!Array.isArray(ids)) return true;
  return ids.some((id: JsonValue) => {
    const [, list = "", from = "", to = from] = /^(.*)\/(\d+)(?:\.\.(\d+))?$/.exec(wordsOf(id)) ?? [];
    if (from === "") return pointer === id || pointer.startsWith(`${wordsOf(id)}/`);
    const at = pointer.startsWith(`${list}/`) ? Number.parseInt(pointer.slice(list.length + 1), 10) : -1;
    return at >= Number(from) && at <= Number(to);
  });
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
