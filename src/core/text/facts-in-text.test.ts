import { describe, expect, it } from "vitest";
import { factsOnlyInText } from "./facts-in-text.ts";

const parcel = {
  id: "parcel-0017",
  status: "on its way",
  weight_kg: 12.3456,
  bytes: 5_242_880,
  share: 0.425,
  price: 1234567,
  due: "2026-11-06T09:05:00Z",
  stops: [{ city: "Ghent" }, { city: "Bruges" }, { city: "Ostend" }],
};

describe("factsOnlyInText", () => {
  it.each([
    ["ids and words of the data", 'Parcel parcel-0017 is "on its way" to `Ostend`.'],
    ["counts and the numbers of a list", "3 stops:\n1. Ghent\n2. Bruges\n3. Ostend"],
    ["rounded numbers", "It weighs 12.3 kg, or 12 kg."],
    ["numbers with separators", "It costs 1,234,567."],
    ["percentages", "42.5 % (43%) of the way"],
    ["bytes in larger units", "5 MB, 5,120 KB, 5.24 MB"],
    ["parts of a date", "Due on 6 November 2026 at 09:05"],
    ["words without a number or quotes", "The parcel is somewhere in Flanders."],
  ])("finds none in %s", (_, text) => {
    expect(factsOnlyInText(text, parcel)).toEqual([]);
  });

  it.each([
    ["a number", "It weighs 99.5 kg.", ["99.5"]],
    ["an id", "See ticket ABC-4711.", ["ABC-4711"]],
    ["quoted words", 'The carrier says "customs hold".', ['"customs hold"']],
    ["a sum that was not sent", "Insured for 8,250 in all", ["8,250"]],
    ["each once", "4711 and 4711", ["4711"]],
  ])("finds %s that only the text has", (_, text, facts) => {
    expect(factsOnlyInText(text, parcel)).toEqual(facts);
  });

  it("compares nothing that is very long", () => {
    expect(factsOnlyInText("4711 ".repeat(10_000), parcel)).toEqual([]);
    expect(factsOnlyInText("4711", { text: "x".repeat(300_000) })).toEqual([]);
  });
});
