import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { didYouMean } from "./did-you-mean.ts";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";

const runs = lawRuns(1_000);
const text = fc.string({ unit: "binary", maxLength: 120 });
const name = fc.stringMatching(/^[a-z]{4,30}$/);

describe("didYouMean", () => {
  test("answers with a known word or nothing, the same each time, for any words", () =>
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 12 }), (word, known) => {
        const meant = didYouMean(word, known);
        expect(meant === undefined || known.includes(meant)).toBe(true);
        expect(didYouMean(word, known)).toBe(meant);
      }),
      runs,
    ));

  test("finds a word of four letters or more with one letter lost or two neighbours swapped", () =>
    fc.assert(
      fc.property(name, fc.nat(), fc.boolean(), (word, seed, isSwap) => {
        const at = seed % (word.length - 1);
        const swapped = `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
        const slip = isSwap ? swapped : word.slice(0, at) + word.slice(at + 1);
        expect(didYouMean(slip, [word])).toBe(word);
        expect(didYouMean(slip.toUpperCase(), [word])).toBe(word);
      }),
      runs,
    ));
});
