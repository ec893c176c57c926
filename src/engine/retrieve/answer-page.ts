// One answer of `waybill_retrieve` with a list: as many items as the budget allows, with facts about the
// archive; a signed cursor leads to the rest.

import { handleOf } from "../../core/contract/wire-names.ts";
import type { Pagination } from "../../core/contract/meta.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import type { ArchiveEntry } from "../archive/archive-store.ts";
import type { CursorKeys } from "./cursor/cursor-options.ts";
import {
  type ItemPage,
  type PageKey,
  type PagePlace,
  type Paged,
  pageItems,
  writePlace,
} from "./page-items.ts";

/** The most that the envelope around the data costs, if the exact cost is unknown: keys, an id, the cursor. */
const ENVELOPE_TOKENS = 120;
/** As for every result: nothing useful fits below this budget. */
const FLOOR_TOKENS = 256;

/** The budget of an answer, and the keys that sign its cursor. */
export interface AnswerLimits {
  readonly tenant: string;
  readonly budgetTokens: number | "off";
  /** Stops once the count exceeds `limit` and then returns some number above it. */
  readonly count: (text: string, limit?: number) => number;
  /** The cost of an answer as it will be sent, in the same unit. */
  readonly weigh?: ((data: JsonObject, pagination?: Pagination) => number) | undefined;
  readonly cursorKeys: CursorKeys;
  readonly now?: (() => number) | undefined;
}

export interface RetrieveAnswer {
  readonly data: JsonObject;
  readonly pagination?: Pagination;
}

/**
 * Tokens that the budget leaves besides this answer; Infinity without a budget, below zero if the answer is
 * too large.
 */
export function tokensLeftFor(
  data: JsonObject,
  { budgetTokens, count, weigh }: Pick<AnswerLimits, "budgetTokens" | "count" | "weigh">,
  pagination?: Pagination,
): number {
  if (budgetTokens === "off") return Number.POSITIVE_INFINITY;
  // Written so that a budget that is not a number counts as the minimum.
  const budget = budgetTokens > FLOOR_TOKENS ? budgetTokens : FLOOR_TOKENS;
  if (weigh !== undefined) return budget - weigh(data, pagination);
  const room = budget - ENVELOPE_TOKENS;
  return room - count(JSON.stringify(data), room);
}

export function pageKey(entry: ArchiveEntry, asked: JsonObject, limits: AnswerLimits): PageKey {
  const { tenant, cursorKeys: keys, now } = limits;
  return { hash: entry.hash, asked, tenant, keys, now };
}

/** The list of an answer, and where its page begins. */
interface PageAsked extends Paged {
  readonly start: PagePlace;
  readonly maxItems: number;
  /** How many items are loaded from the start on, if not all. Default: all. */
  readonly atHand?: number | undefined;
  /** The data of a page, without the archive's name. */
  readonly frame: (page: Pick<ItemPage, "items" | "isPiece">, returned: number) => JsonObject;
}

const MAX_PAGE_SIZE = 1_000;
/** Room for a passage or a row; in less room, the hash would take more than the items. */
const LEAST_ROOM = 160;
const MAX_TRIES = 6;
/** No cursor is longer than a cursor to this place. */
const lastPlace = { item: 999_999_999, slice: { unit: 999_999_999, codePoint: 999_999_999 } } as const;

/** The most items of one page. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
}

export async function answerPage(paged: PageAsked, key: PageKey, limits: AnswerLimits): Promise<PageAnswer> {
  const { list, start, maxItems, frame } = paged;
  const paginate = (cursor: string | null): Pagination => ({
    cursor,
    has_more: cursor !== null,
    page_size: maxItems,
    total_count: list.count,
  });
  const longest = paginate(await writePlace(lastPlace, key));
  const names: readonly JsonObject[] = [
    { archive: `sha256:${key.hash}`, verified: true },
    { archive: handleOf(key.hash) },
  ];
  const empty = frame({ items: [], isPiece: false }, maxItems);
  const rooms = names.map((name) => tokensLeftFor({ ...name, ...empty }, limits, longest));
  // If there is hardly any room, the archive is named by its handle: the caller knows the hash.
  const chosen = (rooms[0] ?? 0) < LEAST_ROOM ? 1 : 0;
  const most = Math.min(maxItems, paged.atHand ?? maxItems);
  const room = rooms[chosen] ?? 0;
  const fill = async (roomTokens: number): Promise<Filled> => {
    const page = pageItems(paged, start, { maxItems: most, roomTokens, count: limits.count });
    const data = { ...names[chosen], ...frame(page, page.returned) };
    const pagination = paginate(page.next === undefined ? null : await writePlace(page.next, key));
    const left = limits.weigh === undefined ? 0 : tokensLeftFor(data, limits, pagination);
    const isWhole = start.item === 0 && !page.isPiece && page.next === undefined;
    return { answer: { data, pagination, isWhole }, page, left, roomTokens };
  };
  let filled = await fill(room);
  for (let tries = 0; filled.left < 0 && tries < MAX_TRIES; tries++)
    filled = await fill(lessRoom(filled.roomTokens, room, filled.left));
  if (!isLoose(filled)) return filled.answer;
  const fuller = await fill(filled.roomTokens + filled.left - (filled.page.spare ?? 0));
  return (fuller.left >= 0 ? fuller : filled).answer;
}

type PageAnswer = Required<RetrieveAnswer> & { readonly isWhole: boolean };

interface Filled {
  readonly answer: PageAnswer;
  readonly page: ItemPage;
  /** Tokens that the budget leaves besides the answer. */
  readonly left: number;
  readonly roomTokens: number;
}

/** A page this much emptier than its items' own counts say is worth a second try. */
const LOOSE_SHARE = 0.02;

/** Many short items weigh less in one text than one by one: the end of one and the start of the next are one token. */
function isLoose({ page, left, roomTokens }: Filled): boolean {
  if (page.next === undefined || page.spare === undefined) return false;
  return left - page.spare > roomTokens * LOOSE_SHARE;
}

/**
 * Joined pieces may split into different tokens: the excess is taken off. Where items weigh a multiple of their own
 * weight, as if both channels are shown, their share is.
 */
function lessRoom(tried: number, room: number, left: number): number {
  const less = tried + left - 1;
  return less > tried / 2 ? less : Math.max(less, Math.floor((tried * room) / (room - left)));
}
