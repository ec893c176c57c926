import { describe, expect, it } from "vitest";
import { Units, splitUnits } from "./units.ts";

interface Piece {
  readonly text: string;
  readonly isWhole: boolean;
}

function split(text: string): Piece[] {
  const units = new Units(1);
  splitUnits(text, 0, text.length, 500, units);
  return Array.from({ length: units.count }, (_, index) => ({
    text: text.slice(units.start(index), units.end(index)),
    isWhole: units.isWhole(index),
  }));
}

function wholeOnes(text: string): string[] {
  return split(text)
    .filter(({ isWhole }) => isWhole)
    .map((piece) => piece.text.replaceAll("\n", " "));
}

describe("a line break inside a paragraph", () => {
  it("ends no sentence, whatever the next line begins with", () => {
    const text = "The council decided that on no account should the\nCity pay for the repairs.";
    expect(wholeOnes(text)).toEqual([
      "The council decided that on no account should the City pay for the repairs.",
    ]);
  });

  it("ends no sentence in a narrow column of German", () => {
    const text =
      "Die Gemeinde hat beschlossen, dass der\nBürgermeister die Kosten der Reparatur\nTeil für Teil bezahlt. Das alte\nWohnhaus bleibt stehen.";
    expect(wholeOnes(text)).toEqual([
      "Die Gemeinde hat beschlossen, dass der Bürgermeister die Kosten der Reparatur Teil für Teil bezahlt.",
      "Das alte Wohnhaus bleibt stehen.",
    ]);
  });

  it("makes no half of a sentence a sentence, where it was set by hand", () => {
    const text = "On no account should the\nCity pay for the repairs of a bridge that fell. So it was said.";
    expect(wholeOnes(text)).toEqual(["So it was said."]);
  });

  it("parts the items of a list", () => {
    const text = "They brought:\n- milk from the farm\n- bread\n- a cake of honey";
    expect(split(text).map((piece) => piece.text)).toEqual([
      "They brought:",
      "- milk from the farm",
      "- bread",
      "- a cake of honey",
    ]);
  });

  it("does not take a dash or a number at the beginning of a full line for an item", () => {
    const dash = "The bridge that the mayor had opened in the spring of the year\n- a Monday - fell down.";
    expect(wholeOnes(dash)).toHaveLength(1);
    const number = "The bridge that the mayor opened fell down in the afternoon of May\n12. Nobody was hurt.";
    expect(wholeOnes(number).join(" ")).toContain("fell down in the afternoon of May 12.");
  });

  it("parts names, addresses and verses, none of which is a sentence", () => {
    const names = "Anna Schmidt\nPeter Brandt\nJohannes Müller-Lüdenscheidt\nEva Kern\nIda Roth";
    expect(split(names).map((piece) => piece.text)).toEqual(names.split("\n"));
    expect(wholeOnes(names)).toEqual([]);
  });
});

describe("a sentence over two pages", () => {
  it("is no sentence from where the page begins", () => {
    const text =
      "The council decided in its meeting of the third of May that on no account should the\n\n" +
      "Smith Standards Track [Page 3]\n\nRFC 9999 Repairs May 2026\n\n" +
      "City pay for the repairs. The bridge stays closed.";
    expect(wholeOnes(text)).toEqual(["The bridge stays closed."]);
  });

  it("does not begin after a heading or before a list", () => {
    expect(wholeOnes("Repairs\n\nThe city pays for them.")).toEqual(["The city pays for them."]);
    const list =
      "The contractors who are going to build the bridge in the next year have to bring these:\n\nThe plan is late.";
    expect(wholeOnes(list)).toEqual(["The plan is late."]);
  });
});
