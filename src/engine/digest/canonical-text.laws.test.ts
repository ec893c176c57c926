import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/arbitrary/law-runs.ts";
import { canonicalPages, canonicalText, toCodePoints, toUnits } from "./canonical-text.ts";

const runs = lawRuns(2_000);
const whiteSpace = fc.constantFrom(
  " ",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "\u00a0",
  "\u2028",
  "\u0085",
  "\u3000",
  "\ufeff",
  "\u001c",
);
// What Unicode calls white space or a separator and \s does not know.
const separators = "\u0085\u001c\u001d\u001e\u001f";
const white = new RegExp(`[\\s\\ufeff${separators}]+`, "g");
const piece = fc.oneof(
  whiteSpace,
  fc.constantFrom(
    "a",
    "e\u0301",
    "\u0301",
    "\ud83d",
    "\ude00",
    "😀",
    "が",
    "か\u3099",
    "각",
    "\u1100\u1161",
    "<",
    "&amp;",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));

describe("canonicalText", () => {
  it("is the same when done again", () =>
    fc.assert(
      fc.property(text, (given) => {
        const once = canonicalText(given);
        expect(canonicalText(once)).toBe(once);
      }),
      runs,
    ));

  it("is in its documented form", () =>
    fc.assert(
      fc.property(text, (given) => {
        const canonical = canonicalText(given);
        expect(canonical).toBe(canonical.normalize("NFC"));
        expect(canonical).not.toMatch(
          / {2}| \n|\n |\n{3}|^[\s\ufeff]|[\s\ufeff]$|[\t\r\u00a0\u0085\u2028\u2029\u3000]/u,
        );
        expect(canonical).toBe(new TextDecoder().decode(new TextEncoder().encode(canonical)));
      }),
      runs,
    ));

  it("loses nothing but white space", () =>
    fc.assert(
      fc.property(text, (given) => {
        const letters = (some: string): string =>
          new TextDecoder("utf-8", { ignoreBOM: true })
            .decode(new TextEncoder().encode(some))
            .normalize("NFC")
            .replaceAll(white, "");
        expect(letters(canonicalText(given))).toBe(letters(given));
      }),
      runs,
    ));
});

describe("canonicalPages", () => {
  it("is canonical as a whole, and each page is its own canonical text", () =>
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (given) => {
        const { text: whole, pages } = canonicalPages(given);
        expect(canonicalText(whole)).toBe(whole);
        expect(pages.map(({ start, end }) => whole.slice(start, end))).toEqual(
          given.map((page) => canonicalText(page)),
        );
      }),
      runs,
    ));
});

describe("toCodePoints", () => {
  it("counts as an array of code points does, and toUnits leads back", () =>
    fc.assert(
      fc.property(text, fc.array(fc.nat(60), { maxLength: 6 }), (given, wanted) => {
        const points = Array.from(given);
        const units = wanted.map((point) =>
          point <= points.length ? points.slice(0, point).join("").length : undefined,
        );
        expect(toUnits(given, wanted)).toEqual(units);
        const known = units.filter((unit) => unit !== undefined);
        expect(toCodePoints(given, known)).toEqual(wanted.filter((point) => point <= points.length));
      }),
      runs,
    ));
});
