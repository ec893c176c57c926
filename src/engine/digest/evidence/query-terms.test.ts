import { describe, expect, it } from "vitest";
import { MAX_TERMS, queryTerms } from "./query-lexicon.ts";

function weightOf(query: string, letters: string): number | undefined {
  return queryTerms(query).find((term) => term.letters === letters)?.weight;
}

describe("queryTerms", () => {
  it("keeps each word once, folded, in order", () => {
    expect(queryTerms("The Café, the CAFE").map(({ letters }) => letters)).toEqual(["the", "cafe"]);
  });

  it("weighs short words less, names and numbers more", () => {
    const query = "Who won the NFL championship in 2015";
    expect(weightOf(query, "the")).toBeLessThan(weightOf(query, "championship") ?? 0);
    expect(weightOf(query, "nfl")).toBeGreaterThan(weightOf(query, "won") ?? 9);
    expect(weightOf(query, "2015")).toBe(1);
  });

  it("reads scripts without spaces as characters and their neighbours", () => {
    expect(queryTerms("北京人").map(({ letters }) => letters)).toEqual(["北京", "北", "京人", "京", "人"]);
    expect(queryTerms("ไทย").map(({ letters }) => letters)).toContain("ไทย");
  });

  it("reads Vietnamese as syllables and their neighbours, and longer words whole", () => {
    expect(queryTerms("Thủ tướng, Washington").map(({ letters }) => letters)).toEqual([
      "thu\u0309 tương\u0301",
      "thu\u0309",
      "tương\u0301",
      "washington",
    ]);
  });

  it("reads a Vietnamese name in a question of another language as its words", () => {
    const letters = queryTerms("Wo regierte die Trần-Dynastie?").map((term) => term.letters);
    expect(letters).toEqual(["wo", "regierte", "die", "tran", "dynastie"]);
  });

  it("finds no words in signs and emoji", () => {
    expect(queryTerms("🎉 👩‍👧 ?! … ☃ €")).toEqual([]);
    expect(queryTerms("")).toEqual([]);
  });

  it("stops at a number of terms", () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${index}`).join(" ");
    expect(queryTerms(words)).toHaveLength(MAX_TERMS);
  });
});
