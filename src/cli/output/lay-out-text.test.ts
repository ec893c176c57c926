import { describe, expect, it } from "vitest";
import { wrapText } from "./format-values.ts";

describe("wrapText", () => {
  it("breaks at spaces and takes every kind of white space for one", () => {
    expect(wrapText("one  two\nthree\tfour ", 9)).toEqual(["one two", "three", "four"]);
  });

  it("breaks inside a word that is longer than a line", () => {
    expect(wrapText("a abcdefgh b", 4)).toEqual(["a", "abcd", "efgh", "b"]);
  });

  it("counts two columns for a wide character and none for a mark", () => {
    expect(wrapText("東京都の天気", 8)).toEqual(["東京都の", "天気"]);
    expect(wrapText("ab 東京都の天気", 8)).toEqual(["ab 東京", "都の天気"]);
    expect(wrapText("e\u0301e\u0301 a", 4)).toEqual(["e\u0301e\u0301 a"]);
  });

  it("shows what a terminal would act on as an escape", () => {
    expect(wrapText("a\u001b[31mb \u202ec", 40)).toEqual(["a\\u001b[31mb \\u202ec"]);
  });

  it("makes no line of nothing", () => {
    expect(wrapText(" \n ", 10)).toEqual([]);
  });
});
