import { describe, expect, test } from "vitest";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { encodeCursor } from "./cursor.ts";
import { type PageOptions, type PageRequest, page, shrinkPage } from "./page.ts";

interface Task {
  readonly id: number;
  readonly name?: string;
}

const keys = "an old and well-kept secret";
const now = (): Date => new Date("2026-08-01T10:00:00Z");
const tasks: readonly Task[] = [1, 2, 3, 4, 5, 6].map((id) => ({ id }));
const key = (task: Task): number => task.id;
const ids = (items: readonly Task[]): number[] => items.map(key);

function fetchFrom(all: readonly Task[]) {
  return ({ after, limit }: PageRequest): readonly Task[] =>
    all.filter((task) => after === undefined || task.id > Number(after)).slice(0, limit);
}

const fetch = fetchFrom(tasks);
const base = { fetch, key, keys, now };

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (ContractError.isInstance(error) ? error.code : (error as { code?: unknown }).code),
  );
}

describe("page", () => {
  test("asks for one item more than the page holds and sends it never", async () => {
    const asked: PageRequest[] = [];
    const spy = (request: PageRequest): readonly Task[] => (asked.push(request), fetch(request));
    const { items, pagination } = await page({ ...base, fetch: spy, limit: 4 });
    expect(asked).toEqual([{ after: undefined, limit: 5 }]);
    expect(ids(items)).toEqual([1, 2, 3, 4]);
    expect(pagination).toEqual({ cursor: expect.any(String), has_more: true, page_size: 4 });
  });

  test("resumes after the last item sent and ends with a null cursor", async () => {
    const first = await page({ ...base, limit: 4 });
    const second = await page({ ...base, limit: 4, cursor: first.pagination.cursor ?? null });
    expect(ids(second.items)).toEqual([5, 6]);
    expect(second.pagination).toEqual({ cursor: null, has_more: false, page_size: 4 });
  });

  // shows 004.59
  test("knows at the exact boundary that nothing follows", async () => {
    const { items, pagination } = await page({ ...base, limit: 6 });
    expect(items).toHaveLength(6);
    expect(pagination).toEqual({ cursor: null, has_more: false, page_size: 6 });
  });

  test("answers an empty list with an empty last page", async () => {
    expect(await page({ ...base, fetch: () => [] })).toEqual({
      items: [],
      pagination: { cursor: null, has_more: false, page_size: 100 },
    });
  });

  // shows 001.19, 004.21, 004.60
  test("writes total_count only when it is known", async () => {
    const { pagination } = await page({ ...base, limit: 2, total: 6 });
    expect(Object.keys(pagination)).toEqual(["cursor", "has_more", "total_count", "page_size"]);
    expect(pagination.total_count).toBe(6);
  });

  // shows 004.22, 004.61
  test.each([
    [undefined, undefined, 100],
    [0, undefined, 1],
    [-3, undefined, 1],
    [5_000, undefined, 1_000],
    [5_000, 50, 50],
    [2.9, undefined, 2],
    [Number.NaN, undefined, 100],
    [undefined, 25, 25],
  ])("clamps limit %s with maximum %s to %s", async (limit, maxLimit, size) => {
    const { pagination } = await page({ ...base, limit, maxLimit });
    expect(pagination.page_size).toBe(size);
  });

  test("cuts what fetch returns beyond what was asked", async () => {
    const { items, pagination } = await page({ ...base, fetch: () => tasks, limit: 2 });
    expect(ids(items)).toEqual([1, 2]);
    expect(pagination.has_more).toBe(true);
  });

  test("takes null as the first page and refuses an empty cursor", async () => {
    expect(ids((await page({ ...base, cursor: null, limit: 1 })).items)).toEqual([1]);
    expect(await codeOf(page({ ...base, cursor: "" }))).toBe("INVALID_CURSOR");
  });

  test("refuses a cursor of another tool, and one that holds no key", async () => {
    const foreign = await encodeCursor({ after: 2 }, { keys, now, tool: "other" });
    const offset = await encodeCursor({ offset: 2 }, { keys, now });
    expect(await codeOf(page({ ...base, cursor: foreign }))).toBe("INVALID_CURSOR");
    expect(await codeOf(page({ ...base, cursor: offset }))).toBe("INVALID_CURSOR");
  });

  test("resumes from any JSON key, null included", async () => {
    const seen: unknown[] = [];
    const rows: PageOptions<Task | null>["fetch"] = ({ after }) => (seen.push(after), [null, { id: 1 }]);
    const { pagination } = await page({ ...base, fetch: rows, key: (item) => item && { ...item }, limit: 1 });
    await codeOf(page({ ...base, fetch: rows, key: () => 5, limit: 9, cursor: pagination.cursor ?? null }));
    expect(seen).toEqual([undefined, null]);
  });

  const mistakes: [string, Partial<PageOptions<Task>>, string][] = [
    ["a key that is not JSON", { key: () => new Date() as never }, "NOT_JSON"],
    ["a key that is undefined", { key: () => undefined as never }, "NOT_JSON"],
    ["equal keys at the page edge", { key: (task) => Math.ceil(task.id / 2), limit: 1 }, "INVALID_OPTION"],
    ["a fetch that returns no array", { fetch: () => ({}) as never }, "INVALID_OPTION"],
    ["a maximum below one", { maxLimit: 0 }, "INVALID_OPTION"],
    ["a missing secret", { keys: "" }, "MISSING_KEY"],
  ];
  test.each(mistakes)("tells the programmer about %s", async (_name, change, code) => {
    expect(await codeOf(page({ ...base, limit: 2, ...change }))).toBe(code);
  });

  test("tells the programmer about a fetch that includes the item it resumes after", async () => {
    const inclusive = ({ after, limit }: PageRequest): readonly Task[] =>
      tasks.filter((task) => task.id >= Number(after ?? 0)).slice(0, limit);
    const { pagination } = await page({ ...base, fetch: inclusive, limit: 2 });
    const next = page({ ...base, fetch: inclusive, limit: 2, cursor: pagination.cursor ?? null });
    await expect(next).rejects.toThrow(/compare with >/);
  });

  test.each<[string, PageOptions<Task>["fetch"]]>([
    ["ignores where it should resume", ({ limit }) => tasks.slice(0, limit)],
    [
      "goes back behind it",
      ({ after, limit }) => tasks.filter(({ id }) => id >= Number(after ?? 0) - 1).slice(0, limit),
    ],
    ["ends with it", ({ after }) => (after === undefined ? tasks : tasks.slice(0, 2))],
  ])("tells the programmer about a fetch that %s", async (_, again) => {
    const { pagination } = await page({ ...base, fetch: again, limit: 2 });
    const next = page({ ...base, fetch: again, limit: 2, cursor: pagination.cursor ?? null });
    await expect(next).rejects.toThrow(/start strictly after `after`, in the order of `key`/);
  });

  test("does not look at items beyond what it asked for", async () => {
    const more = ({ after }: PageRequest): readonly Task[] =>
      after === undefined ? tasks : [...tasks.slice(2), ...tasks];
    const { pagination } = await page({ ...base, fetch: more, limit: 2 });
    const { items } = await page({ ...base, fetch: more, limit: 2, cursor: pagination.cursor ?? null });
    expect(ids(items)).toEqual([3, 4]);
  });
});

describe("shrinkPage", () => {
  const options = { key, keys, now };

  test("re-mints the cursor after the last kept item", async () => {
    const whole = await page({ ...base, limit: 6, total: 6 });
    const { items, pagination } = await shrinkPage(whole, 2, options);
    expect(ids(items)).toEqual([1, 2]);
    expect(pagination).toMatchObject({ has_more: true, total_count: 6, page_size: 6 });
    const rest = await page({ ...base, cursor: pagination.cursor ?? null });
    expect(ids(rest.items)).toEqual([3, 4, 5, 6]);
  });

  test("leaves a page alone that keeps everything", async () => {
    const whole = await page({ ...base, limit: 4 });
    expect(await shrinkPage(whole, 4, options)).toEqual(whole);
    const empty = { items: [], pagination: { cursor: null, has_more: false, page_size: 4 } };
    expect(await shrinkPage(empty, 0, options)).toEqual(empty);
  });

  test.each([0, -1, 1.5, Number.NaN])("refuses to keep %d items", async (keep) => {
    expect(await codeOf(shrinkPage(await page(base), keep, options))).toBe("INVALID_OPTION");
  });
});
