import { describe, expect, test } from "vitest";
import { makePdf } from "./make-pdf.fixture.ts";
import { readPdf } from "./read-pdf.ts";

const prose = (page: number): string =>
  Array.from(
    { length: 8 },
    (_, index) => `Line ${index} of sheet ${page} says ${page * 97 + index * 13}.`,
  ).join(" ");

interface Furniture {
  readonly header?: (page: number) => string;
  readonly footer?: (page: number) => string;
  readonly body?: (page: number) => string;
  readonly size?: number;
}

function pagesWith(count: number, { header, footer, body = prose, size = 9 }: Furniture) {
  return makePdf(
    Array.from({ length: count }, (_, index) => ({
      draw: (document: PDFKit.PDFDocument) => {
        document.page.margins.bottom = 20;
        if (header !== undefined)
          document.fontSize(size).text(header(index + 1), 72, 36, { lineBreak: false });
        if (footer !== undefined)
          document.fontSize(size).text(footer(index + 1), 72, 740, { lineBreak: false });
        document.fontSize(11).text(body(index + 1), 72, 100);
      },
    })),
  );
}

async function textOf(pdf: Promise<Uint8Array>): Promise<readonly string[]> {
  const { text } = await readPdf(await pdf);
  return typeof text === "string" ? [text] : text;
}

describe("running lines of a PDF", () => {
  const wordsOf = async (pdf: Promise<Uint8Array>): Promise<readonly string[]> =>
    (await textOf(pdf)).map((page) => page.replaceAll(/\s+/g, " "));

  test("are left out, above and below", async () => {
    const pdf = pagesWith(5, {
      header: () => "Annual report of the county",
      footer: (page) => `Page ${page} of 5`,
    });
    expect(await wordsOf(pdf)).toEqual([1, 2, 3, 4, 5].map(prose));
  });

  test.each([
    ["a number alone", (page: number) => `${page + 16}`],
    ["a number between dashes", (page: number) => `- ${page} -`],
    ["a date and a number", (page: number) => `11/19/26, 6:40 PM  ${page}/6`],
    [
      "titles on left and right pages",
      (page: number) => (page % 2 === 0 ? `${page} The county` : `Mills ${page}`),
    ],
  ])("are left out if they are %s", async (_what, footer) => {
    expect(await wordsOf(pagesWith(6, { footer }))).toEqual([1, 2, 3, 4, 5, 6].map(prose));
  });

  test("let a sentence go on over two pages", async () => {
    const body = (page: number): string =>
      `${prose(page)} The keeper of sheet ${page} sleeps on most days of`;
    const [first] = await textOf(pagesWith(3, { footer: (page) => `Page ${page}`, body }));
    expect(first).toMatch(/most days of$/);
  });

  test("stay if they come on two pages only", async () => {
    const pages = await textOf(pagesWith(2, { header: () => "Annual report of the county" }));
    expect(pages.every((page) => page.startsWith("Annual report"))).toBe(true);
  });

  test("are not headings that count, in larger letters", async () => {
    const pages = await textOf(pagesWith(4, { header: (page) => `Chapter ${page}`, size: 18 }));
    expect(pages.map((page) => page.split("\n")[0])).toEqual([
      "Chapter 1",
      "Chapter 2",
      "Chapter 3",
      "Chapter 4",
    ]);
  });

  test("are not lines that only look alike", async () => {
    const totals = [120, 87, 311, 45];
    const pages = await textOf(pagesWith(4, { footer: (page) => `Total ${totals[page - 1] ?? 0}` }));
    expect(pages.map((page) => page.split("\n")[0])).toEqual(totals.map((total) => `Total ${total}`));
  });

  test("stay on a page that has nothing else", async () => {
    const pages = await textOf(pagesWith(4, { body: () => "", header: () => "Annual report of the county" }));
    expect(pages).toEqual(["", "", "", ""].map(() => "Annual report of the county"));
  });
});
