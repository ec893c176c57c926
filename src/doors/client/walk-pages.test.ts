import { describe, expect, it } from "vitest";
import { encodeTables } from "../../core/json/table/encode-tables.ts";
import { pagesOf, temporary } from "./paged-server.fixture.ts";
import type { ResponseError } from "../../core/contract/response-error.ts";
import { failure, resultOf, scripted, success } from "./scripted.fixture.ts";

const records = Array.from({ length: 7 }, (_, at) => ({ id: `r${at}` }));
const page = (items: readonly object[], cursor: string | null, more: object = {}) =>
  success({ items }, { requestId: "req_p", pagination: { cursor, has_more: cursor !== null, ...more } });

async function drain<Item>(
  walk: AsyncIterable<Item>,
): Promise<{ found: Item[]; error: ResponseError | undefined }> {
  const found: Item[] = [];
  try {
    for await (const one of walk) found.push(one);
    return { found, error: undefined };
  } catch (error) {
    return { found, error: error as ResponseError };
  }
}

describe("pages", () => {
  // shows 004.75
  it("gives every page, the last and an empty one too, and fetches none before it is asked for", async () => {
    const { client, calls } = scripted([pagesOf(records)]);
    const walk = client.pages("work", { q: 1 });
    expect(calls).toEqual([]);
    const { found } = await drain(walk);
    expect(found.map(({ pagination }) => pagination?.cursor)).toEqual(["2", "4", "6", null]);
    expect(calls.map(({ arguments: args }) => args)).toEqual([
      { q: 1 },
      { q: 1, cursor: "2" },
      { q: 1, cursor: "4" },
      { q: 1, cursor: "6" },
    ]);
    expect((await drain(scripted([page([], null)]).client.pages("work"))).found).toHaveLength(1);
  });

  it("is one page where the tool does not page", async () => {
    const { client } = scripted([success({ n: 1 })]);
    expect((await drain(client.pages("work"))).found).toMatchObject([{ data: { n: 1 } }]);
  });

  it("sends the cursor where the tool's schema has it", async () => {
    const inputSchema = { type: "object", properties: { _waybill: { type: "object" } } };
    const { client, calls } = scripted([page([{ id: 1 }], "c1"), page([{ id: 2 }], null)], { inputSchema });
    await drain(client.pages("work", { _waybill: { fields: ["id"] } }));
    expect(calls[1]?.arguments).toEqual({ _waybill: { fields: ["id"], cursor: "c1" } });
  });

  it("ends with the last page though a cursor comes with it", async () => {
    const over = {
      success: true,
      data: {},
      error: null,
      meta: { pagination: { cursor: "c1", has_more: false } },
    };
    const { found, error } = await drain(scripted([page([], "c1"), resultOf(over)]).client.pages("work"));
    expect([found.length, error]).toEqual([2, undefined]);
  });

  it("stops at a cursor that does not advance, and says which", async () => {
    const { client, calls } = scripted([page([{ id: 1 }], "c1"), page([{ id: 2 }], "c1")]);
    const { found, error } = await drain(client.pages("work"));
    expect([found.length, calls.length]).toEqual([2, 2]);
    expect(error).toMatchObject({
      code: "CURSOR_STUCK",
      requestId: "req_p",
      progress: { pages: 2, items: 0, cursor: "c1" },
      details: { tool: "work" },
    });
  });

  it("stops at cursors that go round", async () => {
    const { client } = scripted([page([{ id: 1 }], "a"), page([{ id: 2 }], "b"), page([{ id: 3 }], "a")]);
    expect((await drain(client.pages("work"))).error).toMatchObject({ code: "CURSOR_STUCK" });
  });

  it("refuses more pages without a cursor", async () => {
    const meta = { request_id: "req_p", pagination: { has_more: true } };
    const { client } = scripted([resultOf({ success: true, data: {}, error: null, meta })]);
    expect((await drain(client.pages("work"))).error).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining("there is no cursor"),
      requestId: "req_p",
    });
  });

  it("stops quietly after as many as were asked for, and goes on from there", async () => {
    const { client } = scripted([pagesOf(records)]);
    const { found, error } = await drain(client.pages("work", {}, { maxPages: 2 }));
    expect([found.length, error]).toEqual([2, undefined]);
    const rest = await drain(client.items("work", {}, { from: found[1]?.pagination?.cursor ?? "" }));
    expect(rest.found).toEqual(records.slice(4));
  });

  it("makes an error of pages without an end, where no part was asked for", async () => {
    let made = 0;
    const { client } = scripted([() => page([], String(++made))]);
    const { found, error } = await drain(client.pages("work"));
    expect(found).toHaveLength(10_000);
    expect(error).toMatchObject({ code: "TOO_MANY_PAGES", progress: { pages: 10_000, cursor: "10000" } });
  });

  it("pauses where the limit is used up", async () => {
    const rateLimit = { limit: 1, remaining: 0, reset_at: "2026-01-01T00:00:10Z" };
    const first = success({ items: [] }, { rateLimit, pagination: { cursor: "c", has_more: true } });
    const { client, pauses } = scripted([first, page([], null)]);
    await drain(client.pages("work"));
    expect(pauses).toEqual([10_000]);
  });

  it("stops at an abort, between pages too", async () => {
    const control = new AbortController();
    const { client, calls } = scripted([pagesOf(records)]);
    const walk = client.pages("work", {}, { signal: control.signal });
    await walk.next();
    control.abort("enough");
    await expect(walk.next()).rejects.toBe("enough");
    expect(calls).toHaveLength(1);
  });
});

