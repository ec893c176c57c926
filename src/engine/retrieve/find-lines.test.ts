import { describe, expect, test } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { isJsonObject } from "../../core/json/json-value.ts";
import { openQuestions } from "./question/open-questions.ts";
import { memoryStore } from "../archive/memory-store.ts";
import { allPages, archived, contextFor, itemsOf } from "./archive.fixture.ts";
import type { RetrieveAnswer } from "./answer-page.ts";
import { retrieve } from "./retrieve.ts";

const lines = Array.from({ length: 2_000 }, (_, index) => {
  const level = index % 100 === 42 ? "ERROR" : "info";
  return `${level} job ${index} ${index % 3 === 0 ? "naïve 😀" : "plain"}`;
});
const log = `${lines.join("\n")}\n`;
const questions = () => openQuestions();

interface Line {
  readonly line: number;
  readonly text: string;
  readonly match?: boolean;
  readonly is_slice?: boolean;
  readonly pointer?: string;
}

function linesIn({ data }: RetrieveAnswer): Line[] {
  const found = data["lines"];
  return (Array.isArray(found) ? found.filter(isJsonObject) : []) as unknown as Line[];
}

describe("a question that a text cannot answer", () => {
  test("for lines behind its end says where it ends", async () => {
    const { ask } = await archived(log, { questions });
    const ended = { lines: [], note: "The text ends at line 2000" };
    expect((await ask({ lines: "2001-2100", grep: "line" })).data).toMatchObject(ended);
    expect((await ask({ lines: "9000-9010" })).data).toMatchObject(ended);
    expect((await ask({ around: { line: 9_000 } })).data).toMatchObject(ended);
  });

  test("for items that match is refused, with what finds its lines", async () => {
    const { ask } = await archived(log, { questions });
    await expect(ask({ match: { level: "ERROR" } })).rejects.toThrow(
      "This archive is a text without items to match: grep finds its lines, query its best passages.",
    );
  });
});

describe("a pattern", () => {
  test("between slashes, which finds nothing, is told apart from one that is nowhere", async () => {
    const { ask } = await archived(log, { questions });
    expect((await ask({ grep: "/error/i" })).data).toMatchObject({
      matched: 0,
      note: "Nothing matches. A pattern is written without slashes around it: (?i)error",
    });
    expect((await ask({ grep: "nowhere" })).data).not.toHaveProperty("note");
  });
});

