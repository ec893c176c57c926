import { formatLocator, parseLocator } from "../../core/contract/digest-payload.ts";
import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { getByPointer } from "../../core/json/pointer.ts";
import { fieldsAt, hasStars, starredSteps } from "../../core/json/starred-pointer.ts";
import { type ItemList, joinLists, listOf, listRange, membersAt } from "./item-list.ts";
import { refuseArgument } from "./argument-forms.ts";
import { quoteName } from "../../core/text/say-name.ts";
import { countCodePoints } from "../../core/text/code-points.ts";

const MAX_SHOWN = 10;

/** Nothing in the archive has any of these ids, or is at these pointers. */
export function nothingAt(wanted: readonly string[]): ToolFault {
  const shown = wanted.slice(0, MAX_SHOWN).map((id) => id.slice(0, 100));
  return faults.notFound("item", shown.join(", ") || '""', {
    remediation: "Ask with limit 0 what the archive holds, or look for it with match or query.",
  });
}

const CHARACTERS = /^(.*)#char=(\d{1,15})-(\d{1,15})$/s;
const RANGE = /^(.*)\/(\d{1,15})\.\.(\d{1,15})$/s;
const ALL = /^(.*)\/\*$/s;

/** The allowed forms of a pointer, for the message about a wrong one. */
const POINTER_FORMS =
  'use "/findings/17", "/findings/3..4999", "/findings/*" or "/body#char=0-2000"; ' +
  'in an archive that is one text, a locator: "char:START-END" or "page:N:char:START-END", START first';

/**
 * What a pointer names: one value, a range of an array's items with both ends included, all members of a list
 * or object, or a piece of a string in Unicode code points with the end excluded. Undefined if nothing is
 * there.
 */
export function selectPointer(value: JsonValue, pointer: string): ItemList | undefined {
  const inText = selectInText(value, pointer);
  if (inText !== undefined) return inText;
  // A key that looks like a range is a key: the plain meaning of a pointer comes first.
  return selectPlain(value, pointer) ?? selectMarked(value, pointer);
}

/** What an entry of dropped_content_ids names. A name that is also a key gives both, because either may be meant. */
export function selectName(value: JsonValue, name: string): ItemList | undefined {
  const inText = selectInText(value, name);
  if (inText !== undefined) return inText;
  // A star matches the key `*` too.
  if (hasStars(name)) return selectFields(value, name);
  const found = [selectPlain(value, name), selectMarked(value, name)].filter((list) => list !== undefined);
  return found.length === 0 ? undefined : joinLists(found);
}

function selectPlain(value: JsonValue, pointer: string): ItemList | undefined {
  const found = valueAt(value, pointer);
  return found === undefined ? undefined : listOf([{ pointer, value: found }]);
}

function selectMarked(value: JsonValue, pointer: string): ItemList | undefined {
  const characters = CHARACTERS.exec(pointer);
  if (characters !== null) return selectCharacters(value, pointer, characters);
  const range = RANGE.exec(pointer);
  if (range !== null) return selectRange(value, pointer, range);
  if (hasStars(pointer)) return selectFields(value, pointer);
  const [, base] = ALL.exec(pointer) ?? [];
  const held = base === undefined ? undefined : valueAt(value, base);
  return held === undefined || base === undefined ? undefined : membersAt(base, held);
}

/** The fields that a pointer with stars names. */
function selectFields(value: JsonValue, pointer: string): ItemList | undefined {
  const steps = starredSteps(pointer);
  if (steps === undefined) throw refusePointer(`${quoteName(pointer)} has ** more than once.`);
  const found = fieldsAt(value, steps);
  return found.length === 0 ? undefined : listOf(found);
}

/** A piece of an archive that is one text: as a range, or by the locator in a digest. */
function selectInText(value: JsonValue, pointer: string): ItemList | undefined {
  const range = CHARACTERS.exec(pointer);
  if (range?.[1] === "") return selectCharacters(value, pointer, range);
  const place = typeof value === "string" ? parseLocator(pointer) : undefined;
  if (place === undefined || typeof value !== "string") return undefined;
  const { start, end } = place;
  // The archive has no pages, so the answer names none: offsets count from the start of the whole text.
  return listOf([{ pointer: formatLocator({ start, end }), value: codePointSlice(value, start, end) }]);
}

function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  try {
    return getByPointer(value, pointer);
  } catch {
    throw refusePointer(`${quoteName(pointer)} is not a JSON Pointer: ${POINTER_FORMS}.`);
  }
}

