import { ContractError } from "../../../core/contract/contract-error.ts";
import { assertJson } from "../../../core/contract/note-options.ts";
import { type Pagination, clampPageSize } from "../../../core/contract/meta.ts";
import { jsonEqual } from "../../../core/json/canonical-json.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { type DecodeCursorOptions, type SignedCursorOptions, refuseCursor } from "./cursor-options.ts";
import { decodeCursor, writeCursor } from "./cursor.ts";

export interface PageRequest<Key extends JsonValue = JsonValue> {
  /** Key of the last item already sent; undefined on the first page. */
  readonly after: Key | undefined;
  /** One more than the page holds: the extra item shows whether there is another page. */
  readonly limit: number;
}

interface PageCursorOptions<Item, Key extends JsonValue = JsonValue> extends SignedCursorOptions {
  /** Unique in the sort order, and JSON: fetching resumes strictly after it. */
  readonly key: (item: Item) => Key;
}

/**
 * `after` has the type that `key` returns, if one of the two functions declares its parameter type: `key:
 * (task: Task) => task.id`, or `fetch: ({ after, limit }: PageRequest<string>) => …`.
 */
export interface PageOptions<Item, Key extends JsonValue = JsonValue> extends PageCursorOptions<Item, Key> {
  readonly fetch: (request: PageRequest<Key>) => Promise<readonly Item[]> | readonly Item[];
  /** Undefined or null asks for the first page. */
  readonly cursor?: string | null | undefined;
  readonly limit?: number | undefined;
  readonly maxLimit?: number | undefined;
  readonly total?: number | undefined;
  /**
   * Also accept unsigned cursors: `{offset}` up to 10,000, `{last_id}` and `{after}`. Neither they nor their
   * types are protected.
   */
  readonly acceptUnsigned?: boolean | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

function keyOf<Item>(item: Item, key: (item: Item) => JsonValue): JsonValue {
  const value = key(item);
  // Most keys are texts, and each of those is JSON.
  if (typeof value !== "string") assertJson(value, "key");
  return value;
}

/** The cursor after `items[count - 1]`; the next item must have another key, or resuming would skip it. */
function cursorAfter<Item>(
  items: readonly Item[],
  count: number,
  options: PageCursorOptions<Item>,
): string | Promise<string> {
  const [last, next] = items.slice(count - 1, count + 1).map((item) => keyOf(item, options.key));
  if (last === undefined || (next !== undefined && jsonEqual(last, next))) {
    const message =
      "Two neighbours at the edge of a page have the same key: add a unique field to `key` and the sort order.";
    throw new ContractError("INVALID_OPTION", message);
  }
  return writeCursor({ after: last }, options);
}

/** Throws if the item to start after is on its own next page: `fetch` did not resume, and paging would never end. */
function assertResumed<Item>(rows: readonly Item[], after: JsonValue, key: (item: Item) => JsonValue): void {
  const index = rows.findIndex((item) => jsonEqual(keyOf(item, key), after));
  if (index === -1) return;
  const cause =
    index === 0
      ? "compare with > (or <), not with >= (or <=)."
      : "start strictly after `after`, in the order of `key`.";
  throw new ContractError(
    "INVALID_OPTION",
    `\`fetch\` returned the item it was told to start after: ${cause}`,
  );
}

/**
 * One page by keyset: fetches one item more than requested, and so knows whether more follow.
 *
 * @example
 * await page({ fetch: ({ after, limit }) => db.tasks(after, limit), key: (task) => task.id, cursor, keys: secret });
 */
export async function page<Item, Key extends JsonValue = JsonValue>(
  options: PageOptions<Item, Key>,
): Promise<Page<Item>> {
  const { maxLimit, key } = options;
  if (maxLimit !== undefined && !(Number.isInteger(maxLimit) && maxLimit >= 1)) {
    throw new ContractError("INVALID_OPTION", `maxLimit is ${maxLimit}: give a whole number of at least 1.`);
  }
  const size = clampPageSize(options.limit, maxLimit === undefined ? {} : { max: maxLimit });
  const fetch: FetchItems<Item> = (after, limit) =>
    // A signed cursor contains what `key` returned earlier.
    options.fetch({ after: after as Key | undefined, limit });
  const { cursor: asked } = options;
  // Each step that need not wait is not waited for: a promise costs as much as the hash of a small text.
  const start = asked === undefined || asked === null ? listStart : await readStart(asked, options);
  const { after, isPastEnd } =
    start.offset === 0
      ? { after: start.after, isPastEnd: false }
      : await passOver(start, fetch, (item) => keyOf(item, key));
  const rows = isPastEnd ? [] : await fetch(after, size + 1);
  assertItems(rows);
  if (after !== undefined) assertResumed(rows.slice(0, size + 1), after, key);
  const made = rows.length > size ? cursorAfter(rows, size, options) : null;
  const cursor = made instanceof Promise ? await made : made;
  return { items: rows.slice(0, size), pagination: paginationOf(cursor, size, options.total) };
}

function paginationOf(cursor: string | null, size: number, total: number | undefined): Pagination {
  const counted = total === undefined ? {} : { total_count: total };
  return { cursor, has_more: cursor !== null, ...counted, page_size: size };
}

/** Keeps the first `keep` items and makes a new cursor after the last of them, so that nothing is lost. */
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

/** Where a page starts: after the item with a key, or after a number of items. */
interface PageStart {
  readonly after: JsonValue | undefined;
  readonly offset: number;
}

/** All items before an offset are fetched and dropped, so the offset of an unsigned cursor is limited. */
const MAX_OFFSET = 10_000;

const listStart: PageStart = { after: undefined, offset: 0 };

type StartOptions = DecodeCursorOptions & { readonly acceptUnsigned?: boolean | undefined };

function readOffset(offset: JsonValue | undefined): number {
  if (typeof offset !== "number" || !Number.isInteger(offset) || offset < 0) throw refuseCursor("malformed");
  if (offset > MAX_OFFSET) throw refuseCursor("offset");
  return offset;
}

function assertItems(rows: unknown): void {
  if (Array.isArray(rows)) return;
  throw new ContractError("INVALID_OPTION", "`fetch` returned no array: return the items.");
}

/**
 * The start that a cursor gives. Ours name the last item sent; unsigned cursors of other servers may use
 * another name, or an offset.
 */
async function readStart(cursor: string, options: StartOptions): Promise<PageStart> {
  const { acceptUnsigned } = options;
  const { after, last_id: lastId, offset } = await decodeCursor(cursor, options);
  if (after !== undefined) return { after, offset: 0 };
  if (acceptUnsigned !== true) throw refuseCursor("malformed");
  return lastId === undefined
    ? { after: undefined, offset: readOffset(offset) }
    : { after: lastId, offset: 0 };
}

interface PassedOver {
  readonly after: JsonValue | undefined;
  readonly isPastEnd: boolean;
}

type FetchItems<Item> = (
  after: JsonValue | undefined,
  limit: number,
) => Promise<readonly Item[]> | readonly Item[];

/** The key after which the page starts, once the items before an offset are skipped. */
async function passOver<Item>(
  { after, offset }: PageStart,
  fetch: FetchItems<Item>,
  keyOf: (item: Item) => JsonValue,
): Promise<PassedOver> {
  let last = after;
  for (let left = offset; left > 0;) {
    // `fetch` may return fewer items than requested; only an empty list is the end.
    const given = await fetch(last, left);
    assertItems(given);
    const rows = given.slice(0, left);
    const item = rows.at(-1);
    if (item === undefined) return { after: last, isPastEnd: true };
    last = keyOf(item);
    left -= rows.length;
  }
  return { after: last, isPastEnd: false };
}
