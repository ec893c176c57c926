import { describe, expect, test } from "vitest";
import { type PlacedRun, readFromRight } from "./join-lines.ts";

function run(text: string, left: number, isRightToLeft = true): PlacedRun {
  return { text, left, right: left + 10 * text.length, isRightToLeft };
}

describe("readFromRight", () => {
  test("reads words from the right, whichever was drawn first", () => {
    const words = [run("שלום", 200), run("עולם", 150), run("גדול", 100)];
    const line = { text: "שלום עולם גדול", left: 100, right: 240 };
    expect(readFromRight(words, 10)).toEqual(line);
    expect(readFromRight(words.toReversed(), 10)).toEqual(line);
  });

  test("puts letters together that touch", () => {
    const letters = ["ש", "ל", "ו", "ם"].map((letter, index) => run(letter, 200 - 10 * index));
    expect(readFromRight(letters, 10).text).toBe("שלום");
  });

  test("keeps English words in a Hebrew line in their own order", () => {
    const runs = [run("שלום", 300), run("hello", 180, false), run("world", 240, false), run("עולם", 100)];
    expect(readFromRight(runs, 10).text).toBe("שלום hello world עולם");
  });
});
