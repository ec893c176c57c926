import { formatLocator, parseLocator } from "../../core/contract/digest-payload.ts";
import { faults } from "../../core/contract/faults.ts";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import { getByPointer } from "../../core/json/pointer.ts";
import { type ItemList, joinLists, listOf, listRange, membersAt } from "./item-list.ts";
import { refuseArgument } from "./argument-forms.ts";
import { codePointSlice } from "./slice-text.ts";
import { quoteName } from "../../core/text/say-name.ts";

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
  const [, base] = ALL.exec(pointer) ?? [];
  const held = base === undefined ? undefined : valueAt(value, base);
  return held === undefined || base === undefined ? undefined : membersAt(base, held);
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
