import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { countCodePoints } from "../../../core/text/code-points.ts";
import { findObject } from "./open-ai-summariser.ts";
import { cutSummary, summaryInput, tidySummary } from "./summariser.ts";

const runs = lawRuns(2_000);
const word = fc.oneof(
  fc.constantFrom(
    "bee",
    "dances.",
    "e.g.",
    "3.14",
    "蜜蜂",
    "跳舞。",
    "ผึ้ง",
    "🐝",
    "👩‍👩‍👧",
    "e\u0301",
    "\n\n",
    "!?",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const prose = fc.array(word, { maxLength: 80 }).map((words) => words.join(" "));
const spaceless = fc.array(word, { maxLength: 80 }).map((words) => words.join(""));
const text = fc.oneof(prose, spaceless);
const hasHalf = (value: string): boolean => /\p{Cs}/u.test(value);

describe("cutText", () => {
  test("never exceeds the limit, keeps a beginning of the text, splits no character, and is final", () =>
    fc.assert(
      fc.property(text, fc.nat({ max: 200 }), (whole, maxChars) => {
        const cut = cutSummary(whole, maxChars);
        expect(countCodePoints(cut)).toBeLessThanOrEqual(maxChars);
        expect(whole.startsWith(cut) || whole.startsWith(cut.slice(0, -1))).toBe(true);
        expect(hasHalf(cut)).toBe(false);
        expect(cutSummary(cut, maxChars)).toBe(cut);
      }),
      runs,
    ));
});

describe("tidySummary", () => {
  test("is within the limits for any answer it takes, and changes nothing the second time", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
        fc.array(fc.string({ unit: "binary", maxLength: 80 }), { maxLength: 12 }),
        fc.nat({ max: 10 }),
        (summary, keyPoints, maxKeyPoints) => {
          const limits = { maxSummaryChars: 100, maxKeyPoints, maxKeyPointChars: 30 };
          const tidied = tidySummary({ summary: `x${summary}`, keyPoints }, limits);
          expect(countCodePoints(tidied.summary)).toBeLessThanOrEqual(100);
          expect(tidied.keyPoints.length).toBeLessThanOrEqual(maxKeyPoints);
          expect(tidied.keyPoints.filter((point) => point === "" || countCodePoints(point) > 30)).toEqual([]);
          expect(hasHalf(tidied.summary + tidied.keyPoints.join(""))).toBe(false);
          expect(tidySummary(tidied, limits)).toEqual(tidied);
        },
      ),
      runs,
    ));
});

describe("summaryInput", () => {
  const place = fc.tuple(fc.nat(), fc.nat({ max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }));
  const document = text.map((whole) => Array.from(whole));

  test("is within the limit, made of stretches of the text in order, and equal for equal input", () =>
    fc.assert(
      fc.property(
        document,
        fc.array(place, { maxLength: 8 }),
        fc.nat({ max: 400 }),
        (points, places, max) => {
          const whole = points.join("");
          const at = (index: number): number => points.slice(0, index).join("").length;
          const spans = places.map(([from, length, score]) => {
            const start = from % (points.length + 1);
            return { start: at(start), end: at(Math.min(points.length, start + length)), score };
          });
          const input = summaryInput(whole, spans, max);
          expect(countCodePoints(input)).toBeLessThanOrEqual(max);
          let from = 0;
          for (const piece of input.split("\n\n[…]\n\n")) {
            const found = whole.indexOf(piece, from);
            expect(found).toBeGreaterThanOrEqual(0);
            from = found;
          }
          expect(summaryInput(whole, spans.toReversed(), max)).toBe(input);
        },
      ),
      runs,
    ));
});

describe("findObject", () => {
  const value = fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.string(), fc.integer()), {
    maxKeys: 5,
  });
  const around = fc.string({ maxLength: 40 }).filter((words) => !/[{}`<]/.test(words));

  test("reads an object back from a fence and from between words", () =>
    fc.assert(
      fc.property(value, around, around, (object, before, after) => {
        const json = JSON.stringify(object);
        const same = JSON.parse(json) as unknown;
        expect(findObject(json)).toEqual(same);
        expect(findObject(`${before}\n\`\`\`json\n${json}\n\`\`\`\n${after}`)).toEqual(same);
        expect(findObject(`${before}${json}${after}`)).toEqual(same);
      }),
      runs,
    ));
});
