import { describe, expect, it } from "vitest";
import { exampleLinesIn, findText } from "./find-text.ts";

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

describe("exampleLinesIn", () => {
  const text = Array.from(
    { length: 400 },
    (_, at) => `step ${at + 1}${at === 300 ? " valve refused" : ""}`,
  ).join("\n");
  const after = text.indexOf("step 101");
  const until = text.indexOf("step 351");

  it("proposes a word of the call that the missing part has, the rarest, as the tool's definition writes it", () => {
    const missing = [{ pointer: "", after }];
    expect(exampleLinesIn(text, missing, "which step refused the pump?")).toEqual({
      grep: { pattern: "(?i)refused" },
      lines: "101-",
    });
    expect(exampleLinesIn(text, missing, "pump")).toEqual({ lines: "101-181" });
  });

  it("names no line that was sent after the first gap", () => {
    expect(exampleLinesIn(text, [{ pointer: "", after, until }], "refused")).toEqual({
      grep: { pattern: "(?i)refused" },
      lines: "101-350",
    });
    const short = text.indexOf("step 111");
    expect(exampleLinesIn(text, [{ pointer: "", after, until: short }], "refused")).toEqual({
      lines: "101-110",
    });
  });
});
