import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { mayNeedReading } from "./failure-signs.ts";
import { fromResult } from "./from-result.ts";

const read = (value: JsonValue, more: JsonObject = {}) =>
  fromResult({ content: [{ type: "text", text: JSON.stringify(value) }], ...more });
const resultOf = (text: string, isError = true): JsonObject => ({
  _meta: null,
  content: [{ type: "text", text, annotations: null }],
  isError,
});
const failed = (source: string, error: string): JsonObject => ({ source, success: false, error });

describe("a failure inside something else", () => {
  it.each<[string, JsonValue, string, string]>([
    [
      "a server's result, of a router's",
      resultOf("Error: no such file or directory: a"),
      "NOT_FOUND",
      "no such file",
    ],
    [
      "the same, twice",
      resultOf(JSON.stringify(resultOf("Request timed out")), false),
      "TIMEOUT",
      "Request timed out",
    ],
    [
      "a report in an unmarked result",
      resultOf('{"success": false, "error": "No such user"}', false),
      "NOT_FOUND",
      "No such user",
    ],
    [
      "a sandbox's answer",
      { execution_result: { error: "name 'x' is not defined" } },
      "OPERATION_FAILED",
      "name 'x'",
    ],
    [
      "a batch that failed whole",
      { results: [failed("a.pdf", "File not found: a.pdf"), failed("b.pdf", "File not found: b.pdf")] },
      "NOT_FOUND",
      "File not found: a.pdf\nFile not found: b.pdf",
    ],
    [
      "a batch by file",
      {
        "/a.md": { result: "error", reason: "File not found: /a.md", file_hash: null },
        "/b.md": { result: "error", reason: "File not found: /b.md", file_hash: null },
      },
      "NOT_FOUND",
      "File not found: /a.md\nFile not found: /b.md",
    ],
  ])("is a failure: %s", (_name, value, code, message) => {
    const { outcome, blocks } = read(value);
    expect(outcome).toMatchObject({ ok: false, fault: { code, message: expect.stringContaining(message) } });
    // The rule may be wrong, so the server's own text stays.
    expect(blocks).toHaveLength(1);
  });

  it("is told of a batch that failed in part, and its data stays", () => {
    const value = {
      results: [failed("a.pdf", "File not found"), { source: "b.pdf", success: true, pages: 3 }],
    };
    expect(read(value).outcome).toMatchObject({
      ok: true,
      data: value,
      notes: { warnings: [{ code: "PARTIAL_FAILURE", context: { failed: 1, total: 2 } }] },
    });
    const byFile = { "/a.md": { result: "error", reason: "File not found" }, "/b.md": { result: "ok" } };
    expect(read(byFile).outcome).toMatchObject({
      ok: true,
      notes: { warnings: [{ code: "PARTIAL_FAILURE", context: { failed: 1, total: 2 } }] },
    });
    expect(fromResult({ content: [], structuredContent: value }).outcome).toMatchObject({
      notes: { warnings: [{ code: "PARTIAL_FAILURE" }] },
    });
  });

  it.each<[string, JsonValue, number, number]>([
    ["an error is all that an item has", { results: [{ error: "timed out" }, { title: "b" }] }, 1, 2],
    [
      "an error stands beside what was asked for",
      {
        results: [
          { url: "a", error: "timed out" },
          { url: "b", content: "text" },
        ],
      },
      1,
      2,
    ],
    [
      "every item has every key",
      {
        results: [
          { url: "a", content: null, error: "timed out" },
          { url: "b", content: "text", error: null },
          { url: "c", content: null, error: { message: "gone" } },
        ],
      },
      2,
      3,
    ],
    [
      "counts stand beside the list",
      {
        total: 2,
        results: [failed("a", "gone"), { source: "b", success: true, pages: 3 }],
        summary: { failed: 1 },
      },
      1,
      2,
    ],
    [
      "the item is in the middle of a long text",
      {
        responses: Array.from({ length: 60 }, (_, at) =>
          at === 30 ? { error: "timed out" } : { title: "x".repeat(100) },
        ),
      },
      1,
      60,
    ],
  ])("is told of a batch where %s", (_name, value, count, total) => {
    expect(read(value).outcome).toMatchObject({
      ok: true,
      data: value,
      notes: { warnings: [{ code: "PARTIAL_FAILURE", context: { failed: count, total } }] },
    });
    expect(mayNeedReading({ content: [{ type: "text", text: JSON.stringify(value) }] })).toBe(true);
    expect(mayNeedReading({ content: [], structuredContent: value })).toBe(true);
  });

  it("is only noted where the words of the inner result only suggest it", () => {
    expect(read(resultOf("Failed to retrieve the price?", false)).outcome).toMatchObject({
      ok: true,
      notes: { warnings: [{ code: "POSSIBLE_FAILURE" }] },
    });
  });

  it.each<[string, JsonValue]>([
    ["rows that have a column of errors", { results: [{ id: 1, error: "x" }] }],
    ["rows of which some have an error", { results: [{ id: 1, error: "x" }, { id: 2 }] }],
    [
      "lines of a log",
      {
        results: [
          { at: "10:05", level: "error", error: "x" },
          { at: "10:06", level: "info", message: "y" },
        ],
      },
    ],
    [
      "rows with data and an error",
      {
        results: [
          { id: 1, name: "a", error: "x" },
          { id: 2, name: "b", size: 3 },
        ],
      },
    ],
    [
      "a report of rows beside a count",
      { results: [{ success: false, error: "bad row" }, { success: true }], processed: 2 },
    ],
    ["rows beside lists of rows", { results: [{ error: "x" }, { a: 1 }], rows: [{ id: 1 }] }],
    ["failed jobs with data of their own", { results: [{ success: false, error: "x", log: ["a"] }] }],
    ["a list beside other fields", { results: [failed("a", "x")], page: 1 }],
    ["what a check of other servers found", { db: { ok: false, error: "refused" } }],
    ["what a check of pages found", { "https://a.example/": { result: "error", reason: "refused" } }],
    ["files with data", { "/a.md": { result: "error", reason: "old", lines: [1, 2] } }],
    ["a row with that word", { result: "error", level: 3, at: "10:05", host: "a", service: "web" }],
    ["a result that succeeded", resultOf("done", false)],
    ["content that is no result", { content: ["Error: x"], title: "About errors" }],
    ["no items", { results: [] }],
  ])("is not seen in %s", (_name, value) => {
    const { outcome } = read(value);
    expect(outcome).toMatchObject({ ok: true, notes: {} });
    expect(outcome.notes.warnings).toBeUndefined();
  });

  it("is not looked for deeper than routers go", () => {
    const wrap = (value: JsonValue, times: number): JsonValue =>
      times === 0 ? value : { result: wrap(value, times - 1) };
    expect(read(wrap({ error: "gone" }, 3)).outcome.ok).toBe(false);
    expect(read(wrap({ error: "gone" }, 9)).outcome.ok).toBe(true);
  });
});
