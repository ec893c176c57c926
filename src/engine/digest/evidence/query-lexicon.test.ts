import { describe, expect, it } from "vitest";
import { FULL, QueryLexicon, queryTerms } from "./query-lexicon.ts";
import { isVietnamese } from "./vietnamese.ts";
import { WordReader } from "./word-reader.ts";

/** How nearly a word says a query of one word. */
function strength(query: string, word: string): number {
  const lexicon = new QueryLexicon(queryTerms(query));
  const reader = new WordReader(isVietnamese(query.normalize("NFC")));
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
    ["Arabic digits", "2015", "٢٠١٥"],
    ["Persian digits", "1357", "۱۳۵۷"],
    ["Hindi digits", "1947", "१९४७"],
    ["Arabic vowel points", "مدرسة", "مَدْرَسَة"],
    ["the hamza of an alef", "احمد", "أحمد"],
    ["the Arabic article", "كتاب", "الكتاب"],
    ["and, with the article", "كتاب", "والكتاب"],
    ["in the", "مدينة", "بالمدينة"],
    ["for the", "عالم", "للعالم"],
    ["a feminine ending", "جمهورية", "الجمهوريه"],
    ["an Arabic plural", "مهندس", "المهندسين"],
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

  it.each([
    ["its tone", "mả", "ma má mà mã mạ"],
    ["a vowel's sign", "tư", "tu từ tứ"],
    ["the letter đ", "đưa", "dưa dừa"],
    ["its ending", "thưởng", "thương thường"],
  ])("tells a Vietnamese word from others by %s", (_what, query, words) => {
    expect(strength(query, words)).toBe(0);
    expect(strength(query, query.toUpperCase())).toBe(FULL);
  });

  it.each([
    ["where the tone is written", "hoà ở", "hòa"],
    ["i or y at the end", "kỹ sư", "kĩ"],
    ["how its letters are composed", "thưởng".normalize("NFD"), "thưởng".normalize("NFC")],
  ])("takes a Vietnamese word for the same whatever %s", (_what, query, word) => {
    expect(strength(query, word)).toBe(FULL);
  });

  it("compares a Vietnamese question that was typed without accents as other languages", () => {
    expect(strength("thuong", "thưởng")).toBe(FULL);
  });

  it("keeps a short Arabic word whole", () => {
    expect(strength("وصل", "صل")).toBe(0);
    expect(strength("الله", "له")).toBe(0);
  });

  it("finds Chinese by pairs of characters, also across a stray space", () => {
    expect(strength("北京", "我在北京")).toBe(FULL);
    expect(strength("北京", "我在北 京")).toBe(FULL);
    expect(strength("北京", "东方")).toBe(0);
  });
});
