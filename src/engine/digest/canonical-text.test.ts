import { describe, expect, it } from "vitest";
import { canonicalPages, canonicalText, hashText } from "./canonical-text.ts";

describe("canonicalText", () => {
  it.each([
    ["runs of spaces", "a  b\t\tc \u00a0 d\u3000e", "a b c d e"],
    ["every line end", "a\r\nb\rc\u2028d\u2029e\u0085f\u000bg\u000ch", "a\nb\nc\nd\ne\nf\ng\nh"],
    ["white space around line ends", "a \n\t b", "a\nb"],
    ["blank lines", "a\n\n\n\nb\n \n \nc", "a\n\nb\n\nc"],
    ["white space at both ends", " \n\t a b \n ", "a b"],
    ["a byte order mark", "\ufeff \ufeffa", "a"],
    ["letters in two code points", "cafe\u0301", "café"],
    ["halves of surrogate pairs", "a\ud83db\ude00", "a\ufffdb\ufffd"],
    ["nothing", " \n ", ""],
  ])("makes one form of %s", (_, text, canonical) => {
    expect(canonicalText(text)).toBe(canonical);
  });

  it.each([
    "a < b and c > d",
    "if x < 5 and y > 3 then",
    "&lt;b&gt; &amp; <i>",
    "x\u200by 😀 東京",
    "1,5 – 2",
  ])("keeps every letter and sign of %j", (text) => {
    expect(canonicalText(text)).toBe(text);
  });
});

describe("canonicalPages", () => {
  it("joins pages by a blank line and says where each is", () => {
    const { text, pages } = canonicalPages([" one ", "two\r\nlines"]);
    expect(text).toBe("one\n\ntwo\nlines");
    expect(pages.map(({ start, end }) => text.slice(start, end))).toEqual(["one", "two\nlines"]);
    expect(pages.map(({ number }) => number)).toEqual([1, 2]);
  });

  it("gives a page without text no room, wherever it is", () => {
    const { text, pages } = canonicalPages(["", "one", " ", "", "two", ""]);
    expect(text).toBe("one\n\ntwo");
    expect(pages.map(({ start, end }) => text.slice(start, end))).toEqual(["", "one", "", "", "two", ""]);
  });

  it("keeps the joints of empty pages as the system of the seed does", () => {
    expect(canonicalPages(["a", "", "b"], { compat: "foundry" })).toEqual({
      text: "a\n\n\n\nb",
      pages: [
        { number: 1, start: 0, end: 1 },
        { number: 2, start: 3, end: 3 },
        { number: 3, start: 5, end: 6 },
      ],
    });
  });
});

describe("canonicalText as the system of the seed had it", () => {
  const foundry = (text: string): string => canonicalText(text, { compat: "foundry" });

  it.each([
    ["Hello&nbsp;World", "Hello World"],
    ["<h1>Title</h1>\n<p>Hello &amp; welcome.</p>", "Title Hello & welcome."],
    ["Tom &amp; Jerry &copy 2020 &#39;q&#39;", "Tom & Jerry © 2020 'q'"],
    ["a &lt; b and c &gt; d", "a d"],
    ["if x < 5 and y > 3 then", "if x 3 then"],
    ["&amp;lt;b&amp;gt;x", "&lt;b&gt;x"],
    ["&lt;b&gt;x", "x"],
    ["<!-- c > d --> t", "d --> t"],
    ["<a href='x>y'>l</a>", "y'>l"],
    ["\ufeffx", "\ufeffx"],
    ["a\u200bb", "a\u200bb"],
    ["\u001cA\u001fB", "A B"],
    ["a\u0085b", "a b"],
    ["", ""],
  ])("makes of %j what it made", (text, canonical) => {
    expect(foundry(text)).toBe(canonical);
  });

  it.each([
    ["&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"],
    ["&#128;&#x99;", "€™"],
    ["a&#1;b&#xFFFE;c", "abc"],
    ["&notit; &unknown; &#;", "¬it; &unknown; &#;"],
    ["<> <<b> c", "<> c"],
    ["a < b", "a < b"],
  ])("decodes and strips %j by the same rules", (text, canonical) => {
    expect(foundry(text)).toBe(canonical);
  });

  it("has the hashes it had", async () => {
    expect(await hashText(foundry("<h1>Title</h1>\n<p>Hello &amp; welcome.</p>"))).toBe(
      "sha256:c6a023ab73bdf85710e00d3fd130efed5424afdb88f1bee1d65bdedbc83d8000",
    );
    expect(await hashText("")).toBe(
      "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });
});
