import { describe, expect, it } from "vitest";
import type { ScoredSpan } from "../document.ts";
import { cutSummary, findTextEnd, summaryInput, tidySummary } from "./summariser.ts";

describe("cutText", () => {
  it.each([
    ["a text that fits", "One. Two.", 9, "One. Two."],
    ["after a sentence", "One is one. Two is two and more.", 20, "One is one."],
    ["after a sentence of a script without spaces", "蜜蜂跳舞。它们飞得很远很远。", 8, "蜜蜂跳舞。"],
    ["not within a number", "Pi is a number near 3.14159.", 22, "Pi is a number near…"],
    [
      "after a word where the last sentence is too far back",
      "No. It goes on and on and on.",
      20,
      "No. It goes on and…",
    ],
    ["within a word that has no end", "x".repeat(30), 10, `${"x".repeat(9)}…`],
    ["between characters, counted as people do", "🐝".repeat(30), 10, `${"🐝".repeat(9)}…`],
    ["to nothing", "Bees.", 0, ""],
    ["to a sign that there was more", "Bees.", 1, "…"],
  ])("cuts %s", (_, text, maxChars, cut) => {
    expect(cutSummary(text, maxChars)).toBe(cut);
  });
});

describe("findTextEnd", () => {
  it("is the end of the last sentence, or of the last word, that fits", () => {
    expect(findTextEnd("One is one. Two is two and more.", 20)).toBe(11);
    expect(findTextEnd("one two three four", 10)).toBe(7);
  });
});

const text = [
  "The first sentence says what this is. ",
  "Then it wanders. ".repeat(60),
  "Bees dance to tell the way. ",
  "Then it wanders. ".repeat(60),
  "They see the sky. ",
  "The end.",
].join("");

function span(passage: string, score: number): ScoredSpan {
  const start = text.indexOf(passage);
  return { start, end: start + passage.length, score };
}

const dance = span("Bees dance to tell the way.", 0.9);
const sky = span("They see the sky.", 0.4);

describe("summaryInput", () => {
  it("is the whole text where it fits", () => {
    expect(summaryInput(text, [dance], 10_000)).toBe(text);
    expect(summaryInput("🐝".repeat(300), [], 300)).toBe("🐝".repeat(300));
  });

  it("is the beginning and the passages, in the order of the text, with gaps marked", () => {
    const pieces = summaryInput(text, [sky, dance], 300).split("\n\n[…]\n\n");
    expect(pieces.slice(1)).toEqual(["Bees dance to tell the way.", "They see the sky."]);
    expect(pieces[0]).toMatch(/^The first sentence says what this is\..* wanders\.$/);
    expect(pieces.join("").length).toBeGreaterThan(240);
  });

  it("takes the best passages first when there is no room for all", () => {
    expect(summaryInput(text, [sky, dance], 60)).toContain("Bees dance");
    expect(summaryInput(text, [sky, dance], 60)).not.toContain("sky");
  });

  it("leaves out no less than the mark for it would take", () => {
    const end = span("The end.", 0.3);
    expect(summaryInput(text, [sky, end], 200)).toMatch(/They see the sky\. The end\.$/);
  });

  it("says nothing twice when passages overlap each other or the beginning", () => {
    const first = span("The first sentence says what this is.", 1);
    const again = { ...dance, start: dance.start + 5, end: dance.end + 10, score: 0.8 };
    const input = summaryInput(text, [first, dance, again], 300);
    expect(input.split("The first sentence")).toHaveLength(2);
    expect(input.split("dance")).toHaveLength(2);
  });
});

const limits = { maxSummaryChars: 60, maxKeyPoints: 2, maxKeyPointChars: 20 };

describe("tidySummary", () => {
  it("keeps what is in order as it is", () => {
    const given = { summary: "Bees dance. 蜜蜂跳舞。", keyPoints: ["Bees dance.", "They fly."] };
    expect(tidySummary(given, limits)).toEqual(given);
  });

  it("drops blank and repeated key points before it counts them", () => {
    const keyPoints = ["", "a", " \n", "a ", "b", "c"];
    expect(tidySummary({ summary: "x", keyPoints }, limits).keyPoints).toEqual(["a", "b"]);
  });

  it("passes nothing on that steers a terminal, turns the writing or hides words", () => {
    const hidden = String.fromCodePoint(0xe0041, 0xe0042);
    const summary = `One\u001b[31m\r\n two\u0000 \u202ethree\u2069 ${hidden}four \ud800`;
    expect(tidySummary({ summary, keyPoints: [] }, limits).summary).toBe("One [31m two three four");
  });

  it.each([
    [null, "is not an object"],
    [{ keyPoints: [] }, "has no summary"],
    [{ summary: "x" }, "has no list of key points"],
    [{ summary: "x", keyPoints: "y" }, "has no list of key points"],
    [{ summary: "x", keyPoints: [1] }, "has a key point that is not text"],
    [{ summary: "\u202e \n", keyPoints: ["y"] }, "is empty"],
  ])("refuses %j", (given, says) => {
    expect(() => tidySummary(given, limits)).toThrow(
      expect.objectContaining({ reason: "invalid_answer", message: `The summariser's answer ${says}.` }),
    );
  });
});
