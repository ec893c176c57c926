import { describe, expect, it } from "vitest";
import { answerQuestion } from "./answer-question.ts";

const orders = ["999.5", "1000", "20"].map((price, index) => ({
  id: index,
  price,
  done: index === 0,
  tags: ["a", "b"],
  shop: { zip: "10115", rank: index + 1 },
  at: "2026-03-01",
}));

describe("a comparison of unlike types", () => {
  it.each([
    [
      "[?price > 900].id",
      "price is text and 900 is a number, so > never holds: write to_number(price) > 900",
    ],
    ["[?price > '900'].id", "price and '900' are compared as text: write to_number(price) > 900"],
    [
      "length([?shop.rank == '3'])",
      "shop.rank is a number and '3' is text, so == never holds: write shop.rank == 3",
    ],
    ["[?shop.rank > '1'].id", "write shop.rank > 1"],
    ["[?shop.zip != 10115].id", "so != always holds: write to_number(shop.zip) != 10115"],
    ["[?done == 'true'].id", "write done == true"],
    ["[?'True' == done].id", "write true == done"],
    ["[?tags == 'b'].id", "tags is a list and 'b' is text, so == never holds: write contains(tags, 'b')"],
    ["[?tags != 'b'].id", "write !contains(tags, 'b')"],
    ["[?shop == 'x'].id", "shop is an object and 'x' is text, so == never holds."],
    ["[?at > 5].id", "at is text and 5 is a number, so > never holds."],
  ])("is noted: %s", (expression, said) => {
    const { note } = answerQuestion(orders, expression, 0);
    expect(note).toContain(said);
    const example = /: write (.*)$/.exec(note ?? "")?.[1] ?? "id";
    // What is shown fits: it is about the same records, and has no note any more.
    expect(answerQuestion(orders, `[?${example}]`, 0).note).toBeUndefined();
  });

  it.each([
    "[?id == 1]",
    "[?price == '20']",
    "[?price == '7']",
    "[?at > '2026']",
    "[?done == null]",
    "[?tags == ['a', 'b']]",
    "[?to_number(price) > 900]",
  ])("is not where types are alike: %s", (expression) => {
    expect(answerQuestion(orders, expression, 0).note).toBeUndefined();
  });

  it("is not noted where some records can be compared", () => {
    expect(answerQuestion([{ a: "x" }, { a: 5 }], "[?a > 3].a", 0)).toEqual({
      value: [5],
      records: 2,
      note: undefined,
    });
  });
});
