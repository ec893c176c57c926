import { describe, expect, test } from "vitest";
import { type TextLine, LINE_END_HYPHEN, joinLines, mendHyphens } from "./join-lines.ts";

const divided = (head: string, tail: string): string => `${head}-${LINE_END_HYPHEN}${tail}`;

describe("mendHyphens", () => {
  test("puts a word together that was divided at a line's end", () => {
    expect(mendHyphens([`the ${divided("infor", "mation")} is`])).toEqual(["the information is"]);
  });

  test("keeps the hyphen of a word that the document writes with one", () => {
    const pages = [`a ${divided("well", "known")} fact`, "Well-known facts"];
    expect(mendHyphens(pages)).toEqual(["a well-known fact", "Well-known facts"]);
  });

  test("leaves pages without divided words as they are", () => {
    const pages = ["a well-known fact"];
    expect(mendHyphens(pages)).toBe(pages);
  });

  test("takes its mark away after anything", () => {
    expect(
      mendHyphens([`x1-${LINE_END_HYPHEN}a`, `${"a".repeat(60)}-${LINE_END_HYPHEN}b`]).join(""),
    ).not.toContain(LINE_END_HYPHEN);
  });
});

/** A line of letters 5 wide and 10 high. Default: 12 between lines. */
function line(
  text: string,
  baseline: number,
  { left = 50, height = 10, isRightToLeft = false } = {},
): TextLine {
  const width = (text.length * height) / 2;
  return { segments: [{ text, left, right: left + width }], baseline, height, isRightToLeft, angle: 0 };
}

const long = "a line as long as the column is wide";

describe("joinLines", () => {
  test("joins lines that were wrapped by a space", () => {
    expect(joinLines([line(long, 700), line("and its end", 688)])).toBe(`${long} and its end`);
  });

  test("keeps the end of a line on which the next word had room", () => {
    const lines = [line(long, 700), line("one", 688), line("two", 676), line("three", 664)];
    expect(joinLines(lines)).toBe(`${long} one\ntwo\nthree`);
  });

  test("separates paragraphs by a blank line where the gap is larger than usual", () => {
    const lines = [line(long, 700), line(long, 688), line("end", 676), line(long, 656), line("end", 644)];
    expect(joinLines(lines)).toBe(`${long} ${long} end\n\n${long} end`);
  });

  test("takes double spacing for the usual step", () => {
    const lines = [700, 676, 652, 628, 604].map((baseline) => line(long, baseline));
    expect(joinLines(lines)).toBe(Array.from({ length: 5 }, () => long).join(" "));
  });

  test("separates a heading by its size", () => {
    const lines = [line("Heading", 720, { height: 18 }), line(long, 700), line("end", 688)];
    expect(joinLines(lines)).toBe(`Heading\n\n${long} end`);
  });

  test("goes on in the next column inside a sentence, and not after its end", () => {
    const next = { left: 300 };
    expect(joinLines([line(long, 100), line("goes on here", 700, next)])).toBe(`${long} goes on here`);
    expect(joinLines([line(`${long}.`, 100), line("goes on here", 700, next)])).toBe(
      `${long}.\n\ngoes on here`,
    );
  });

  test("begins a list item on a line of its own", () => {
    expect(joinLines([line(long, 700), line("• item", 688)])).toBe(`${long}\n• item`);
    expect(joinLines([line(long, 700), line("2. item", 688)])).toBe(`${long}\n2. item`);
  });

  test("joins scripts without spaces by nothing, and Korean by a space", () => {
    expect(joinLines([line("这是一个很长的句子需要", 700), line("换行", 688)])).toBe(
      "这是一个很长的句子需要换行",
    );
    expect(joinLines([line("한국어는 띄어쓰기를 합니다", 700), line("그래서", 688)])).toBe(
      "한국어는 띄어쓰기를 합니다 그래서",
    );
  });

  test("measures the room of right-to-left lines on their left", () => {
    const rtl = { isRightToLeft: true };
    const lines = [line("שלום עולם ארוך מאוד", 700, rtl), line("קצר", 688, { ...rtl, left: 130 })];
    expect(joinLines([...lines, line("שוב", 676, { ...rtl, left: 130 })])).toBe(
      "שלום עולם ארוך מאוד קצר\nשוב",
    );
  });

  test("keeps the rows of a table apart", () => {
    const row = (baseline: number): TextLine => ({
      ...line("cell", baseline),
      segments: [
        { text: "cell", left: 50, right: 70 },
        { text: "other", left: 200, right: 225 },
      ],
    });
    expect(joinLines([row(700), row(688), row(676)])).toBe("cell other\ncell other\ncell other");
  });

  test("keeps every line of a font that tells no height", () => {
    expect(joinLines([line("one", 700, { height: 0 }), line("two", 700, { height: 0 })])).toBe("one\ntwo");
  });

  test("gives nothing of nothing", () => {
    expect(joinLines([])).toBe("");
  });
});
