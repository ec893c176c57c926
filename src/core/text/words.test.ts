import { describe, expect, test } from "vitest";
import { splitWords } from "./bm25.ts";

describe("splitWords", () => {
  test.each([
    ["Hello, World 2", ["hello", "world", "2"]],
    ["snake_case", ["snake", "case"]],
    ["camelCase", ["camelcase", "camel", "case"]],
    ["HTTPServer2", ["httpserver2", "http", "server2"]],
    ["東京都", ["東京", "京都"]],
    ["iPhone手机", ["i", "phone", "手机"]],
    ["山", ["山"]],
    ["यह हिन्दी", ["यह", "हिन्दी"]],
    ["ＦＵＬＬ ﬁne", ["full", "fine"]],
    ["— !", []],
  ])("%s", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});
