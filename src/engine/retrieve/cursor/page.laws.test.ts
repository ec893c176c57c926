import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { agreesWithCursor } from "../../../core/contract/meta.ts";
import { type Page, type PageRequest, page, shrinkPage } from "./page.ts";

const runs = lawRuns(1_000);
const options = { keys: "an old and well-kept secret", now: (): Date => new Date("2026-08-01T10:00:00Z") };
const sorted = fc.uniqueArray(fc.integer(), { maxLength: 24 }).map((list) => list.sort((a, b) => a - b));
const sizes = fc.integer({ min: 1, max: 30 });
const key = (item: number): number => item;

async function* walk(
  all: readonly number[],
  limit: number,
  cut: (whole: Page<number>) => Promise<Page<number>>,
): AsyncGenerator<Page<number>> {
  const fetch = ({ after, limit: count }: PageRequest): readonly number[] =>
    all.filter((item) => after === undefined || item > Number(after)).slice(0, count);
  let cursor: string | null = null;
  do {
    const next: Page<number> = await cut(await page({ ...options, fetch, key, limit, cursor }));
    yield next;
    cursor = next.pagination.cursor ?? null;
  } while (cursor !== null);
}

async function walkAll(all: readonly number[], limit: number, keep: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { items, pagination } of walk(all, limit, (whole) =>
    shrinkPage(whole, keep, { ...options, key }),
  )) {
    seen.push(...items);
    expect(pagination.has_more).toBe(pagination.cursor !== null);
    expect(agreesWithCursor(pagination)).toBe(true);
    expect(items.length).toBeLessThanOrEqual(Math.min(limit, keep));
  }
  return seen;
}

describe("page", () => {
  test("walked to the end yields every item exactly once, in order", () =>
    fc.assert(
      fc.asyncProperty(sorted, sizes, async (all, limit) => {
        expect(await walkAll(all, limit, limit)).toEqual(all);
      }),
      runs,
    ));

  test("shrunk to any size on the way still yields every item exactly once, in order", () =>
    fc.assert(
      fc.asyncProperty(sorted, sizes, sizes, async (all, limit, keep) => {
        expect(await walkAll(all, limit, keep)).toEqual(all);
      }),
      runs,
    ));
});
