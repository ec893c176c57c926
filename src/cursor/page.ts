import { ContractError } from "../contract/contract-error.ts";
import { assertJson } from "../contract/note-options.ts";
import { type Pagination, clampPageSize } from "../contract/pagination.ts";
import { jsonEqual } from "../json/canonical-json.ts";
import type { JsonValue } from "../json/json-value.ts";
import type { SignedCursorOptions } from "./cursor-options.ts";
import { encodeCursor } from "./cursor.ts";
import { passOver, readStart } from "./page-start.ts";

export interface PageRequest {
  /** Key of the last item already sent; undefined on the first page. */
  readonly after: JsonValue | undefined;
  /** One more than the page holds: the extra item tells whether there is another page. */
  readonly limit: number;
}

interface PageCursorOptions<Item> extends SignedCursorOptions {
  /** Unique in the sort order, and JSON: fetching resumes strictly after it. */
  readonly key: (item: Item) => JsonValue;
}

export interface PageOptions<Item> extends PageCursorOptions<Item> {
  readonly fetch: (request: PageRequest) => Promise<readonly Item[]> | readonly Item[];
  /** Undefined or null asks for the first page. */
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
  readonly maxLimit?: number | undefined;
  readonly total?: number | undefined;
  /** Take unsigned cursors too: `{offset}` up to 10,000, `{last_id}` and `{after}`. Nothing protects them. */
  readonly acceptUnsigned?: boolean | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

function keyOf<Item>(item: Item, key: (item: Item) => JsonValue): JsonValue {
  const value = key(item);
  assertJson(value, "key");
  return value;
}

/** The cursor after `items[count - 1]`; the next item must have another key, or resuming would skip it. */
async function cursorAfter<Item>(
  items: readonly Item[],
  count: number,
  options: PageCursorOptions<Item>,
): Promise<string> {
  const [last, next] = items.slice(count - 1, count + 1).map((item) => keyOf(item, options.key));
  if (last === undefined || (next !== undefined && jsonEqual(last, next))) {
    const message =
      "Two neighbours at the edge of a page have the same key: add a unique field to `key` and the sort order.";
    throw new ContractError("INVALID_OPTION", message);
  }
  return encodeCursor({ after: last }, options);
}

function assertResumed<Item>(first: Item, after: JsonValue, key: (item: Item) => JsonValue): void {
  if (!jsonEqual(keyOf(first, key), after)) return;
  const message =
    "`fetch` returned the item it was told to start after: compare with > (or <), not with >= (or <=).";
  throw new ContractError("INVALID_OPTION", message);
}

async function fetchItems<Item>(
  { fetch }: PageOptions<Item>,
  request: PageRequest,
): Promise<readonly Item[]> {
  const rows = await fetch(request);
  if (Array.isArray(rows)) return rows;
  throw new ContractError("INVALID_OPTION", "`fetch` returned no array: return the items.");
}

/**
 * One page by keyset: fetches one item more than asked, and so knows whether more follow.
 *
 * @example
 * await page({ fetch: ({ after, limit }) => db.tasks(after, limit), key: (task) => task.id, cursor, keys: secret });
 */
export async function page<Item>(options: PageOptions<Item>): Promise<Page<Item>> {
  const { maxLimit, total } = options;
  if (maxLimit !== undefined && !(Number.isInteger(maxLimit) && maxLimit >= 1)) {
    throw new ContractError("INVALID_OPTION", `maxLimit is ${maxLimit}: give a whole number of at least 1.`);
  }
  const size = clampPageSize(options.limit, maxLimit === undefined ? {} : { max: maxLimit });
  const fetch = (request: PageRequest): Promise<readonly Item[]> => fetchItems(options, request);
  const start = await passOver(await readStart(options), fetch, (item) => keyOf(item, options.key));
  const { after } = start;
  const rows = start.isPastEnd ? [] : await fetch({ after, limit: size + 1 });
  const [first] = rows;
  if (after !== undefined && rows.length > 0) assertResumed(first as Item, after, options.key);
  const cursor = rows.length > size ? await cursorAfter(rows, size, options) : null;
  const counted = total === undefined ? {} : { total_count: total };
  return {
    items: rows.slice(0, size),
    pagination: { cursor, has_more: cursor !== null, ...counted, page_size: size },
  };
}

/** Keeps the first `keep` items and re-mints the cursor after the last of them, so that nothing is lost. */
export async function shrinkPage<Item>(
  { items, pagination }: Page<Item>,
  keep: number,
  options: PageCursorOptions<Item>,
): Promise<Page<Item>> {
  if (keep >= items.length) return { items, pagination };
  if (!Number.isInteger(keep) || keep < 1) {
    throw new ContractError(
      "INVALID_OPTION",
      "A page keeps at least one item, or the next one would be the same.",
    );
  }
  const cursor = await cursorAfter(items, keep, options);
  return { items: items.slice(0, keep), pagination: { ...pagination, cursor, has_more: true } };
}
