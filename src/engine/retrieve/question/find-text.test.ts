import { describe, expect, it } from "vitest";
import { findText } from "./find-text.ts";

describe("findText", () => {
  it("takes a value that is a text, and the only text of several lines in any other", () => {
    expect(findText("a\nb", undefined)).toEqual({ pointer: "", text: "a\nb" });
    expect(findText({ result: "one line" }, undefined)).toEqual({ pointer: "/result", text: "one line" });
    const run = { name: "build", output: ["a\nb"], code: 1 };
    expect(findText(run, undefined)).toEqual({ pointer: "/output/0", text: "a\nb" });
  });

  it("takes the text that a pointer names", () => {
    expect(findText({ "a/b": ["x", "y"] }, "/a~1b/1")).toEqual({ pointer: "/a~1b/1", text: "y" });
  });

  it("names the texts where several could be meant, the longest first", () => {
    expect(() => findText({ out: "a\nb", err: "a\nb\nc", name: "x" }, undefined)).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        details: expect.objectContaining({ texts: ["/err", "/out"] }) as unknown,
      }) as Error,
    );
  });

  it("says of records how they are searched", () => {
    const orders = [
      { id: 1, title: "a" },
      { id: 2, title: "b" },
    ];
    expect(() => findText({ orders }, undefined)).toThrow(
      expect.objectContaining({
        remediation:
          "Records are searched with query, for words, or with select, such as orders[?matches(title, '(?i)timeout')]. Name the text by pointer.",
      }) as Error,
    );
  });

  it.each([
    [{ n: 1 }, undefined, /no text/],
    [{ n: 1 }, "/n", /no text/],
    [{ n: "a" }, "/m", /nothing/],
    [{ n: "a" }, "n", /nothing/],
  ])("refuses %j at %s", (value, pointer, says) => {
    expect(() => findText(value, pointer)).toThrow(says);
  });
});