function selectRange(value: JsonValue, pointer: string, parts: RegExpExecArray): ItemList | undefined {
  const [, base = "", from, to] = parts;
  if (Number(from) > Number(to)) throw refusePointer(`${quoteName(pointer)} ends before it begins.`);
  const items = valueAt(value, base);
  if (!Array.isArray(items)) return undefined;
  const list = listRange(base, items as readonly JsonValue[], Number(from), Number(to));
  return list.count === 0 ? undefined : list;
}

function selectCharacters(value: JsonValue, pointer: string, parts: RegExpExecArray): ItemList | undefined {
  const [, base = "", start, end] = parts;
  if (Number(start) > Number(end)) throw refusePointer(`${quoteName(pointer)} ends before it begins.`);
  const text = valueAt(value, base);
  if (typeof text !== "string") return undefined;
  return listOf([{ pointer, value: codePointSlice(text, Number(start), Number(end)) }]);
}

function refusePointer(says: string): ToolFault {
  return refuseArgument("pointer", "JSON Pointer", says);
}

/** The offset in UTF-16 units after a number of further code points; the length of the text if it ends before. */
function skipCodePoints(text: string, from: number, codePoints: number): number {
  let offset = from;
  for (let left = codePoints; left > 0 && offset < text.length; left--) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The piece of a text between two counts of code points, the second one excluded. */
export function codePointSlice(text: string, start: number, end: number): string {
  const from = skipCodePoints(text, 0, start);
  return text.slice(from, skipCodePoints(text, from, end - start));
}

/** Where a slice begins: in UTF-16 units, for cutting, and in code points, for the answer. */
export interface SlicePlace {
  readonly unit: number;
  readonly codePoint: number;
}

/** A piece of an item's JSON text; offsets count Unicode code points and exclude `to`. */
interface TextSlice {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly is_slice: true;
}

interface SlicedText {
  readonly slice: TextSlice & { readonly [key: string]: string | number | true };
  readonly next: SlicePlace | undefined;
}

/**
 * The longest slice from a place on that `fits`, at least one character, so that the slices come to an end.
 * If a line ends nearby, the slice ends there.
 */
export function sliceText(
  text: string,
  start: SlicePlace = { unit: 0, codePoint: 0 },
  fits: (slice: SlicedText["slice"]) => boolean,
): SlicedText {
  const of = countCodePoints(text);
  const sliceTo = (unit: number): SlicedText["slice"] => {
    const piece = text.slice(start.unit, unit);
    return {
      text: piece,
      from: start.codePoint,
      to: start.codePoint + countCodePoints(piece),
      of,
      is_slice: true,
    };
  };
  const longest = longestEnd(text, start.unit, (unit) => fits(sliceTo(unit)));
  const end = longest < text.length ? atLineEnd(text, start.unit, longest) : longest;
  const slice = sliceTo(end);
  return { slice, next: end < text.length ? { unit: end, codePoint: slice.to } : undefined };
}

const FIRST_STEP = 1_024;

// Doubling first: the rest of the text may be a thousand times longer than what fits, and every try is counted.
function longestEnd(text: string, start: number, fits: (unit: number) => boolean): number {
  let good = wholeCharacter(text, start + 1);
  let step = FIRST_STEP;
  while (good < text.length && fits(wholeCharacter(text, good + step))) {
    good = Math.min(text.length, wholeCharacter(text, good + step));
    step *= 2;
  }
  let bad = Math.min(text.length + 1, good + step);
  while (bad - good > 1) {
    const middle = wholeCharacter(text, Math.floor((good + bad) / 2));
    if (middle >= bad) break;
    if (fits(middle)) good = middle;
    else bad = Math.floor((good + bad) / 2);
  }
  return Math.min(good, text.length);
}

/** The most of a slice that is given up to end it at the end of a line. */
const GIVEN_UP_SHARE = 0.25;

/** A piece of code or prose is easier to read in whole lines. */
function atLineEnd(text: string, start: number, end: number): number {
  const line = text.lastIndexOf("\n", end - 1) + 1;
  return line > end - (end - start) * GIVEN_UP_SHARE && line > start ? line : end;
}

/** The next end that does not split a surrogate pair. */
function wholeCharacter(text: string, unit: number): number {
  const after = text.charCodeAt(unit);
  const before = text.charCodeAt(unit - 1);
  const isSplit = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return isSplit ? unit + 1 : unit;
}
