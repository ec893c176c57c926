import { jsonEqual } from "../../core/json/canonical-json.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { openTexts } from "../../core/json/open-texts.ts";
import { resolvePath } from "../../core/json/pointer.ts";
import { hasStars } from "../../core/json/starred-pointer.ts";
import { type FoundItem, findByIds } from "../../core/json/main-collection.ts";
import {
  type ItemList,
  allItems,
  eachItem,
  joinLists,
  listOf,
  listRange,
  noItems,
  pickItems,
} from "./item-list.ts";
import { rankItems } from "./rank-items.ts";
import { refuseArgument } from "./argument-forms.ts";
import type { RetrieveRequest } from "./retrieve-request.ts";
import { nothingAt, selectName, selectPointer } from "./select-pointer.ts";
import { quoteName } from "../../core/text/say-name.ts";

export interface ItemSelection {
  readonly items: ItemList;
  /** The ids for which nothing was found. */
  readonly missing: readonly string[];
}

/** How the items of an archive are named. */
export interface ItemNaming {
  /** The paths of item ids in tools, besides the usual keys. */
  readonly idPaths?: readonly string[] | undefined;
  /** True if the archive may be one content block that was moved whole. */
  readonly isBlock?: boolean | undefined;
  /** The value with the JSON of its texts parsed, if it is already available. */
  readonly opened?: JsonValue | undefined;
}

/** The items of a request: `pointer` or `ids` say where, `match` and `query` which of those, and in what order. */
export function selectItems(
  value: JsonValue,
  request: RetrieveRequest,
  naming: ItemNaming = {},
): ItemSelection {
  const { opened = openTexts(value) } = naming;
  const { items, missing } = candidates({ value, opened }, request, naming);
  const matching = request.match === undefined ? items : filterItems(items, request.match);
  if (request.query === undefined) return { items: matching, missing };
  return { items: rankItems(matching, request.query), missing };
}

/** The content of an archive: as it is, and with the JSON of its texts parsed. */
interface Held {
  readonly value: JsonValue;
  readonly opened: JsonValue;
}

function candidates(held: Held, request: RetrieveRequest, naming: ItemNaming): ItemSelection {
  const { pointer, ids, match, query } = request;
  // A search for records also covers texts; a request for a place gets the value at that place.
  const isSearch = match !== undefined || query !== undefined;
  const first = isSearch ? held.opened : held.value;
  const inside = pointer === undefined ? undefined : insideOf(held, first, pointer);
  if (ids !== undefined) return pickIds(held, ids, pointer, naming);
  if (inside !== undefined) return { items: inside, missing: [] };
  return { items: allItems(first), missing: [] };
}

/** The items at a pointer: an array gives its items. The pointer may continue into the JSON of a text. */
function insideOf({ value, opened }: Held, first: JsonValue, pointer: string): ItemList {
  const found = selectPointer(first, pointer) ?? selectPointer(first === value ? opened : value, pointer);
  if (found === undefined) throw nothingAt([pointer]);
  const only = found.count === 1 ? found.at(0) : undefined;
  if (only?.pointer !== pointer || !Array.isArray(only.value)) return found;
  return listRange(pointer, only.value as readonly JsonValue[]);
}

function pickIds(
  { value, opened }: Held,
  ids: readonly string[],
  pointer: string | undefined,
  naming: ItemNaming,
): ItemSelection {
  const scope = pointer === undefined ? value : scopeOf(value, opened, pointer);
  const own = ids.filter((id) => !isPlace(id));
  const found = findOwnInside(scope, pointer === undefined ? opened : openTexts(scope), own, naming);
  const missing: string[] = [];
  const lists = Array.from(new Set(ids), (id): ItemList => {
    // Of fields of many objects, some may be in texts.
    const first = hasStars(id) ? opened : value;
    const list = isPlace(id)
      ? (selectPlace(first, id, naming) ?? selectPlace(opened, id, naming))
      : listOf(found.get(id) ?? []);
    if (list === undefined || (list.count === 0 && !isPlace(id))) missing.push(id);
    if (list === undefined || isPlace(id) || pointer === undefined) return list ?? noItems;
    return listOf([...eachItem(list)].map((item) => ({ ...item, pointer: pointer + item.pointer })));
  });
  if (missing.length === lists.length) throw nothingAt(missing);
  return { items: joinLists(lists), missing };
}

