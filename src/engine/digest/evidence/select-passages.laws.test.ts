import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentPage, TextSpan } from "../document.ts";
import { canCutTextAt } from "./find-unit-end.ts";
import { type SelectOptions, selectPassages } from "./select-passages.ts";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";

const pieces = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("the", "river", "Rivers", "flooded", "1901", "Dr.", "valley", "a"),
  },
  { weight: 3, arbitrary: fc.constantFrom(". ", "! ", "\n\n", "\n", ", ", " ", " ", "。", "؟ ", "। ", "…") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("北京", "故宫", "ประเทศไทย", "भारत", "القاهرة", "한국어", "Straße"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("😀", "👩‍👩‍👧", "e\u0301\u0302", "\ud83d", "x".repeat(90), "\u0301".repeat(70)),
  },
);

/** Canonical but for what cannot matter here: no white space at the ends, at most one blank line. */
const texts = fc.array(pieces, { maxLength: 120 }).map((parts) =>
  parts
    .join("")
    .normalize("NFC")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim(),
);

const options = fc.record({
  maxSnippets: fc.integer({ min: 0, max: 10 }),
  snippetChars: fc.integer({ min: 20, max: 300 }),
  maxSummaryChars: fc.integer({ min: 0, max: 400 }),
  maxKeyPoints: fc.integer({ min: 0, max: 10 }),
  keyPointChars: fc.integer({ min: 20, max: 200 }),
});

const queries = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(" ")),
  fc.constant(undefined),
);

interface Case {
  readonly text: string;
  readonly options: SelectOptions;
}

/** Some texts come in two pages, cut at a blank line. */
function toCase(text: string, limits: SelectOptions, query: string | undefined): Case {
  const at = text.indexOf("\n\n", text.length / 2);
  const pages: readonly DocumentPage[] = [
    { number: 1, start: 0, end: at },
    { number: 2, start: at + 2, end: text.length },
  ];
  return {
    text,
    options: { ...limits, ...(query === undefined ? {} : { query }), ...(at < 0 ? {} : { pages }) },
  };
}

const cases = fc.tuple(texts, options, queries).map(([text, limits, query]) => toCase(text, limits, query));

function codePoints(text: string): number {
  return Array.from(text).length;
}

function quote(text: string, spans: readonly TextSpan[]): string[] {
  return spans.map(({ start, end }) => text.slice(start, end));
}

function holds(law: (given: Case) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(cases, law), lawRuns(1_000));
}

describe("laws of selectPassages", () => {
  it("chooses non-empty spans without white space at their ends", async () => {
    await holds(async ({ text, options }) => {
      const { evidence, summary, keyPoints } = await selectPassages(text, options);
      for (const passage of quote(text, [...evidence, ...summary, ...keyPoints])) {
        expect(passage).not.toBe("");
        expect(passage).toBe(passage.trim());
      }
    });
  });

  it("never cuts a surrogate pair, or a character from what belongs to it", async () => {
    await holds(async ({ text, options }) => {
      const { evidence, summary, keyPoints } = await selectPassages(text, options);
      const torn = [...evidence, ...summary, ...keyPoints]
        .flatMap(({ start, end }) => [start, end])
        .filter((at) => at > 0 && at < text.length && !/\s/u.test(text.charAt(at - 1)))
        // Beyond 64 marks on one letter only pairs are kept together.
        .filter(
          (at) => !canCutTextAt(text, at) && !/\p{M}{60}/u.test(text.slice(Math.max(0, at - 70), at + 70)),
        );
      expect(torn).toEqual([]);
    });
  });

  it("keeps every limit, counted in code points", async () => {
    await holds(async ({ text, options }) => {
      const { evidence, summary, keyPoints } = await selectPassages(text, options);
      expect(evidence.length).toBeLessThanOrEqual(options.maxSnippets);
      expect(keyPoints.length).toBeLessThanOrEqual(options.maxKeyPoints);
      expect(codePoints(quote(text, summary).join(" "))).toBeLessThanOrEqual(options.maxSummaryChars);
      expect(Math.max(0, ...quote(text, evidence).map(codePoints))).toBeLessThanOrEqual(options.snippetChars);
      expect(Math.max(0, ...quote(text, keyPoints).map(codePoints))).toBeLessThanOrEqual(
        options.keyPointChars,
      );
    });
  });

  it("never overlaps evidence, and never repeats a key point", async () => {
    await holds(async ({ text, options }) => {
      const { evidence, summary, keyPoints } = await selectPassages(text, options);
      for (const spans of [evidence, summary]) {
        const sorted = spans.toSorted((a, b) => a.start - b.start);
        const overlaps = sorted.filter(({ start }, index) => start < (sorted[index - 1]?.end ?? 0));
        expect(overlaps).toEqual([]);
      }
      // The sentence that answers a query leads; the others are in the order of the document.
      const rest = summary.slice(options.query === undefined ? 0 : 1);
      expect(rest).toEqual(rest.toSorted((a, b) => a.start - b.start));
      const starts = new Set(summary.map(({ start }) => start));
      expect(keyPoints.filter(({ start }) => starts.has(start))).toEqual([]);
      expect(new Set(quote(text, keyPoints)).size).toBe(keyPoints.length);
    });
  });

  it("stays on one page", async () => {
    await holds(async ({ text, options }) => {
      const pages = options.pages ?? [{ start: 0, end: text.length }];
      const { evidence, summary, keyPoints } = await selectPassages(text, options);
      for (const { start, end } of [...evidence, ...summary, ...keyPoints]) {
        expect(pages.some((page) => page.start <= start && end <= page.end)).toBe(true);
      }
    });
  });

  it("scores from 0 to 1, best first", async () => {
    await holds(async ({ text, options }) => {
      const scores = (await selectPassages(text, options)).evidence.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    });
  });

  it("chooses the same from the same", async () => {
    await holds(async ({ text, options }) => {
      expect(await selectPassages(text, options)).toEqual(await selectPassages(text, options));
    });
  });
});
