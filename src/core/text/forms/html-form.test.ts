import { describe, expect, test } from "vitest";
import { isSure, readForm, readSample } from "./forms.fixture.ts";
import { isHtml, readHtml } from "./html-form.ts";
import { DECORATION, FIRST, ORDINARY, STRUCTURE } from "./text-form.ts";

describe("readHtml", () => {
  const form = readForm(readHtml, readSample("test/fixtures/forms/page.html"));

  test("keeps the title first, then headings and sentences", () => {
    expect(form.kind).toBe("html");
    expect(form.ranked(FIRST)).toEqual(["<title>Harbour Furniture: desks, shelves and lamps</title>"]);
    expect(form.ranked(STRUCTURE)).toContain("<h2>In the shop today</h2>");
    expect(form.ranked(STRUCTURE).some((line) => line.includes("by the harbour since 1987"))).toBe(true);
    expect(form.ranked(ORDINARY)).toContain('<li><a href="/desks">Desks</a></li>');
  });

  test("gives up markup, styles, scripts and comments first", () => {
    const decoration = form.ranked(DECORATION);
    expect(decoration).toEqual(
      expect.arrayContaining([
        "nav a { margin-right: 1rem; }",
        'window.shop = { currency: "EUR", items: [] };',
        "<!-- the same on every page -->",
        '<img src="photo.jpg" alt="">',
        "</main>",
      ]),
    );
    expect(decoration.some((line) => line.includes("Oak desk"))).toBe(false);
  });

  test("puts a text under the headings above it", () => {
    expect(form.above("How cork is harvested: what")).toEqual([
      "<h1>Everything for a quiet desk</h1>",
      "<h2>From the workshop</h2>",
      "<h3>How cork is harvested</h3>",
    ]);
    expect(form.above("Send the catalogue")).toEqual([
      "<h1>Everything for a quiet desk</h1>",
      "<h2>Order a catalogue</h2>",
    ]);
    expect(form.above("Harbour Furniture, Quay 4")).toEqual([]);
  });

  test("reads a script to its end, over lines and whatever is in it", () => {
    const page = readForm(
      readHtml,
      '<!doctype html>\n<p title="a > b">said</p>\n<script>\nif (a < b) "<p>not said</p>";\n</script>\n<p\nclass="x"\n>said too</p>\n<!-- not\nsaid -->\n3 < 4\n',
    );
    expect([...page.ranks]).toEqual([3, 2, 3, 3, 3, 3, 3, 2, 3, 3, 2]);
  });

  test.each([
    ["a tag that is never closed", "<!doctype html>\n<a href='x\nText\n"],
    ["a comment that is never closed", "<html>\n<!-- x\nText\n"],
    ["a script that is never closed", "<html>\n<script>\nText\n"],
  ])("survives %s", (_, page) => {
    expect(isSure(readHtml, page)).toBe(true);
  });

  test.each([
    ["Contents of https://example.org/:\n", true],
    ["HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n", true],
    ["HTTP/1.1 200 OK\ncontent-type: text/html\n\n", true],
    ['import x\npage = """\n', false],
    ["Write it so:\n\n```html\n", false],
    ["body: |\n  ", false],
  ])("says whether a page follows %j", (before, isPage) => {
    expect(isHtml(`${before}<!doctype html>\n<p>Text</p>\n`)).toBe(isPage);
  });

  test.each(["README.md", "src/core/text/forms/html-form.ts", "deploy/kubernetes.yaml", "docs/house.svg"])(
    "is not sure of %s",
    (path) => {
      expect(isSure(readHtml, readSample(path))).toBe(false);
    },
  );
});
