import { describe, expect, test } from "vitest";
import { longText } from "./long-text.ts";

const text = "All is well on deck. ".repeat(40);

describe("longText", () => {
  test("finds the text that makes up most of the data, wherever it stands", () => {
    expect(longText(text)).toEqual({ text, pointer: "" });
    expect(longText({ result: text })).toEqual({ text, pointer: "/result" });
    expect(longText({ pages: [{ no: 1 }, { "a/b": text }] })).toEqual({ text, pointer: "/pages/1/a~1b" });
  });

  test("finds none where the rest is longer than the text", () => {
    expect(longText({ body: text, notes: text, more: text })).toBeUndefined();
    expect(longText({ rows: Array.from({ length: 500 }, (_, id) => ({ id })), body: text })).toBeUndefined();
  });

  test("takes the text at exactly half of the JSON", () => {
    const whole = { body: "b".repeat(40), rest: "" };
    const missing = 2 * JSON.stringify(whole.body).length - JSON.stringify(whole).length;
    expect(longText({ ...whole, rest: "r".repeat(missing) })).toBeDefined();
    expect(longText({ ...whole, rest: "r".repeat(missing + 1) })).toBeUndefined();
  });

  test.each([[null], [true], [3], [""], [[]], [{}]])("finds none in %j", (value) => {
    expect(longText(value)).toBeUndefined();
  });

  test("leaves the cell of a table alone, which has no pointer of its own", () => {
    expect(longText({ items: { $table: { columns: ["id", "body"], rows: [[1, text]] } } })).toBeUndefined();
  });
});
