import { describe, expect, test } from "vitest";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { encodeTables } from "../../core/json/table/encode-tables.ts";
import { openQuestions } from "./question/open-questions.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { allPages, archived, contextFor } from "./archive.fixture.ts";
import { retrieve } from "./retrieve.ts";
import { joinSelected } from "./selected-pages.ts";

const findings = Array.from({ length: 400 }, (_, index) => ({
  id: `f-${index}`,
  rule: index % 2 === 0 ? "no-eval" : "no-shadow",
  line: index,
  message: `Finding ${index} says something that takes a few words`,
}));
const report = { total: 400, findings };
const questions = () => openQuestions();

function dataOf(pages: readonly { readonly data: JsonObject }[]): JsonObject[] {
  return pages.map(({ data }) => data);
}

/** As the counter of the fixture counts. */
function sizeOf({ message, remediation, details }: ToolFault): number {
  return JSON.stringify([message, remediation, details]).length / 3;
}

describe("select", () => {
  test("answers over the whole, and says from which archive and over how many records", async () => {
    const { ask, hash } = await archived(report, { questions });
    expect(await ask({ select: "length(findings)" })).toEqual({
      data: { archive: `sha256:${hash}`, verified: true, selected: 400, records: 400 },
    });
    expect((await ask({ select: "findings[?line > `397`].id" })).data["selected"]).toEqual([
      "f-398",
      "f-399",
    ]);
  });

  test.each<[string, JsonValue]>([
    ["a list in the wrapper of an envelope", { result: findings }],
    ["a list", findings],
  ])("is put to the tool's own value: %s", async (_, value) => {
    const { ask } = await archived(value, { questions });
    expect((await ask({ select: "[?id=='f-7'].line" })).data).toMatchObject({ selected: [7], records: 400 });
  });

  test("is put to lists, where the archive holds tables", async () => {
    const store = memoryStore();
    const tables = JSON.stringify(encodeTables(report));
    expect(tables).toContain("$table");
    const { entry } = await store.put("ada", [tables], { contentType: "application/json;encoding=table" });
    const context = contextFor(store, { questions });
    const { data } = await retrieve({ archive: entry.hash, select: "findings[3].message" }, context);
    expect(data["selected"]).toBe(findings[3]?.message);
  });

  test("pages a list that is over the budget; the pages join to all of it", async () => {
    const { ask, context } = await archived(report, { questions, budgetTokens: 1_000 });
    const pages = await allPages(ask, { select: "findings[*].{id: id, line: line}" });
    expect(pages.length).toBeGreaterThan(2);
    for (const { data, pagination } of pages) {
      expect(context.count(JSON.stringify(data))).toBeLessThanOrEqual(1_000);
      expect(data["records"]).toBe(400);
      expect(pagination?.total_count).toBe(400);
    }
    expect(joinSelected(dataOf(pages))).toEqual(findings.map(({ id, line }) => ({ id, line })));
  });

  test.each<[string, string]>([
    ["an object", "{all: findings}"],
    ["a text", "join(' ', findings[*].message)"],
    ["a list of large items", "[findings, findings[:2], findings]"],
  ])("gives %s over the budget in slices that join to it", async (_, select) => {
    const { ask, context, hash } = await archived(report, { questions, budgetTokens: 2_000 });
    const whole = await retrieve({ archive: hash, select }, { ...context, budgetTokens: "off" });
    const pages = await allPages(ask, { select });
    expect(pages[0]?.data).toHaveProperty("slice");
    expect(joinSelected(dataOf(pages))).toEqual(whole.data["selected"]);
  });

  test("is computed once for all pages of its answer", async () => {
    let asked = 0;
    const counting = async () => {
      const opened = await openQuestions();
      if (opened === undefined) return undefined;
      const ask: typeof opened.ask = (...args) => {
        asked++;
        return opened.ask(...args);
      };
      return { ...opened, ask };
    };
    const { ask } = await archived(report, { questions: counting, budgetTokens: 1_000 });
    expect((await allPages(ask, { select: "findings[*].id" })).length).toBeGreaterThan(1);
    expect(asked).toBe(1);
  });

  test("a cursor belongs to its question", async () => {
    const { ask } = await archived(report, { questions, budgetTokens: 1_000 });
    const { pagination } = await ask({ select: "findings[*].id" });
    const cursor = pagination?.cursor ?? "";
    await expect(ask({ select: "findings[*].line", cursor })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  test("takes limit for the size of a page", async () => {
    const { ask } = await archived(report, { questions });
    const { data, pagination } = await ask({ select: "findings[*].line", limit: 2 });
    expect(data["selected"]).toEqual([0, 1]);
    expect(pagination).toMatchObject({ has_more: true, page_size: 2, total_count: 400 });
  });

  test("refuses a wrong expression, an image, and an answer that is too long", async () => {
    const { ask, context } = await archived(report, { questions });
    await expect(ask({ select: "findings[?" })).rejects.toMatchObject({ code: "INVALID_FORMAT" });
    const image = await context.store.put("ada", [new Uint8Array([1])], { contentType: "image/png" });
    await expect(retrieve({ archive: image.entry.hash, select: "@" }, context)).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      details: { content_type: "image/png" },
    });
    const doubled = `findings${" | [@,@,@,@]".repeat(4)}`;
    await expect(ask({ select: doubled })).rejects.toMatchObject({ code: "TOO_LARGE" });
  });

  test("says what it missed, as far as the budget has room", async () => {
    const wide = Array.from({ length: 9 }, () =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`a rather long name of column ${at}`, at])),
    );
    const select = "length([?nowhere == 'x'])";
    const { ask } = await archived(wide, { questions });
    expect((await ask({ select })).data).toMatchObject({
      selected: 0,
      note: expect.stringContaining("column 7") as unknown,
    });
    const { ask: askBriefly } = await archived(wide, { questions, budgetTokens: 256 });
    expect((await askBriefly({ select })).data).toMatchObject({ selected: 0, records: 9 });
    const failing = "sum([0].nowhere)";
    const long = (await ask({ select: failing }).catch((error: unknown) => error)) as ToolFault;
    expect(sizeOf(long)).toBeGreaterThan(256);
    const brief = (await askBriefly({ select: failing }).catch((error: unknown) => error)) as ToolFault;
    expect(brief.code).toBe(long.code);
    expect(sizeOf(brief)).toBeLessThan(256);
  });

  test("is refused where no worker can start; the rest goes on", async () => {
    const { ask } = await archived(report, { questions: async () => undefined });
    await expect(ask({ select: "total" })).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
    expect((await ask({ pointer: "/total" })).data["returned"]).toBe(1);
  });
});
