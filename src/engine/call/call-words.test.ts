import { describe, expect, test } from "vitest";
import { namesFile, wordsFor } from "./call-words.ts";

describe("the words of a call", () => {
  test("are its texts and numbers at any depth", () => {
    const args = { query: "broken valve", filter: { state: "open", tags: ["red", 7] } };
    for (const strategy of ["auto", "relevance", "digest"] as const)
      expect(wordsFor(strategy, args)).toBe("broken valve open red 7");
  });

  test("are not asked for where only the beginning is kept", () => {
    expect(wordsFor("head", { query: "broken valve" })).toBeUndefined();
  });

  test.each([
    { path: "src/valve.ts" },
    { file_path: "valve.ts" },
    { url: "valve" },
    { id: "valve" },
    { issue_id: "valve" },
    { issueId: "valve" },
    { owner: "valve", repo: "valve" },
    { cursor: "valve", limit: 10, page: 2, max_results: 5 },
    { where: "/etc/valve.conf" },
    { see: "https://example.org/valve" },
    { commit: "0123456789abcdef0123456789abcdef01234567" },
  ])("leave out what only addresses: %j", (args) => {
    expect(wordsFor("auto", args)).toBe("");
    expect(wordsFor("relevance", args)).not.toBe("");
  });

  test.each([
    "topic",
    "profile",
    "account",
    "details",
    "admin",
    "discount",
    "headlines",
    "minutes",
    "guidelines",
    "number_plate",
    "paid",
    "userProfile",
    "launch-topic",
  ])("take a name as whole words: `%s` is no address", (name) => {
    expect(wordsFor("auto", { [name]: "valve" })).toBe("valve");
  });

  test.each([
    "paths",
    "filename",
    "input_file",
    "baseURL",
    "parentFolderId",
    "user-ids",
    "nextPageToken",
    "Max_Results",
    "topK",
    "pageSize",
    "page size",
    "minStars",
    "num_lines",
    "UUID",
  ])("take a name as whole words: `%s` is an address", (name) => {
    expect(wordsFor("auto", { [name]: "valve" })).toBe("");
  });

  test.each(["element", "text", "query", "question"])("are the value of `%s` in any form", (name) => {
    for (const value of ["https://t.co/a1B2", "/pricing", "0123456789abcdef"])
      expect(wordsFor("auto", { [name]: value })).toBe(value);
  });

  test("end after 2,000 characters", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `word${at}`);
    expect(wordsFor("auto", { many })?.length).toBeLessThanOrEqual(2_000);
    expect(wordsFor("auto", { text: "x".repeat(1e6) })).toHaveLength(2_000);
  });
});

describe("a call", () => {
  test.each([
    { path: "index.html" },
    { file_path: "site/index.html" },
    { paths: ["a.html"] },
    { inputFile: "index.html" },
    { FILENAME: "index.html" },
    { where: "/srv/site/index.html" },
    { where: "file:///srv/site/index.html" },
    { where: "C:\\site\\index.html" },
    { where: "~/index.html" },
  ])("names a file: %j", (args) => {
    expect(namesFile(args)).toBe(true);
  });

  test.each([
    {},
    { url: "https://example.org/index.html" },
    { path: "https://example.org/index.html" },
    { query: "index.html" },
    { path: "" },
    { profile: 7 },
    { profile: "valve" },
    undefined,
  ])("names none: %j", (args) => {
    expect(namesFile(args)).toBe(false);
  });
});
