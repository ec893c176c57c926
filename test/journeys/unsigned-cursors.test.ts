// Clients that hold cursors of the servers the contract comes from: base64 of {"offset"} or {"last_id"}, unsigned.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { contractClient } from "../../src/doors/client/contract-client.ts";
import { defaultSettings } from "../../src/engine/settings/settings.ts";
import type { JsonValue } from "../../src/core/json/json-value.ts";
import { type PageRequest, page } from "../../src/engine/retrieve/cursor/page.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { openServer } from "./cut-results.fixture.ts";

interface Task {
  readonly id: string;
}

const tasks: readonly Task[] = Array.from({ length: 150 }, (_, index) => ({
  id: `task-${String(index + 1).padStart(3, "0")}`,
}));

function after(all: readonly Task[], { after: last, limit }: PageRequest): readonly Task[] {
  return all.filter(({ id }) => typeof last !== "string" || id > last).slice(0, limit);
}

const cursorOf = (position: JsonValue): string => btoa(JSON.stringify(position));

const accepting = { ...defaultSettings, cursors: { acceptUnsigned: true, expiresInDays: 7 } };

const query = defineTool(
  "task",
  {
    description: "Lists tasks",
    inputSchema: z.object({ cursor: z.string().optional(), limit: z.number().optional() }),
  },
  (_args, ctx) =>
    ctx.page({ path: "tasks", fetch: (request) => after(tasks, request), key: ({ id }: Task) => id }),
);

describe("an unsigned cursor, where a server accepts them", () => {
  // shows 004.62
  it.each([
    ["the cursor of source 004, line 303", "eyJvZmZzZXQiOjIwfQ=="],
    ["an offset with its version", cursorOf({ offset: 20, version: 1 })],
    ["the last id", cursorOf({ last_id: "task-020" })],
    ["our own form", cursorOf({ after: "task-020" })],
  ])("leads to the next page: %s", async (_name, cursor) => {
    const { client } = await openServer({ config: accepting }, [query]);
    const { data, pagination } = await contractClient(client).call("task", { cursor, limit: 20 });
    const { tasks: listed } = data as unknown as { tasks: readonly Task[] };
    expect([listed[0]?.id, listed.at(-1)?.id, listed.length]).toEqual(["task-021", "task-040", 20]);
    expect(pagination).toMatchObject({ has_more: true, page_size: 20 });
  });

  // shows 004.62
  it("hands over to signed cursors, so that every task comes once", async () => {
    const { client } = await openServer({ config: accepting }, [query]);
    const tools = contractClient(client);
    const ids: string[] = [];
    for await (const { data } of tools.pages("task", { limit: 50 }, { from: "eyJvZmZzZXQiOjIwfQ==" }))
      ids.push(...(data as unknown as { tasks: readonly Task[] }).tasks.map(({ id }) => id));
    expect(ids).toEqual(tasks.slice(20).map(({ id }) => id));
  });

  it("is refused everywhere else", async () => {
    const { client } = await openServer({}, [query]);
    const tried = await contractClient(client).tryCall("task", { cursor: "eyJvZmZzZXQiOjIwfQ==" });
    expect(tried).toMatchObject({ ok: false, error: { code: "INVALID_CURSOR" } });
  });
});

describe("page() with acceptUnsigned", () => {
  const options = {
    fetch: (request: PageRequest) => after(tasks, request),
    key: ({ id }: Task) => id,
    keys: "an old and well-kept secret",
    acceptUnsigned: true,
    limit: 10,
  };

  it.each([
    [0, "task-001", 10, true],
    [149, "task-150", 1, false],
    [150, undefined, 0, false],
    [10_000, undefined, 0, false],
  ])("counts %d items", async (offset, first, count, hasMore) => {
    const { items, pagination } = await page({ ...options, cursor: cursorOf({ offset }) });
    expect([items[0]?.id, items.length, pagination.has_more]).toEqual([first, count, hasMore]);
  });

  it("counts by what fetch gives, which may be less than it is asked for", async () => {
    const stingy = (request: PageRequest) => after(tasks, request).slice(0, 11);
    const { items } = await page({ ...options, fetch: stingy, cursor: cursorOf({ offset: 100 }) });
    expect(items[0]?.id).toBe("task-101");
  });

  it.each([
    ["offset", { offset: 10_001 }],
    ["malformed", { offset: -1 }],
    ["malformed", { offset: 1.5 }],
    ["malformed", { offset: "20" }],
    ["malformed", { page: 2 }],
  ])("refuses with the reason %s: %j", async (reason, position) => {
    await expect(page({ ...options, cursor: cursorOf(position) })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
      details: { cursor_reason: reason },
    });
  });
});

describe("a page without the key error, as source 004 shows one", () => {
  const envelope = {
    success: true,
    data: { tasks: [{ id: "task-001" }] },
    meta: {
      version: "response-v2",
      request_id: "req_1",
      pagination: { cursor: "eyJvZmZzZXQiOjIwfQ==", has_more: true, total_count: 150, page_size: 20 },
    },
  };
  const answer = async () => ({ content: [{ type: "text", text: JSON.stringify(envelope) }] });

  it("is read, with its page", async () => {
    const { data, pagination, dialect } = await contractClient(answer).call("task");
    expect({ data, dialect, total: pagination?.total_count }).toEqual({
      data: { tasks: [{ id: "task-001" }] },
      dialect: "response-v2",
      total: 150,
    });
  });

  // shows 004.57
  it("is refused by a strict client", async () => {
    const tried = await contractClient(answer, { strict: true, retry: false }).tryCall("task");
    expect(tried).toMatchObject({ ok: false, error: { code: "INVALID_RESPONSE" } });
  });

  it("is no success that lost its error", async () => {
    const failed = async () => ({
      content: [{ type: "text", text: JSON.stringify({ ...envelope, success: false }) }],
    });
    const tried = await contractClient(failed, { retry: false }).tryCall("task");
    expect(tried).toMatchObject({ ok: false, error: { code: "INVALID_RESPONSE" } });
  });
});
