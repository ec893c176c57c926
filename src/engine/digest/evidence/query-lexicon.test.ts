import { describe, expect, it } from "vitest";
import { FULL, QueryLexicon, queryTerms } from "./query-lexicon.ts";
import { WordReader } from "./word-reader.ts";

/** How nearly a word says a query of one word. */
function strength(query: string, word: string): number {
  const lexicon = new QueryLexicon(queryTerms(query));
  const reader = new WordReader();
  reader.open(word, 0, word.length);
  let best = 0;
  while (reader.next()) {
    lexicon.look(reader);
    for (let index = 0; index < lexicon.foundCount; index++)
      best = Math.max(best, lexicon.strengths[index] ?? 0);
  }
  return best;
}

describe("QueryLexicon", () => {
  it.each([
    ["case", "Panthers", "PANTHERS"],
    ["accents", "cafe", "Café"],
    ["sharp s", "Strasse", "Straße"],
    ["ligatures", "encyclopaedia", "encyclopædia"],
    ["vowel points", "שלום", "שָׁלוֹם"],
    ["final sigma", "ΟΔΟΣ", "οδός"],
    ["full-width forms", "abc", "ＡＢＣ"],
    ["grouping of digits", "50,000", "50.000"],
  ])("takes words that differ only in %s for the same", (_what, query, word) => {
    expect(strength(query, word)).toBe(FULL);
  });

  it.each([
    ["panther", "panthers"],
    ["defense", "defensive"],
    ["gründen", "gegründet gründete"],
    ["Häuser", "Haus Hause"],
    ["université", "universitaire"],
    ["столица", "столицы"],
  ])("knows %s in %s, but less surely", (query, words) => {
    expect(strength(query, words)).toBeGreaterThan(30);
    expect(strength(query, words)).toBeLessThan(FULL);
  });

  it("finds a word at either end of a compound, and the parts of a compound", () => {
    expect(strength("Minister", "Verteidigungsminister")).toBeGreaterThan(0);
    expect(strength("Verteidigung", "Verteidigungsministerium")).toBeGreaterThan(0);
    expect(strength("Verteidigungsminister", "Minister")).toBeGreaterThan(0);
  });

  it.each([
    ["a substring", "art", "start"],
    ["chance inside a long word", "ration", "irrationality"],
    ["another number", "1985", "1986"],
    ["a longer number", "50", "50,000"],
    ["a word with the same beginning", "contract", "contribution"],
    ["a short word", "is", "island"],
  ])("does not take %s for the word", (_what, query, word) => {
    expect(strength(query, word)).toBe(0);
  });

  it("finds Chinese by pairs of characters, also across a stray space", () => {
    expect(strength("北京", "我在北京")).toBe(FULL);
    expect(strength("北京", "我在北 京")).toBe(FULL);
    expect(strength("北京", "东方")).toBe(0);
  });
});
