import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { largeJson } from "../../../test/arbitrary/large-json.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { allPages, archived, itemsOf, joinPages, pointersOf } from "./archive.fixture.ts";

const files = Array.from({ length: 60 }, (_, index) => ({
  id: `file-${index}`,
  name: index === 41 ? "needle.ts" : `plain-${index}.ts`,
  type: index % 3 === 0 ? "directory" : "file",
}));
/** As server-filesystem hands a tree over: text in a field of the structured form. */
const tree = { content: JSON.stringify(files, null, 2) };

describe("records in a text that is JSON", () => {
  test("are found by match, by words and by their ids, and their pointers lead back", async () => {
    const { ask } = await archived(tree);
    for (const request of [{ match: { name: "needle.ts" } }, { query: "needle" }, { ids: ["file-41"] }]) {
      const answer = await ask(request);
      expect(itemsOf(answer)).toEqual([{ pointer: "/content/41", value: files[41] }]);
    }
    for (const request of [{ pointer: "/content/41" }, { ids: ["/content/41"] }])
      expect(itemsOf(await ask(request))).toEqual([{ pointer: "/content/41", value: files[41] }]);
    expect(pointersOf(await ask({ pointer: "/content/3..4" }))).toEqual(["/content/3", "/content/4"]);
    expect(pointersOf(await ask({ pointer: "/content", match: { type: "directory" }, limit: 2 }))).toEqual([
      "/content/0",
      "/content/3",
    ]);
  });

  test("are found without the archive's name", async () => {
    const { ask } = await archived(tree);
    expect(pointersOf(await ask({ archive: undefined, ids: ["file-7"] }))).toEqual(["/content/7"]);
  });

  test("are counted where limit is 0", async () => {
    const { data } = await (await archived(tree)).ask({ limit: 0 });
    expect(data).toMatchObject({ items: 60, collections: [{ pointer: "/content", count: 60 }] });
  });

  test("leave the text itself as it is, whole and in pieces", async () => {
    const { ask } = await archived(tree);
    expect(joinPages(await allPages(ask, { pointer: "/content" }))).toEqual([
      { pointer: "/content", value: tree.content },
    ]);
    expect(itemsOf(await ask({ ids: ["/content#char=0-9"] }))).toEqual([
      { pointer: "/content#char=0-9", value: tree.content.slice(0, 9) },
    ]);
  });

  test("are not made of a text that only looks like JSON", async () => {
    const { ask } = await archived({ content: `{ not JSON ${"at all ".repeat(20)} }` });
    expect((await ask({ query: "JSON" })).data).toMatchObject({ matched: 1 });
    await expect(ask({ pointer: "/content/0" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("come back by whatever pointer a search gave them", async () => {
    await fc.assert(
      fc.asyncProperty(largeJson, fc.nat(), async (value, seed) => {
        const { ask } = await archived({ content: JSON.stringify(value) }, { budgetTokens: "off" });
        const found = itemsOf(await ask({ match: {} }));
        const { pointer = "", value: item } = found[seed % Math.max(1, found.length)] ?? {};
        if (found.length === 0 || Array.isArray(item)) return;
        expect(itemsOf(await ask({ ids: [pointer] }))).toContainEqual({ pointer, value: item });
      }),
      lawRuns(1_000, 40),
    );
  });
});

describe("a piece of a text", () => {
  test("ends with a line where one ends near", async () => {
    const text = Array.from({ length: 400 }, (_, at) => `line ${at} of a source file\n`).join("");
    const { ask } = await archived({ body: text }, { budgetTokens: 600 });
    const pages = await allPages(ask, { pointer: "/body" });
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) expect(itemsOf(page)[0]?.text).toMatch(/\n$/);
    expect(joinPages(pages)).toEqual([{ pointer: "/body", value: text }]);
  });
});