describe("lines", () => {
  test("are those of the archived text, with exact numbers", async () => {
    const { ask, hash } = await archived(log);
    expect((await ask({ lines: "100-101" })).data).toEqual({
      archive: `sha256:${hash}`,
      verified: true,
      lines: [
        { line: 100, text: lines[99] },
        { line: 101, text: lines[100] },
      ],
      total_lines: 2_000,
      matched: 2,
    });
    expect(linesIn(await ask({ lines: "-1" }))).toEqual([{ line: 2_000, text: lines.at(-1) }]);
    expect((await ask({ lines: "3000-4000" })).data).toMatchObject({
      lines: [],
      matched: 0,
      total_lines: 2_000,
    });
  });

  test("are found in the only text of a value, and the answer says where it is", async () => {
    const { ask } = await archived({ code: 1, stdout: log });
    const { data } = await ask({ lines: "7" });
    expect(data).toMatchObject({ pointer: "/stdout", lines: [{ line: 7, text: lines[6] }] });
  });

  test("of an entry that is text are those of the text", async () => {
    const store = memoryStore();
    const { entry } = await store.put("ada", [log], { contentType: "text/plain" });
    const answer = await retrieve({ archive: entry.hash, lines: "2-2" }, contextFor(store));
    expect(linesIn(answer)).toEqual([{ line: 2, text: lines[1] }]);
  });

  test("are paged under the budget: each comes once, in order", async () => {
    const { ask, context } = await archived(log, { budgetTokens: 2_000 });
    const pages = await allPages(ask, { lines: "1-700" });
    expect(pages.length).toBeGreaterThan(2);
    for (const { data } of pages) expect(context.count(JSON.stringify(data))).toBeLessThanOrEqual(2_000);
    expect(pages.flatMap(linesIn)).toEqual(lines.slice(0, 700).map((text, at) => ({ line: at + 1, text })));
  });

  test("that are too long come in part, with the pointer to all of it", async () => {
    const long = `${"é😀".repeat(9_000)}end`;
    const { ask } = await archived({ log: `first 😀\n${long}\nlast` }, { budgetTokens: 400 });
    const pages = await allPages(ask, { lines: "1-3" });
    const found = pages.flatMap(linesIn);
    expect(found.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(found[1]).toMatchObject({ is_slice: true, from: 0, of: 18_003 });
    expect(long.startsWith(found[1]?.text ?? "-")).toBe(true);
    const { ask: askAll } = await archived({ log: `first 😀\n${long}\nlast` }, { budgetTokens: "off" });
    expect(itemsOf(await askAll({ pointer: found[1]?.pointer ?? "" }))[0]?.value).toBe(long);
  });

  test("need a text", async () => {
    const { ask, context } = await archived({ rows: [1, 2] });
    await expect(ask({ lines: "1" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const image = await context.store.put("ada", [new Uint8Array([1])], { contentType: "image/png" });
    await expect(retrieve({ archive: image.entry.hash, lines: "1" }, context)).rejects.toMatchObject({
      code: "INVALID_FORMAT",
    });
  });
});

describe("grep", () => {
  test("finds lines by pattern and says how many there are", async () => {
    const { ask } = await archived(log, { questions });
    const { data } = await ask({ grep: "ERROR job 1\\d42 ", limit: 3 });
    expect(data).toMatchObject({ matched: 10, total_lines: 2_000 });
    expect(data["lines"]).toEqual([1_043, 1_143, 1_243].map((line) => ({ line, text: lines[line - 1] })));
  });

  test("shows the lines around, and marks those that match", async () => {
    const { ask } = await archived(log, { questions });
    const answer = await ask({ grep: { pattern: "job 142 ", context: 1 } });
    expect(linesIn(answer)).toEqual([
      { line: 142, text: lines[141] },
      { line: 143, text: lines[142], match: true },
      { line: 144, text: lines[143] },
    ]);
    expect(answer.pagination).toMatchObject({ total_count: 3, has_more: false });
  });

  test("looks only among the lines that are asked for", async () => {
    const { ask } = await archived(log, { questions });
    const answer = await ask({ grep: "ERROR", lines: "1900-" });
    expect(linesIn(answer).map(({ line }) => line)).toEqual([1_943]);
  });

  test("is paged: pages join to all that match", async () => {
    const { ask } = await archived({ log }, { questions, budgetTokens: 1_500 });
    const pages = await allPages(ask, { grep: "naïve" });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(linesIn)).toEqual(
      lines.flatMap((text, at) => (text.includes("naïve") ? [{ line: at + 1, text }] : [])),
    );
  });

  test("refuses a pattern that RE2 cannot take in linear time, and says what it takes", async () => {
    const { ask } = await archived(log, { questions });
    await expect(ask({ grep: "(?=ERROR)" })).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      remediation: expect.stringContaining("RE2") as unknown,
    });
  });

  test.runIf(isFullRun)(
    "takes a log of 50 MB, and one that is a single line, while this thread goes on",
    async () => {
      const long = Array.from({ length: 560_000 }, (_, at) => {
        const level = at % 9_973 === 0 ? "ERROR" : "info";
        return `2026-11-16T08:00:00Z ${level} worker-${at % 16} request ${at} took ${at % 500} ms, path /items/${at}`;
      });
      const store = memoryStore({ maxBytes: 512 * 1024 * 1024 });
      const context = contextFor(store, { questions });
      const { entry } = await store.put("ada", [JSON.stringify(long.join("\n"))]);
      let turns = 0;
      const timer = setInterval(() => turns++, 10);
      const found = await retrieve({ archive: entry.hash, grep: "ERROR.*took 4\\d\\d" }, context);
      clearInterval(timer);
      expect(turns).toBeGreaterThan(10);
      const matching = long.flatMap((text, at) =>
        /ERROR.*took 4\d\d/.test(text) ? [{ line: at + 1, text }] : [],
      );
      expect(linesIn(found)).toEqual(matching);
      expect(found.data).toMatchObject({ matched: matching.length, total_lines: 560_000 });
      const flat = await store.put("ada", [JSON.stringify(long.join(" "))]);
      const [only] = linesIn(await retrieve({ archive: flat.entry.hash, grep: "request 300000 " }, context));
      expect(only).toMatchObject({ line: 1, is_slice: true });
      expect(only?.text).toContain("request 300000 ");
    },
  );

  test("is refused where no worker can start", async () => {
    const { ask } = await archived(log);
    await expect(ask({ grep: "ERROR" })).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
  });
});
