import { describe, expect, it } from "vitest";
import type { ScoredSpan } from "../document.ts";
import { summaryInput } from "./summary-input.ts";

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
