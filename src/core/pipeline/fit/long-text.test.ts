import { describe, expect, test } from "vitest";
import { longText } from "./cut-text.ts";

const text = "All is well on deck. ".repeat(40);

describe("longText", () => {
  test("finds the text that makes up most of the data, wherever it is", () => {
    const beside = {};
    expect(longText(text)).toEqual({ text, pointer: "", beside });
    expect(longText({ result: text })).toEqual({ text, pointer: "/result", beside });
    const pages = [{ no: 1 }, { "a/b": text }];
    expect(longText({ pages })).toEqual({ text, pointer: "/pages/1/a~1b", beside });
  });

  test.each([
    [
      "the object that contains it",
      { id: 7, tags: ["a"], body: text, note: "n".repeat(201), by: null },
      { id: 7, by: null },
    ],
    ["the nearest that has any", { id: 7, content: { page: 2, parts: [{ body: text }] } }, { page: 2 }],
    ["an object with a key of the engine's", { ["__proto__"]: "own", body: text }, { ["__proto__"]: "own" }],
  ])("knows the short fields of %s", (_, data, beside) => {
    expect(longText(data)?.beside).toEqual(beside);
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
