import { describe, expect, it } from "vitest";
import { parseJsonc } from "./parse-jsonc.ts";
import { refusalOf } from "./refusal-of.fixture.ts";

const refusal = (text: string) => refusalOf(() => parseJsonc(text, "f.json"));

describe("parseJsonc", () => {
  it("takes comments, trailing commas and a byte order mark", () => {
    const text = '\uFEFF{\n  // line\n  "a": [1, 2,], /* block */\n}';
    expect(parseJsonc(text, "f.json").value).toEqual({ a: [1, 2] });
  });

  it("knows where keys and values are, whatever ends the lines", () => {
    const { placeOf } = parseJsonc('{\r\n  "a": {\r    "b.c":\n      [true]\n}}', "f.json");
    expect(placeOf(["a", "b.c"], "key")).toEqual({ file: "f.json", line: 3, column: 5 });
    expect(placeOf(["a", "b.c"])).toEqual({ file: "f.json", line: 4, column: 7 });
    expect(placeOf(["a", "b.c", 0])).toEqual({ file: "f.json", line: 4, column: 8 });
    expect(placeOf(["a", "missing"])).toEqual({ file: "f.json", line: 2, column: 8 });
  });

  it.each([
    ["", "f.json:1:1: A value is expected here."],
    ["{", 'f.json:1:2: A closing "}" is missing.'],
    ["[1", 'f.json:1:3: A closing "]" is missing.'],
    ['{\n  "a" 1\n}', "f.json:2:7: A colon is expected here."],
    ['{"a": 1 "b": 2}', "f.json:1:9: A comma is expected here."],
    ["{a: 1}", "f.json:1:2: This is not a JSON word."],
    ['{"a": tru}', "f.json:1:7: This is not a JSON word."],
    ['{"a": "x\n}', "f.json:1:7: The string does not end on its line."],
    ["{} {}", "f.json:1:4: There is text after the end of the value."],
    ['{"a": "\\q"}', "f.json:1:7: The escape is unknown."],
    ["/* open", "f.json:1:1: The comment does not end. Close it with */."],
  ])("says what is wrong with %j, and where", (text, message) => {
    expect(refusal(text).message).toContain(message);
  });

  it("refuses a __proto__ key at any depth", () => {
    expect(refusal('{"tools": {\n"__proto__": {"x": 1}}}').message).toBe(
      'f.json:2:1: The key "__proto__" is refused. Remove it.',
    );
  });

  it("refuses a key given twice, but not a repeated remark", () => {
    expect(refusal('{"a": 1, "a": 2}').message).toContain('f.json:1:10: The key "a" is given twice.');
    expect(parseJsonc('{"_comment": 1, "_comment": 2}', "f.json").value).toEqual({ _comment: 2 });
  });

  it("refuses a file of more than 1 MiB", () => {
    expect(refusal(`{"a": "${"x".repeat(1024 * 1024)}"}`).message).toContain("larger than 1048576 bytes");
    expect(parseJsonc(`"${"x".repeat(1024 * 1024 - 2)}"`, "f.json").value).toHaveLength(1024 * 1024 - 2);
  });

  it("takes 100 levels and refuses the next", () => {
    expect(() => parseJsonc("[".repeat(100) + "]".repeat(100), "f.json")).not.toThrow();
    expect(refusal("[".repeat(101) + "]".repeat(101)).message).toContain(
      "f.json:1:101: The file is nested deeper",
    );
  });

  it.each([
    "[".repeat(500_000),
    '{"a":'.repeat(200_000),
    "[},".repeat(300_000),
    "{],".repeat(300_000),
    "[1}".repeat(300_000),
  ])("survives brackets that never close (%#)", (text) => {
    expect(refusal(text).message).toMatch(/^f\.json:\d+:\d+: /);
  });

  it("lists every problem in the details", () => {
    const { details } = refusal('{"__proto__": 1, "a": 1, "a": 2}');
    expect(details["problems"]).toEqual([
      expect.objectContaining({ file: "f.json", line: 1, column: 2, path: "__proto__" }),
      expect.objectContaining({ file: "f.json", line: 1, column: 26, path: "a" }),
    ]);
  });
});
