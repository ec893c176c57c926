import { describe, expect, it } from "vitest";
import type { ToolFault } from "../../../core/contract/tool-fault.ts";
import { countLines } from "../../../core/text/code-points.ts";
import { MAX_SHOWN_UNITS, compilePattern, searchLines } from "./search-lines.ts";
import type { FoundLines, TextSearch } from "./question.ts";

function search(text: string, asked: Partial<TextSearch>): FoundLines {
  const pattern = asked.pattern === undefined ? undefined : compilePattern(asked.pattern);
  return searchLines(text, "", { context: 0, skip: 0, maxUnits: 1_000_000, ...asked }, pattern);
}

function numbers({ lines }: FoundLines): number[] {
  return lines.map(({ line }) => line);
}

const letters = "a\nb\nc\nd\ne\nf\ng\nh\n";

describe("countLines", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["\n", 1],
    ["a\nb", 2],
    ["a\r\n\r\nb\r\n", 3],
    ["a\rb", 1],
  ])("counts %j as wc and sed do: %i", (text, lines) => {
    expect(countLines(text)).toBe(lines);
  });
});

describe("searchLines", () => {
  it("gives lines by their numbers, both ends included, and says how many there are", () => {
    const found = search(letters, { range: { spans: [{ from: 3, to: 5 }] } });
    expect(found).toMatchObject({ totalLines: 8, matched: 3, found: 3 });
    expect(found.lines.map(({ line, text }) => `${line}${text}`)).toEqual(["3c", "4d", "5e"]);
  });

  it.each([
    [{ spans: [{ from: 7, to: Number.POSITIVE_INFINITY }] }, [7, 8]],
    [{ last: 2 }, [7, 8]],
    [{ last: 99 }, [1, 2, 3, 4, 5, 6, 7, 8]],
    [{ spans: [{ from: 9, to: 20 }] }, []],
  ])("keeps %j inside the text", (range, lines) => {
    expect(numbers(search(letters, { range }))).toEqual(lines);
  });

  it("leaves the carriage return of a line end out of the line", () => {
    expect(search("a\r\nb\r\n", {}).lines.map(({ text }) => text)).toEqual(["a", "b"]);
  });

  it("finds lines by a pattern, with the lines around them once each", () => {
    const found = search(letters, { pattern: "[cdh]", context: 1 });
    expect(found).toMatchObject({ matched: 3, found: 6 });
    expect(numbers(found)).toEqual([2, 3, 4, 5, 7, 8]);
    expect(found.lines.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(["c", "d", "h"]);
  });

  it("looks for a pattern only among the lines that are asked for", () => {
    expect(
      numbers(search(letters, { pattern: ".", range: { spans: [{ from: 2, to: 3 }] }, context: 5 })),
    ).toEqual([2, 3]);
  });

  it("tries a pattern on each line by itself", () => {
    expect(numbers(search("ab\ncd\n", { pattern: "^c" }))).toEqual([2]);
    expect(numbers(search("ab\ncd\n", { pattern: "b$" }))).toEqual([1]);
    expect(numbers(search("ab\ncd\n", { pattern: "b\\sc" }))).toEqual([]);
  });

  it("goes on after the lines that the caller has, up to the room there is, and counts them all", () => {
    const found = search(letters, { pattern: ".", skip: 3, maxUnits: 2 });
    expect(numbers(found)).toEqual([4, 5]);
    expect(found).toMatchObject({ matched: 8, found: 8 });
  });

  it("shows a long line in part, around its match, and says where the line is", () => {
    const long = `${"😀".repeat(30_000)} needle ${"x".repeat(70_000)}`;
    const [first, second] = search(`é😀\n${long}\n`, {
      pattern: "needle",
      range: { spans: [{ from: 2, to: 2 }] },
    }).lines;
    expect(second).toBeUndefined();
    expect(first?.text).toContain(" needle ");
    expect(first?.text.length).toBeLessThanOrEqual(MAX_SHOWN_UNITS);
    expect(first?.at).toBe(3);
    expect(first?.piece?.of).toBe(Array.from(long).length);
    const { from } = first?.piece ?? { from: -1 };
    expect(
      Array.from(long)
        .slice(from, from + Array.from(first?.text ?? "").length)
        .join(""),
    ).toBe(first?.text);
  });

  it("takes linear time for patterns that others need ages for", () => {
    const text = `${"a".repeat(100_000)}!\n`;
    expect(search(text, { pattern: "^(a+)+$" }).matched).toBe(0);
    expect(search(text, { pattern: "(a|aa)+!$" }).matched).toBe(1);
  });
});

describe("compilePattern", () => {
  it.each([
    ["(?=x)", /unsupported/, 0],
    ["ab\\1", /escape/, 2],
    ["a(b", /missing closing \)/, undefined],
    ["x[z-a]", /range/, 2],
    ["a**", /repetition/, 1],
  ])("refuses %s, says what is wrong and where, and what RE2 takes", (pattern, says, position) => {
    const fault = faultOf(() => compilePattern(pattern));
    expect(fault).toMatchObject({
      code: "INVALID_FORMAT",
      message: expect.stringMatching(says) as unknown,
      remediation: expect.stringContaining("RE2") as unknown,
    });
    expect(fault.details?.["position"]).toBe(position);
  });

  it("ignores case where it is told to", () => {
    expect(compilePattern("(?i)ERROR").test("an error")).toBe(true);
    expect(compilePattern("ERROR").test("an error")).toBe(false);
  });
});

function faultOf(run: () => unknown): ToolFault {
  try {
    run();
  } catch (error) {
    return error as ToolFault;
  }
  throw new Error("It was not refused.");
}
