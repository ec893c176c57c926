import type { CursorKeys, SignedCursorOptions } from "../cursor/cursor-options.ts";
import { decodeCursor, encodeCursor } from "../cursor/cursor.ts";
import { refuseCursor } from "../cursor/refuse-cursor.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import type { PagePlace } from "./page-items.ts";

/** What a cursor is bound to: this archive, this question, this tenant. */
export interface PageKey {
  readonly hash: string;
  readonly asked: JsonObject;
  readonly tenant: string;
  readonly keys: CursorKeys;
  readonly now?: (() => number) | undefined;
}

function optionsOf({ hash, asked, tenant, keys, now }: PageKey): SignedCursorOptions {
  return {
    keys,
    tool: "waybill_retrieve",
    filters: [hash, asked],
    tenant,
    now: now === undefined ? undefined : () => new Date(now()),
  };
}

/** A place as a cursor; the keys are short because the cursor costs tokens. */
export function writePlace({ item, slice }: PagePlace, key: PageKey): Promise<string> {
  const position = slice === undefined ? { i: item } : { i: item, u: slice.unit, c: slice.codePoint };
  return encodeCursor(position, optionsOf(key));
}

/** Where a request's page begins: at its cursor, which must point at one of `count` items, or at the first. */
export async function readPlace(cursor: string | undefined, count: number, key: PageKey): Promise<PagePlace> {
  if (cursor === undefined) return { item: 0 };
  const { i: item, u: unit, c: codePoint } = await decodeCursor(cursor, optionsOf(key));
  if (!isOffset(item) || item >= count) throw refuseCursor("malformed");
  if (unit === undefined && codePoint === undefined) return { item };
  if (!isOffset(unit) || !isOffset(codePoint)) throw refuseCursor("malformed");
  return { item, slice: { unit, codePoint } };
}

function isOffset(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
