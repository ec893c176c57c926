import { describe, expect, test } from "vitest";
import { allPages, archived, contextFor, itemsOf } from "./archive.fixture.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { retrieve } from "./retrieve.ts";

const lines = Array.from(
  { length: 900 },
  (_, at) => `${at % 2 === 0 ? "info valve" : "info pump"} step ${at}`,
);
lines[700] = "the valve of the pump refused to close";
const log = `${lines.join("\n")}\n`;

describe("a query about a long text", () => {
  test("gives passages with their lines, best first, in 2,000 tokens", async () => {
    const { ask, context } = await archived(log, { budgetTokens: 8_000 });
    const { data, pagination } = await ask({ query: "pump refused" });
    expect(itemsOf({ data })[0]).toEqual({
      pointer: "",
      lines: "700-702",
      text: lines.slice(699, 702).join("\n"),
    });
    expect(context.count(JSON.stringify(data))).toBeLessThanOrEqual(2_000);
    expect(data["returned"]).toBe(30);
    expect(pagination).toMatchObject({ has_more: true, page_size: 30 });
  });

  test("gives more where a limit says so", async () => {
    const { ask } = await archived(log, { budgetTokens: 20_000 });
    expect((await ask({ query: "pump", limit: 200 })).data).toMatchObject({ matched: 300, returned: 200 });
    expect((await ask({ query: "pump", limit: 2 })).data["returned"]).toBe(2);
  });

  test("puts a passage with all words before one that has some of them often", async () => {
    const often = "cold cold cold\n".repeat(3);
    const text = `${often}${"filler words here\n".repeat(200)}cold then much later water\n${often}`;
    const { ask } = await archived(text);
    expect(itemsOf(await ask({ query: "cold water" }))[0]).toMatchObject({
      text: expect.stringContaining("water") as unknown,
    });
  });

  test("names characters where a passage is a part of a line, and the name gives exactly those", async () => {
    const page = `${"<p>Näch 😀 words of a page.</p>".repeat(200)}<p>The warranty lasts 36 months.</p>${"<p>More.</p>".repeat(99)}`;
    const { ask } = await archived({ url: "https://a.example", page });
    const [found] = itemsOf(await ask({ query: "How long does the warranty last?" }));
    expect(found).toMatchObject({ lines: "1", text: expect.stringContaining("36 months") as unknown });
    expect(found?.pointer).toMatch(/^\/page#char=\d+-\d+$/);
    expect(itemsOf(await ask({ pointer: found?.pointer ?? "" }))[0]?.value).toBe(found?.text);
  });

  test("looks only in the text that is named", async () => {
    const { ask } = await archived({ out: log, err: log.replace("refused", "agreed") });
    const found = itemsOf(await ask({ query: "refused", pointer: "/out" }));
    expect(found).toEqual([{ pointer: "/out", lines: "700-702", text: expect.any(String) as unknown }]);
    expect(itemsOf(await ask({ query: "agreed" }))[0]?.pointer).toBe("/err");
  });

  test("comes in pages, each passage once, and lines give the same text again", async () => {
    const store = memoryStore();
    const { entry } = await store.put("ada", [log], { contentType: "text/plain" });
    const context = contextFor(store);
    const pages = await allPages((request) => retrieve({ archive: entry.hash, ...request }, context), {
      query: "valve",
    });
    const found = pages.flatMap((page) => itemsOf(page));
    expect(found).toHaveLength(Number(pages[0]?.data["matched"]));
    expect(new Set(found.map((item) => JSON.stringify(item))).size).toBe(found.length);
    const [first] = found as unknown as { readonly lines: string; readonly text: string }[];
    const again = await retrieve({ archive: entry.hash, lines: first?.lines ?? "" }, context);
    const shown = again.data["lines"] as unknown as { readonly text: string }[];
    expect(shown.map(({ text }) => text).join("\n")).toBe(first?.text);
  });
});

test("a query about rows gives ten at most, unless a limit says more", async () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ id: at, kind: "valve" }));
  const { ask } = await archived({ rows }, { budgetTokens: "off" });
  expect((await ask({ query: "valve" })).data).toMatchObject({ matched: 300, returned: 10 });
  expect((await ask({ query: "valve", limit: 50 })).data).toMatchObject({ returned: 50 });
});