describe("items", () => {
  it("gives every item once, in order, through pages that are empty or shrink", async () => {
    const sizes = [3, 0, 1, 2, 1];
    let made = 0;
    const { client } = scripted([
      ({ arguments: args = {} }) => {
        const offset = Number.parseInt((args["cursor"] ?? "0") as string, 10);
        const end = offset + (sizes[made++ % sizes.length] ?? 1);
        return page(records.slice(offset, end), end < records.length ? `${end}:${made}` : null);
      },
    ]);
    expect((await drain(client.items("work"))).found).toEqual(records);
  });

  it("keeps to the list it began with, though another is longer on a later page", async () => {
    const twoLists = (items: readonly object[], notes: readonly object[], cursor: string | null) =>
      success({ notes, items }, { pagination: { cursor, has_more: cursor !== null } });
    const steps = [
      twoLists([{ id: 1 }, { id: 2 }], [{ n: 1 }], "c"),
      twoLists([{ id: 3 }], [{ n: 2 }, { n: 3 }], null),
    ];
    expect((await drain(scripted(steps).client.items("work"))).found).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ]);
    const named = await drain(scripted(steps).client.items("work", {}, { path: "notes" }));
    expect(named.found).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    const pointed = await drain(scripted(steps).client.items("work", {}, { path: "/notes" }));
    expect(pointed.found).toEqual(named.found);
  });

  it("reads lists that travel as tables", async () => {
    const rows = Array.from({ length: 9 }, (_, id) => ({ id, name: `n${id}`, state: "open" }));
    const data = encodeTables({ rows }) as object;
    expect(data).not.toEqual({ rows });
    expect((await drain(scripted([success(data as never)]).client.items("work"))).found).toEqual(rows);
  });

  it("refuses a path without a list, and says how far it had come", async () => {
    const { client } = scripted([pagesOf(records)]);
    const { error } = await drain(client.items("work", {}, { path: "rows" }));
    expect(error).toMatchObject({
      code: "NOT_AS_ASKED",
      message: expect.stringContaining("there is no list at rows"),
      remediation: expect.stringContaining("Lists are at /"),
      requestId: "req_0",
      progress: { pages: 0, items: 0, cursor: null },
    });
  });

  it("refuses a page that came before, under whatever cursor", async () => {
    const [a, b] = [[{ id: 1 }, { id: 2 }], [{ id: 3 }]];
    const { client } = scripted([page(a, "c1"), page(b, "c2"), page(a, "c3")]);
    const { found, error } = await drain(client.items("work"));
    expect(found).toEqual([...a, ...b]);
    expect(error).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining("a page came twice"),
      requestId: "req_p",
      progress: { pages: 2, items: 3, cursor: "c2" },
    });
  });

  it("takes equal pages of items without ids as they are, up to what the server says there is", async () => {
    const ticks = [{ level: "info" }];
    const short = scripted([page(ticks, "1"), page(ticks, "2"), page(ticks, null)]);
    expect((await drain(short.client.items("work"))).found).toHaveLength(3);
    const total = { total_count: 2 };
    const long = scripted([page(ticks, "1", total), page(ticks, "2", total), page(ticks, "3", total)]);
    expect(await drain(long.client.items("work"))).toMatchObject({
      found: [{}, {}],
      error: { message: expect.stringContaining("a page came twice") },
    });
  });

  it("keeps what came before a lost connection, and goes on from there", async () => {
    const lost = pagesOf(records, {
      faultAt: (call) => (call === 2 ? new Error("socket closed") : undefined),
    });
    const { client } = scripted([lost]);
    const { found, error } = await drain(client.items("work"));
    expect(found).toEqual(records.slice(0, 4));
    expect(error).toMatchObject({
      code: "UNAVAILABLE",
      message: "socket closed",
      details: { executed: "unknown" },
      progress: { pages: 2, items: 4, cursor: "4" },
    });
    const rest = await drain(client.items("work", {}, { from: error?.progress?.cursor ?? "" }));
    expect([...found, ...rest.found]).toEqual(records);
  });

  it("does not notice a failure that passes", async () => {
    const flaky = pagesOf(records, { faultAt: (call) => (call % 2 === 0 ? temporary : undefined) });
    const { client, pauses } = scripted([flaky], { hints: { readOnlyHint: true } });
    expect((await drain(client.items("work"))).found).toEqual(records);
    expect(pauses).toHaveLength(4);
  });

  it("ends where a server limits for ever, with what came before", async () => {
    const limited = failure("Too many", {
      errorCode: "RATE_LIMIT_EXCEEDED",
      data: { retry_after_seconds: 1 },
    });
    const { client } = scripted([pagesOf(records, { faultAt: (call) => (call > 0 ? limited : undefined) })]);
    const { found, error } = await drain(client.items("work"));
    expect(found).toEqual(records.slice(0, 2));
    expect(error).toMatchObject({
      code: "RATE_LIMIT_EXCEEDED",
      progress: { pages: 1, items: 2, cursor: "2" },
    });
  });
});
