// What holds of the text of a page, whatever the page is.
import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/arbitrary/law-runs.ts";
import type { PageText } from "../../../../core/pipeline/pipeline-context.ts";
import { readPageText } from "./read-page-text.ts";

const sample = readFileSync(new URL("../../../../../test/fixtures/forms/page.html", import.meta.url), "utf8");
const names = "p div span a ul li table tr td pre h1 h2 br script style nav article title select dt dd".split(
  " ",
);
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names).map((name) => `<${name} href=/x>`) },
  { weight: 2, arbitrary: fc.constantFrom(...names).map((name) => `</${name}>`) },
  fc.constantFrom(
    "<!--",
    "-->",
    "<",
    ">",
    "&amp",
    "&#10;",
    "&#13;",
    "\0",
    "\uD800",
    "</",
    "<![CDATA[",
    "\r\n",
  ),
  { weight: 3, arbitrary: fc.lorem({ mode: "sentences", maxCount: 4 }) },
  fc.string({ unit: "binary", maxLength: 60 }),
);
const soup = fc.array(piece, { maxLength: 80, size: "max" }).map((pieces) => pieces.join(""));
const framed = soup.map((html) => `<!doctype html><title>Soup</title>${html}`);
const mixed = fc
  .tuple(soup, fc.nat(sample.length), fc.nat(sample.length))
  .map(([html, from, to]) => `${sample.slice(0, from)}${html}${sample.slice(to)}`);

/** What is wrong with what is said of the lines. */
function faultsIn(html: string, { text, headings, order }: PageText): readonly string[] {
  const count = text.split("\n").length;
  const ranked = order.flatMap((lines) => [...lines]).toSorted((a, b) => a - b);
  const isEach = ranked.length === count && ranked.every((line, at) => line === at);
  return [
    ...(headings.length === count ? [] : ["not a heading for each line"]),
    ...(headings.every((heading, at) => heading >= -1 && heading < at) ? [] : ["a heading below its line"]),
    ...(isEach ? [] : ["not each line in the order once"]),
    ...(text.length < html.length ? [] : ["longer than its source"]),
  ];
}

describe("the text of any page", () => {
  it("has a heading above each line and each line once in its order, or there is none", async () => {
    let given = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(soup, framed, mixed), async (html) => {
        const page = await readPageText(html);
        if (page === undefined) return;
        given++;
        expect(faultsIn(html, page)).toEqual([]);
      }),
      lawRuns(1_000),
    );
    expect(given).toBeGreaterThan(10);
  });

  it("is the same for the same page", async () => {
    await fc.assert(
      fc.asyncProperty(mixed, async (html) => {
        expect(await readPageText(html)).toEqual(await readPageText(html));
      }),
      lawRuns(100),
    );
  });

  // Time that grew with the square of the length would end none of these.
  it.each([
    [
      "of noise",
      () => Array.from({ length: 200_000 }, (_, at) => ((at * 7_919) % 997).toString(36)).join(" <"),
    ],
    ["of tags that do not end", () => `<!doctype html>${'<a href="'.repeat(110_000)}`],
    ["of comments that do not end", () => `<!doctype html>${"<!--".repeat(250_000)}`],
    ["of open elements", () => `<html>${"<div>word ".repeat(100_000)}`],
    ["of links", () => `<html>${'<a href="/x">word</a> '.repeat(45_000)}`],
    [
      "of links that lead elsewhere",
      () => `<html><p>${Array.from({ length: 40_000 }, (_, at) => `<a href=/${at}>w</a> `).join("")}`,
    ],
    ["of rows", () => `<html><table>${"<tr><td>one<td>two".repeat(55_000)}`],
    [
      "of attributes",
      () =>
        `<html><p ${Array.from({ length: 90_000 }, (_, at) => `a${at}=1`).join(" ")}>${"word ".repeat(90)}`,
    ],
    ["of class names", () => `<html><body><p class="${"a ".repeat(500_000)}">${"word ".repeat(90)}`],
    ["of references", () => `<html><p>${"&amp;".repeat(200_000)}`],
    [
      "of one line, half a page after the other",
      () => sample.replaceAll("\n", " ").slice(0, 2_500).repeat(400),
    ],
  ])("is read of a megabyte %s", async (_, make) => {
    const html = make();
    const page = await readPageText(html);
    expect(page === undefined ? [] : faultsIn(html, page)).toEqual([]);
  });
});
