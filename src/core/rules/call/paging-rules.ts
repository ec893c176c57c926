// Pages of a tool's results: each cursor leads to a new page, every item comes once, and the pages end.

import { stableStringify } from "../../json/canonical-json.ts";
import { ownId, mainCollection } from "../../json/main-collection.ts";
import { type JsonValue, type JsonObject, isJsonObject } from "../../json/json-value.ts";
import {
  type CallWithResult,
  answeredIn,
  findingOf,
  isRefusal,
  judgeEach,
  describeRpcError,
  quoteOf,
  meaningOf,
} from "../called.ts";
import type { CallRecord, ServerRecord } from "../server-record.ts";
import { type RuleFinding, type ServerRule, defineServerRules } from "../server-rule.ts";

interface Turned extends CallWithResult {
  readonly page: Page;
}

/** The pages of one walk, first to last. */
type Walk = readonly Turned[];

/** The walks of a record with more than one page. */
function walksIn(record: ServerRecord): readonly Walk[] {
  const turned = new Map<number, Turned>();
  for (const answered of answeredIn(record)) {
    const read = answered.call.purpose === "page" ? readNextPage : readPage;
    const page = read(answered.result);
    if (page !== undefined) turned.set(answered.call.index, { ...answered, page });
  }
  const followed = new Set(
    record.calls.flatMap(({ purpose, follows }) => (purpose === "page" ? [follows] : [])),
  );
  const lasts = [...turned.values()].filter(
    ({ call }) => call.purpose === "page" && !followed.has(call.index),
  );
  return lasts.map((last) => walkTo(last, turned));
}

function walkTo(last: Turned, turned: ReadonlyMap<number, Turned>): Walk {
  const walk: Turned[] = [];
  const seen = new Set<number>();
  for (let at: Turned | undefined = last; at !== undefined && !seen.has(at.call.index);) {
    seen.add(at.call.index);
    walk.push(at);
    const { purpose, follows = -1 }: CallRecord = at.call;
    at = purpose === "page" ? turned.get(follows) : undefined;
  }
  return walk.toReversed();
}

const NO_WALK = "No tool was asked for a second page";

function judgeWalks(
  record: ServerRecord,
  judge: (walk: Walk) => RuleFinding | undefined,
): ReturnType<typeof judgeEach> {
  return judgeEach(record, walksIn(record), NO_WALK, (walk) => {
    const found = judge(walk);
    return found === undefined ? [] : [found];
  });
}

/** An item's identity: its own id, else its whole value. Scalars have none, because they may well occur twice. */
function identityOf(item: JsonValue, collection: string): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  return ownId(item, collection) ?? stableStringify(item);
}

function doubleIn(walk: Walk): RuleFinding | undefined {
  const seen = new Map<string, number>();
  for (const [index, turned] of walk.entries()) {
    const { items, collection } = turned.page;
    for (const item of items) {
      const identity = identityOf(item, collection);
      if (identity === undefined) continue;
      const before = seen.get(identity);
      if (before !== undefined && before < index)
        return findingOf(turned, "", `Page ${index + 1} repeats ${quoteOf(identity)} of page ${before + 1}`);
      seen.set(identity, index);
    }
  }
  return undefined;
}

function wrongTotal(walk: Walk): RuleFinding | undefined {
  const [first] = walk;
  const last = walk.at(-1);
  const total = first?.page.total;
  if (last === undefined || total === undefined) return undefined;
  const changed = walk.find(({ page }) => page.total !== undefined && page.total !== total);
  if (changed !== undefined)
    return findingOf(changed, "", `The total is ${total} on the first page and ${changed.page.total} later`);
  const isWhole = last.page.cursor === undefined && first?.call.arguments["cursor"] === undefined;
  const count = walk.reduce((sum, { page }) => sum + page.items.length, 0);
  // Filters and limits of the first call do not change what a total counts; an incomplete walk proves nothing.
  if (!isWhole || count === total) return undefined;
  return findingOf(last, "", `The total is ${total}, and all pages together have ${count} items`);
}

/** Rules about pages. */
export const pagingRules: readonly ServerRule[] = defineServerRules({
  "paging/cursor-accepted": {
    severity: "MUST",
    says: "A cursor that the server gave leads to the next page.",
    fix: "Accept every cursor that you send, for as long as the walk may take.",
    source: "MCP 2025-06-18, pagination; seed 004, Pagination Pattern",
    judge: (record) => {
      const pages = record.calls.filter(({ purpose }) => purpose === "page");
      return judgeEach(record, pages, NO_WALK, (call) => {
        const { reply } = call;
        if (reply.kind === "error")
          return [
            findingOf(
              { call },
              "/error",
              `The cursor of the page before gets ${describeRpcError(reply.error)}`,
            ),
          ];
        if (reply.kind !== "result" || !isRefusal(reply.result)) return [];
        return [findingOf({ call }, "", "The cursor of the page before is refused")];
      });
    },
  },
  "paging/cursor-advances": {
    severity: "MUST",
    says: "No page gives a cursor that was used before.",
    fix: "Let the cursor name the place after the last item that was sent.",
    source: "seed 004, Pagination Pattern",
    judge: (record) =>
      judgeWalks(record, (walk) => {
        const seen = new Set<string>();
        for (const [index, turned] of walk.entries()) {
          const { cursor } = turned.page;
          if (cursor === undefined) continue;
          if (seen.has(cursor)) return findingOf(turned, "", `The cursor of page ${index + 1} leads back`);
          seen.add(cursor);
        }
        return undefined;
      }),
  },
  "paging/doubles": {
    severity: "SHOULD",
    says: "No item is on two pages.",
    fix: "Sort by something that stays, and start each page after the last item of the one before.",
    source: "seed 004, Pagination Pattern",
    judge: (record) => judgeWalks(record, doubleIn),
  },
  "paging/empty-page": {
    severity: "SHOULD",
    says: "A page without items is the last.",
    fix: "Send no cursor with an empty page: a client cannot tell it from a walk without an end.",
    source: "seed 004, Pagination Pattern",
    judge: (record) =>
      judgeWalks(record, (walk) => {
        const empty = walk.find(({ page }) => page.items.length === 0 && page.cursor !== undefined);
        return empty && findingOf(empty, "", "The page has no items and a cursor for more");
      }),
  },
  "paging/total": {
    severity: "SHOULD",
    says: "A total is the same on every page, and what all pages together have.",
    fix: "Count what the query finds, or leave the total out.",
    source: "seed 004, Pagination Fields",
    judge: (record) => {
      const walks = walksIn(record).filter(([first]) => first?.page.total !== undefined);
      return judgeEach(record, walks, "No walk through pages that name a total", (walk) => {
        const found = wrongTotal(walk);
        return found === undefined ? [] : [found];
      });
    },
  },
});

// How a result says that more pages follow. Servers of the contract say it in their notes; others use one of a few
// well-known names in their JSON. The probe follows it from page to page, and rules judge the pages by it.

/** One page of a tool's result. */
interface Page {
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
function readNextPage(result: JsonObject): Page | undefined {
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
