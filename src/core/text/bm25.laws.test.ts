import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rankByQuery, splitWords } from "./bm25.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const word = fc.constantFrom(
  "alpha",
  "beta",
  "gamma",
  "userName",
  "naïve",
  "東京都庁",
  "a-1",
  "ΣΑΣ",
  "\ud83d",
  "😀",
);
const text = fc.oneof(
  fc.array(word, { maxLength: 8 }).map((words) => words.join(" ")),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const texts = fc.array(text, { maxLength: 20 });

describe("rankByQuery", () => {
  test("ranks any texts for any query: finite scores that fall, ties in order, the same each time", () =>
    fc.assert(
      fc.property(texts, text, (given, query) => {
        const ranked = rankByQuery(given, query);
        for (const [at, { index, score }] of ranked.entries()) {
          expect(Number.isFinite(score) && score > 0 && index < given.length).toBe(true);
          const before = ranked[at - 1];
          if (before === undefined) continue;
          expect(before.score > score || (before.score === score && before.index < index)).toBe(true);
        }
        expect(rankByQuery(new Set(given).size === given.length ? new Set(given) : given, query)).toEqual(
          ranked,
        );
      }),
      runs,
    ));

  test("the best few are the first of the ranking", () =>
    fc.assert(
      fc.property(texts, text, fc.nat(20), (given, query, limit) => {
        const ranked = rankByQuery(given, query).slice(0, limit);
        expect(rankByQuery(given, query, { limit })).toEqual(ranked);
      }),
      runs,
    ));

  test("a text is found by each of its words", () =>
    fc.assert(
      fc.property(texts, (given) => {
        for (const [index, own] of given.entries()) {
          for (const part of splitWords(own).slice(0, 5)) {
            expect(rankByQuery(given, part).map((hit) => hit.index)).toContain(index);
          }
        }
      }),
      runs,
    ));

  test("a unique identifier ranks its text first", () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        text,
        (ids, seed, rest) => {
          const index = seed % ids.length;
          const ranked = rankByQuery(
            ids.map((id) => `${rest} ${id} ${rest}`),
            ids[index]?.toUpperCase() ?? "",
          );
          expect(ranked[0]?.index).toBe(index);
        },
      ),
      runs,
    ));
});