/** Items by their own ids. The tool of this archive is unknown, so every tool's path of ids is tried. */
function findOwn(
  scope: JsonValue,
  ids: readonly string[],
  { idPaths = [] }: ItemNaming,
): ReadonlyMap<string, readonly FoundItem[]> {
  const found = new Map<string, FoundItem[]>();
  for (const idPath of [undefined, ...idPaths]) {
    for (const [id, items] of findByIds(scope, ids, idPath)) {
      const known = found.get(id) ?? [];
      const isNew = ({ pointer }: FoundItem): boolean => known.every((item) => item.pointer !== pointer);
      found.set(id, [...known, ...items.filter(isNew)]);
    }
  }
  return found;
}

/** The same; ids that are not found there are searched for in the JSON of its texts. */
export function findOwnInside(
  value: JsonValue,
  opened: JsonValue,
  ids: readonly string[],
  naming: ItemNaming,
): ReadonlyMap<string, readonly FoundItem[]> {
  const found = findOwn(value, ids, naming);
  const lost = ids.filter((id) => !found.has(id));
  return opened === value || lost.length === 0
    ? found
    : new Map([...found, ...findOwn(opened, lost, naming)]);
}

/** The value at a place, by its pointer or by the name of a content block. */
function selectPlace(value: JsonValue, name: string, { isBlock }: ItemNaming): ItemList | undefined {
  if (!name.startsWith(BLOCKS)) return selectName(value, name);
  const items = Array.isArray(value) ? listRange("", value as readonly JsonValue[]) : noItems;
  const kept = [...eachItem(items)].filter(({ value: item }) => {
    const id = isJsonObject(item) ? item["id"] : undefined;
    return name === `${BLOCKS}*` ? typeof id === "string" && id.startsWith(BLOCKS) : id === name;
  });
  if (kept.length > 0) return listOf(kept);
  return isBlock === true ? listOf([{ pointer: "", value }]) : undefined;
}

function scopeOf(value: JsonValue, opened: JsonValue, pointer: string): JsonValue {
  const found = selectPointer(value, pointer) ?? selectPointer(opened, pointer);
  const only = found?.count === 1 ? found.at(0) : undefined;
  if (only?.pointer === pointer) return only.value;
  throw refuseArgument("pointer", "one value", "With ids, pointer names the one value to look in.");
}

/** The prefix of content block names. */
const BLOCKS = "#content/";

/**
 * Names in dropped_content_ids that are not an item's own id: pointers, ranges, pieces of a text, content
 * blocks. Cuts never name an item by an id that begins like one of these.
 */
export function isPlace(id: string): boolean {
  return id === "" || id.startsWith("/") || id.startsWith("#char=") || id.startsWith(BLOCKS);
}

function filterItems(items: ItemList, match: JsonObject): ItemList {
  const conditions = Object.entries(match);
  const kept: number[] = [];
  for (let index = 0; index < items.count; index++) {
    const { value } = items.at(index);
    if (conditions.every(([path, wanted]) => isEqualAt(value, path, wanted))) kept.push(index);
  }
  return pickItems(items, kept);
}

function isEqualAt(item: JsonValue, path: string, wanted: JsonValue): boolean {
  let found: JsonValue | undefined;
  try {
    found = resolvePath(item, path);
  } catch {
    throw refuseArgument("match", "path", `${quoteName(path)} is not a path.`);
  }
  return found !== undefined && (jsonEqual(found, wanted) || isRoundedFrom(wanted, found));
}

/** A number beyond 2^53 was rounded on its way here, while the archive has it as text. */
function isRoundedFrom(wanted: JsonValue, found: JsonValue): boolean {
  if (typeof wanted !== "number" || Math.abs(wanted) <= Number.MAX_SAFE_INTEGER) return false;
  return typeof found === "string" && /^-?\d+$/.test(found) && Number(found) === wanted;
}
