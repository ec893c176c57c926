import { describe, expect, it } from "vitest";
import { countCodePoints } from "../text/code-points.ts";
import { digestPayloadSchema, formatLocator, parseLocator } from "./digest-payload.ts";

const payload = {
  version: "1.0",
  content_type: "digest/v1",
  query_hash: "ab12cd34",
  summary: "s",
  key_points: ["k"],
  evidence_snippets: [{ text: "q", locator: "char:1500-1501", relevance_score: 0.85 }],
  original_chars: 25000,
  digest_chars: 2500,
  compression_ratio: 0.1,
  source_text_hash: `sha256:${"a".repeat(64)}`,
};
const faceTimes = (count: number) => "😀".repeat(count);
const pathsOf = (value: unknown) =>
  digestPayloadSchema.safeParse(value).error?.issues.map((issue) => issue.path.join("."));

describe("digestPayloadSchema", () => {
  // shows 001.111
  it("takes the example of seed 001", () => {
    expect(digestPayloadSchema.safeParse(payload).success).toBe(true);
  });

  // shows 001.115
  it("counts code points, not UTF-16 units", () => {
    expect(countCodePoints(faceTimes(3))).toBe(3);
    expect(countCodePoints("a\ud800b")).toBe(3);
    expect(countCodePoints("\ud83d")).toBe(1);
    expect(pathsOf({ ...payload, summary: faceTimes(2000) })).toBeUndefined();
    expect(pathsOf({ ...payload, summary: faceTimes(2001) })).toEqual(["summary"]);
  });

  // shows 001.120 with compression_ratio
  // shows 001.119 with digest_chars
  // shows 001.123 with evidence_snippets.0.locator
  // shows 001.124 with evidence_snippets.0.relevance_score
  // shows 001.122 with evidence_snippets.0.text
  // shows 001.116 with key_points.0
  // shows 001.114 with query_hash
  // shows 001.121 with source_text_hash
  it.each([
    ["query_hash", { query_hash: "AB12CD34" }],
    ["query_hash", { query_hash: "ab12cd3" }],
    ["key_points", { key_points: Array.from({ length: 11 }, () => "k") }],
    ["key_points.0", { key_points: ["k".repeat(501)] }],
    [
      "evidence_snippets.0.text",
      { evidence_snippets: [{ text: "q".repeat(501), locator: "char:0-1", relevance_score: 1 }] },
    ],
    [
      "evidence_snippets.0.locator",
      { evidence_snippets: [{ text: "q", locator: "char:9-1", relevance_score: 1 }] },
    ],
    [
      "evidence_snippets.0.relevance_score",
      { evidence_snippets: [{ text: "q", locator: "char:0-1", relevance_score: 1.1 }] },
    ],
    ["compression_ratio", { compression_ratio: 1.01 }],
    ["digest_chars", { digest_chars: -1 }],
    ["source_text_hash", { source_text_hash: "sha256:abc" }],
    ["version", { version: "2.0" }],
    ["content_type", { content_type: "text/plain" }],
    ["key_points", { key_points: undefined }],
    ["evidence_snippets", { evidence_snippets: undefined }],
  ])("refuses a wrong %s", (path, change) => {
    expect(pathsOf({ ...payload, ...change })).toEqual([path]);
  });
});

describe("parseLocator", () => {
  // shows 001.125, 001.126
  it("reads both forms of seed 001", () => {
    expect(parseLocator("char:1500-1800")).toEqual({ start: 1500, end: 1800 });
    expect(parseLocator("page:3:char:200-450")).toEqual({ page: 3, start: 200, end: 450 });
    expect(parseLocator("char:5-5")).toEqual({ start: 5, end: 5 });
  });

  // shows 001.128 with page:0:char:1-2
  it.each([
    "",
    "char:",
    "char:1",
    "char:2-1",
    "char:-1-2",
    "char:01-2",
    "page:0:char:1-2",
    "page:1",
    "char:1-2 ",
    "CHAR:1-2",
    "char:1-9007199254740993",
  ])("refuses %j", (text) => {
    expect(parseLocator(text)).toBeUndefined();
  });

  it("is the inverse of formatLocator", () => {
    for (const text of ["char:0-0", "page:12:char:7-9"]) {
      expect(formatLocator(parseLocator(text) ?? { start: -1, end: -1 })).toBe(text);
    }
  });
});
