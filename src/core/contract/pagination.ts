import * as z from "zod/mini";
import { count } from "./meta-fields.ts";

/** A page size outside this range is clamped, never refused. */
const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

const positive = z.int().check(z.minimum(1));

export const paginationSchema = z
  .looseObject({
    cursor: z.nullish(z.string()),
    has_more: z.nullish(z.boolean()),
    total_count: z.nullish(count),
    page_size: z.nullish(positive),
    page: z.nullish(positive),
  })
  .register(z.globalRegistry, {
    id: "Pagination",
    description: "Where the next page is; `has_more: false` exactly when there is no cursor.",
  });

export interface Pagination {
  readonly cursor?: string | null;
  readonly has_more?: boolean;
  readonly total_count?: number;
  readonly page_size?: number;
  readonly page?: number;
}

/** There are more pages exactly if there is a cursor. A missing field contradicts nothing. */
export function agreesWithCursor(pagination: Pagination): boolean {
  if (pagination.has_more === undefined || pagination.has_more === null) return true;
  const cursor = pagination.cursor ?? "";
  return pagination.has_more === (cursor !== "");
}

/** The effective limit of a request: default 100, at least 1, at most 1,000 (or the tool's own maximum). */
export function clampPageSize(
  asked: number | undefined,
  limits: { fallback?: number; max?: number } = {},
): number {
  const max = limits.max ?? MAX_PAGE_SIZE;
  const size = asked === undefined || Number.isNaN(asked) ? (limits.fallback ?? DEFAULT_PAGE_SIZE) : asked;
  return Math.min(Math.max(1, Math.trunc(size)), max);
}
