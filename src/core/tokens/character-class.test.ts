import { describe, expect, it } from "vitest";
import {
  LINE_END,
  LOWER,
  MARK,
  NUMBER,
  OTHER,
  SPACE_BIT,
  UPPER,
  bytesOfCharacter,
  classAt,
} from "./character-class.ts";

const classOfText = (text: string): number => {
  const bytes = new TextEncoder().encode(text);
  return classAt(bytes, 0, bytes.length);
};

describe("the class of a character", () => {
  it.each([
    ["A", UPPER],
    ["ǅ", UPPER],
    ["𝔸", UPPER],
    ["a", LOWER],
    ["ß", LOWER],
    ["ʰ", UPPER | LOWER],
    ["中", UPPER | LOWER],
    ["𠮷", UPPER | LOWER],
    ["\u0301", UPPER | LOWER | MARK],
    ["7", NUMBER],
    ["½", NUMBER],
    ["٣", NUMBER],
    [" ", SPACE_BIT],
    ["\u0085", SPACE_BIT],
    ["\u3000", SPACE_BIT],
    ["\n", LINE_END | SPACE_BIT],
    ["\r", LINE_END | SPACE_BIT],
    ["\uFEFF", OTHER],
    ["\u180E", OTHER],
    ["_", OTHER],
    ["😀", OTHER],
    ["\u0000", OTHER],
    ["", 0],
  ])("of %j is %i", (character, expected) => {
    expect(classOfText(character)).toBe(expected);
  });

  it("needs as many bytes as UTF-8 does", () => {
    for (const character of ["a", "é", "中", "😀"]) {
      const bytes = new TextEncoder().encode(character);
      expect(bytesOfCharacter(bytes[0] ?? 0)).toBe(bytes.length);
    }
  });
});
