import { ContractError } from "../../../core/contract/contract-error.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { type MaybePromise, chain } from "../../../core/pipeline/maybe-promise.ts";
import type { DecodeCursorOptions } from "./cursor-options.ts";
import { readCursor } from "./cursor.ts";
import { refuseCursor } from "./refuse-cursor.ts";

/** Where a page starts: after the item with a key, or after so many items. */
interface PageStart {
  readonly after: JsonValue | undefined;
  readonly offset: number;
}

/** Everything before an offset is fetched and thrown away, so a stranger's cursor may not name any number. */
const MAX_OFFSET = 10_000;

type StartOptions = DecodeCursorOptions & {
  readonly cursor?: string | null | undefined;
  readonly acceptUnsigned?: boolean | undefined;
};

function readOffset(offset: JsonValue | undefined): number {
  if (typeof offset !== "number" || !Number.isInteger(offset) || offset < 0) throw refuseCursor("malformed");
  if (offset > MAX_OFFSET) throw refuseCursor("offset");
  return offset;
}

export function assertItems(rows: unknown): void {
  if (Array.isArray(rows)) return;
  throw new ContractError("INVALID_OPTION", "`fetch` returned no array: return the items.");
}

/** What a cursor says. Ours name the last item sent; unsigned ones of other servers may name it differently, or count. */
export function readStart(options: StartOptions): MaybePromise<PageStart> {
  const { cursor, acceptUnsigned } = options;
  if (cursor === undefined || cursor === null) return { after: undefined, offset: 0 };
  return chain(readCursor(cursor, options), ({ after, last_id: lastId, offset }) => {
    if (after !== undefined) return { after, offset: 0 };
    if (acceptUnsigned !== true) throw refuseCursor("malformed");
    return lastId === undefined
      ? { after: undefined, offset: readOffset(offset) }
      : { after: lastId, offset: 0 };
  });
}

interface PassedOver {
  readonly after: JsonValue | undefined;
  readonly isPastEnd: boolean;
}

type FetchItems<Item> = (after: JsonValue | undefined, limit: number) => MaybePromise<readonly Item[]>;

/** The key that the page starts after, once the items before an offset are passed over. */
export function passOver<Item>(
  { after, offset }: PageStart,
  fetch: FetchItems<Item>,
  keyOf: (item: Item) => JsonValue,
): MaybePromise<PassedOver> {
  return offset === 0 ? { after, isPastEnd: false } : passItems(after, offset, fetch, keyOf);
}

async function passItems<Item>(
  after: JsonValue | undefined,
  offset: number,
  fetch: FetchItems<Item>,
  keyOf: (item: Item) => JsonValue,
): Promise<PassedOver> {
  let last = after;
  for (let left = offset; left > 0;) {
    // A `fetch` may give fewer items than it is asked for; only none at all is the end.
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
