import { describe, expect, it } from "vitest";
import { cutText, findTextEnd } from "./cut-text.ts";

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
    expect(cutText(text, maxChars)).toBe(cut);
  });
});

describe("findTextEnd", () => {
  it("is the end of the last sentence, or of the last word, that fits", () => {
    expect(findTextEnd("One is one. Two is two and more.", 20)).toBe(11);
    expect(findTextEnd("one two three four", 10)).toBe(7);
  });
});
