// How a result says that more pages follow. Servers of the contract say it in their notes; others use one of a few
// well-known names in their JSON. The probe follows it from page to page, and rules judge the pages by it.

import { mainCollection } from "../../json/main-collection.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { meaningOf } from "../called.ts";

/** One page of a tool's result. */
export interface Page {
  /** The cursor of the next page; undefined on the last. */
  readonly cursor: string | undefined;
  readonly hasMore: boolean | undefined;
  readonly total: number | undefined;
  /** The longest list of the page. */
  readonly items: readonly JsonValue[];
  /** The name of that list. */
  readonly collection: string;
}

const cursorNames = ["nextCursor", "next_cursor", "nextPageToken", "next_page_token"];
const moreNames = ["has_more", "hasMore", "hasNextPage", "has_next_page"];
const totalNames = ["total_count", "totalCount"];
/** Names under which some servers keep the information about a page. */
const placeNames = ["pagination", "pageInfo", "page_info", "paging", "meta"];

function pick(object: JsonObject, names: readonly string[]): JsonValue | undefined {
  const name = names.find((each) => Object.hasOwn(object, each));
  return name === undefined ? undefined : object[name];
}

type Said = Pick<Page, "cursor" | "hasMore" | "total">;

/** What an object says about a page; undefined if nothing. `cursor` and `endCursor` count only beside a flag. */
function saidIn(object: JsonObject): Said | undefined {
  const more = pick(object, moreNames);
  const named = pick(object, more === undefined ? cursorNames : [...cursorNames, "cursor", "endCursor"]);
  if (named === undefined) return undefined;
  const total = pick(object, totalNames);
  const isLast = more === false || typeof named !== "string" || named === "";
  return {
    cursor: isLast ? undefined : named,
    hasMore: typeof more === "boolean" ? more : undefined,
    total: typeof total === "number" ? total : undefined,
  };
}

/** `meta.pagination` is the deepest place. */
const MAX_DEPTH = 2;

function saidAround(data: JsonObject, depth = 0): Said | undefined {
  const own = saidIn(data);
  if (own !== undefined || depth >= MAX_DEPTH) return own;
  for (const name of placeNames) {
    const place = Object.hasOwn(data, name) ? data[name] : undefined;
    const said = isJsonObject(place) ? saidAround(place, depth + 1) : undefined;
    if (said !== undefined) return said;
  }
  return undefined;
}

/** The page in a result; undefined for a failure, and for a result that says nothing about pages. */
export function readPage(result: JsonObject): Page | undefined {
  const { outcome } = meaningOf(result);
  if (!outcome.ok) return undefined;
  const { data, notes } = outcome;
  const { items = [], name: collection = "items" } = mainCollection(data) ?? {};
  if (notes.pagination !== undefined) {
    const { cursor, has_more: hasMore, total_count: total } = notes.pagination;
    const next = hasMore === false || cursor === null || cursor === "" ? undefined : cursor;
    return { cursor: next, hasMore, total, items, collection };
  }
  const said = isJsonObject(data) ? saidAround(data) : undefined;
  return said === undefined ? undefined : { ...said, items, collection };
}

/** The page for a cursor. Many servers send only items on the last page, so a page that says nothing is the last. */
export function readNextPage(result: JsonObject): Page | undefined {
  const page = readPage(result);
  const { outcome } = meaningOf(result);
  if (page !== undefined || !outcome.ok) return page;
  const { data } = outcome;
  const { items = [], name: collection = "items" } = mainCollection(data) ?? {};
  const total = isJsonObject(data) ? pick(data, totalNames) : undefined;
  const count = typeof total === "number" ? total : undefined;
  return { cursor: undefined, hasMore: undefined, total: count, items, collection };
}

const argumentNames = [
  "cursor",
  "nextCursor",
  "next_cursor",
  "pageToken",
  "page_token",
  "nextPageToken",
  "next_page_token",
  "after",
];

function propertiesOf(schema: JsonValue | undefined): JsonObject {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? properties : {};
}

/** The arguments that ask for the next page; undefined if the tool's schema has no argument for a cursor. */
export function nextPageArguments(
  definition: JsonObject,
  args: JsonObject,
  cursor: string,
): JsonObject | undefined {
  const properties = propertiesOf(definition["inputSchema"]);
  const name = argumentNames.find((each) => Object.hasOwn(properties, each));
  if (name !== undefined) return { ...args, [name]: cursor };
  // A gateway that adds pages to a tool keeps its own arguments under one name.
  const own = Object.hasOwn(properties, "_waybill") ? properties["_waybill"] : undefined;
  if (!Object.hasOwn(propertiesOf(own), "cursor")) return undefined;
  const before = isJsonObject(args["_waybill"]) ? args["_waybill"] : {};
  return { ...args, _waybill: { ...before, cursor } };
}
