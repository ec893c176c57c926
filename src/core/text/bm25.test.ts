import { describe, expect, test } from "vitest";
import { rankByQuery } from "./bm25.ts";

const order = (texts: readonly string[], query: string): number[] =>
  rankByQuery(texts, query).map(({ index }) => index);

describe("rankByQuery", () => {
  test("puts the text with the rarer word first, and leaves out texts without a hit", () => {
    expect(order(["the river", "the lantern", "the river again", "none"], "the lantern")).toEqual([1, 0, 2]);
  });

  test("keeps the order of texts that score alike", () => {
    expect(order(["x", "same", "same", "same"], "same")).toEqual([1, 2, 3]);
  });

  test("prefers the shorter of two texts that say a word once", () => {
    expect(order(["a river that runs through many long lands", "a river"], "river")).toEqual([1, 0]);
  });

  test("finds whole words only", () => {
    expect(order(["cat", "concatenate", "cats", "cat's"], "cat")).toEqual([0, 3]);
  });

  test.each([
    [
      "an issue",
      "rust-lang/rust#1234",
      ["rust-lang/rust#12345", "see rust-lang/rust#1234.", "rust lang 1234"],
      1,
    ],
    [
      "a UUID",
      "3f2a9c01-b7de-4c55-9d3a-6a1f0c2b7e11",
      ["b7de 4c55", "id:3F2A9C01-B7DE-4C55-9D3A-6A1F0C2B7E11"],
      1,
    ],
    ["an address", "ada@example.com", ["bob@example.com", "mail ada@example.com now"], 1],
    ["a name and a value", "id:f-17", ["f-1 17", "f-17"], 1],
    ["signs", "c++", ["c", "modern c++"], 1],
  ])("keeps an identifier whole: %s", (_, query, texts, best) => {
    expect(order(texts, query)[0]).toBe(best);
  });

  test("finds the parts of snake_case, camelCase and paths", () => {
    const texts = ["user_name", "userName", "HTTPUserError", "/srv/user/name", "username"];
    expect(order(texts, "user").toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect(order(texts, "userName")).toContain(0);
  });

  test("ignores case, accents' composition and width", () => {
    expect(order(["CAFE\u0301", "ｃａｆé", "cafe"], "café").toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(order(["ΟΔΥΣΣΕΥΣ.ΑΒ"], "Οδυσσεύς".normalize("NFD").replaceAll(/\p{M}/gu, ""))).toEqual([0]);
  });

  test.each([
    ["Chinese", "机器学习", ["今天天气很好", "我们研究机器学习方法", "机器"], 1],
    ["Japanese", "東京タワー", ["京都タワー", "昨日東京タワーに行った"], 1],
    ["Thai", "ประเทศไทย", ["สวัสดี", "ฉันอยู่ในประเทศไทย"], 1],
    ["Korean with a particle", "서울", ["부산에서", "서울에서 만나요"], 1],
    ["Hindi", "हिन्दी", ["अंग्रेज़ी", "यह हिन्दी है"], 1],
    ["Arabic", "مرحبا", ["وداعا", "قال مرحبا بكم"], 1],
  ])("works without spaces and in any script: %s", (_, query, texts, best) => {
    expect(order(texts, query)[0]).toBe(best);
  });

  test("a quoted phrase must occur word for word, whatever separates its words", () => {
    const texts = ["words exact", "exact words", "exact,\n words", "exact other words"];
    expect(order(texts, '"exact words"')).toEqual([1, 2]);
    expect(order(texts, '"exact')).toHaveLength(4);
  });

  test("a text that says exactly the query comes before one that says parts of it often", () => {
    const often = "audit fixes ".repeat(20);
    expect(
      order([often, `harden audit fixes across ${"many more words ".repeat(20)}`], "harden: audit fixes")[0],
    ).toBe(1);
  });

  test("gives the best few, and nothing for a query without words", () => {
    expect(rankByQuery(["a", "a a", "a b"], "a", { limit: 1 })).toHaveLength(1);
    expect(rankByQuery(["b", "a"], "a b", { limit: 0 })).toEqual([]);
    const best = rankByQuery(["b", "a", "c", "a a b", "a b"], "a b", { limit: 2 });
    expect(best.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([3, 4]);
    expect(rankByQuery(["a"], " ?! ")).toEqual([]);
    expect(rankByQuery([], "a")).toEqual([]);
  });
});
