import { deflateSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { makePdf } from "./make-pdf.fixture.ts";
import { rawPdf, unicodePdf } from "./raw-pdf.fixture.ts";
import { pdfTitle, readPdf } from "./read-pdf.ts";

describe("pdfTitle", () => {
  test("gives what a person wrote, on one line", () => {
    expect(pdfTitle("  Annual report\r\n2026\u0000 ")).toBe("Annual report 2026");
  });

  test("takes off the program's own words", () => {
    expect(pdfTitle("Microsoft Word - Annual report")).toBe("Annual report");
  });

  test.each(["", "untitled", "Microsoft Word - report.docx", "thesis.tex", "x".repeat(301), 7, undefined])(
    "gives none for %j",
    (given) => {
      expect(pdfTitle(given)).toBeUndefined();
    },
  );
});

const lorem = "It was the best of times and the worst of times, and nobody knew which of the two it was. ";

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

describe("readPdf", () => {
  test("reads each of 120 pages with its own words", async () => {
    const made = Array.from(
      { length: 120 },
      (_, index) => `Chapter ${index + 1}. The word is w${index + 1}w.`,
    );
    const progress: number[] = [];
    const { text, title, warnings } = await readPdf(await makePdf(made, { title: "A long book" }), {
      onProgress: (done) => progress.push(done),
    });
    expect(text).toEqual(made);
    expect(title).toBe("A long book");
    expect(warnings).toEqual([]);
    expect(progress).toEqual(made.map((_, index) => index + 1));
  });

  test("joins wrapped lines and keeps paragraphs", async () => {
    const page = `${lorem.repeat(6).trim()}\n\n${lorem.repeat(4).trim()}`;
    const { text } = await readPdf(await makePdf([page], { compress: false }));
    expect(text).toEqual([page]);
  });

  test("reads two columns one after the other, however they were drawn", async () => {
    const left = lorem.repeat(6).trim();
    const right = lorem.replace("best", "age").repeat(6).trim();
    const columns = (document: PDFKit.PDFDocument): void => {
      document.text(left, 72, 72, { width: 220 }).text(right, 320, 72, { width: 220 });
    };
    const across = (document: PDFKit.PDFDocument): void => {
      for (let index = 0; index < 6; index++)
        for (const [name, x] of [
          ["left", 72],
          ["right", 320],
        ] as const)
          document.text(`${name} line ${index} is written across,`, x, 72 + 13 * index, { lineBreak: false });
    };
    const { text } = await readPdf(await makePdf([{ draw: columns }, { draw: across }]));
    expect(text[0]).toBe(`${left}\n\n${right}`);
    expect(text[1]?.indexOf("left line 5")).toBeLessThan(text[1]?.indexOf("right line 0") ?? 0);
  });

  test("puts divided words together and resolves ligatures", async () => {
    const { text } = await readPdf(unicodePdf(["the e\ufb03cient and wonderful infor-", "mation"]));
    expect(text).toEqual(["the efficient and wonderful information"]);
  });

  test("reads Chinese without a space between lines, and Hebrew from the right", async () => {
    const chinese = await readPdf(unicodePdf(["这是一个很长的句子需要", "换行才能写完。"]));
    expect(chinese.text).toEqual(["这是一个很长的句子需要换行才能写完。"]);
    const drawn = Array.from("שלום עולם").reverse().join("");
    expect((await readPdf(unicodePdf([drawn]))).text).toEqual(["שלום עולם"]);
  });

  test("names the pages without text", async () => {
    const pages = ["one", { image: true }, "three", { image: true }, { image: true }] as const;
    const { text, warnings } = await readPdf(await makePdf(pages));
    expect(text).toEqual(["one", "", "three", "", ""]);
    expect(warnings).toEqual([
      {
        code: "PAGES_WITHOUT_TEXT",
        severity: "warning",
        message: "Pages 2, 4-5 of 5 hold no text: blank, or pictures that need OCR",
        context: { pages: [2, 4, 5], page_count: 3, total_pages: 5 },
      },
    ]);
  });

  test("asks for OCR when there are only pictures", async () => {
    await expect(readPdf(await makePdf([{ image: true }, { image: true }]))).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      message: "The PDF has no text: its 2 pages are blank or pictures",
      details: { reason: "no_text", pages: 2 },
      remediation: expect.stringContaining("OCR"),
    });
  });

  test("says that it is encrypted", async () => {
    await expect(readPdf(await makePdf(["secret"], { password: "x" }))).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      details: { reason: "encrypted_pdf" },
    });
  });

  test("finds nothing to read in a PDF cut at any tenth", async () => {
    const whole = await makePdf(Array.from({ length: 20 }, (_, index) => `${lorem} ${index}`));
    for (let tenth = 0; tenth < 10; tenth++) {
      const cut = whole.slice(0, Math.floor((whole.length * tenth) / 10));
      await expect(readPdf(cut)).rejects.toMatchObject({ details: { reason: "damaged_pdf" } });
    }
  });

  test("finds nothing to read in noise after a header, and in a PDF of no pages", async () => {
    const noise = Uint8Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251);
    noise.set(new TextEncoder().encode("%PDF-1.7\n"));
    for (const bytes of [noise, await makePdf([])])
      await expect(readPdf(bytes)).rejects.toMatchObject({ details: { reason: "damaged_pdf" } });
  });

  test("reads the pages that are whole and names the others", async () => {
    const made = latin(await makePdf(["one", "two", "three"], { compress: false }));
    const kids = /\/Kids \[(\d+ 0 R) (\d+ 0 R) (\d+ 0 R)\]/.exec(made);
    const broken = made.replace(kids?.[0] ?? "", `/Kids [${kids?.[1]} ${kids?.[2]} 999 0 R]`);
    const { text, warnings } = await readPdf(Uint8Array.from(Buffer.from(broken, "latin1")));
    expect(text).toEqual(["one", "two", ""]);
    expect(warnings).toMatchObject([
      {
        code: "PARTIAL_FAILURE",
        message: expect.stringMatching(/^Page 3 of 3 could not be read.*may be missing$/),
        context: { pages: [3], total_pages: 3 },
      },
    ]);
  });

  test("says when it read only the first pages", async () => {
    const { text, warnings } = await readPdf(await makePdf(["one", "two", "three"]), { maxPages: 2 });
    expect(text).toEqual(["one", "two"]);
    expect(warnings).toMatchObject([
      { code: "CONTENT_TRUNCATED", message: "Only the first 2 of 3 pages were read" },
    ]);
  });

  test("cuts a page that never ends", async () => {
    const content = deflateSync(`BT /F1 9 Tf (${lorem}) Tj ET `.repeat(12_000));
    const { text, warnings } = await readPdf(rawPdf({ content, filter: "/FlateDecode" }));
    expect(text[0]?.length).toBeLessThanOrEqual(1_000_000);
    expect(warnings).toMatchObject([{ code: "CONTENT_TRUNCATED", context: { pages: [1] } }]);
  });

  test("says that text in fonts without a character map is lost", async () => {
    const font = `<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font
      /Subtype/CIDFontType0/BaseFont/Song/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>
      /FontDescriptor<</Type/FontDescriptor/FontName/Song/Flags 6/FontBBox[0 0 1 1]/Ascent 8/Descent -2>>>>]>>`;
    const pdf = rawPdf({ content: "BT /F1 12 Tf 72 700 Td <4F60597D> Tj ET", font });
    await expect(readPdf(pdf)).rejects.toMatchObject({
      details: { reason: "unmapped_fonts", missing: ["UniGB-UCS2-H"] },
    });
  });

  test("stops when told to, and when its time is up", async () => {
    const pdf = await makePdf(Array.from({ length: 300 }, () => lorem));
    const controller = new AbortController();
    const onProgress = (done: number): void => (done === 2 ? controller.abort() : undefined);
    const error: unknown = await readPdf(pdf, { signal: controller.signal, onProgress }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBe(controller.signal.reason);
    await expect(readPdf(pdf, { timeoutMs: 5 })).rejects.toMatchObject({
      code: "TIMEOUT",
      details: { reason: "slow_pdf" },
    });
  });

  test("leaves the bytes to their owner and prints nothing", async () => {
    const spies = (["log", "warn", "error", "info"] as const).map((name) => vi.spyOn(console, name));
    const pdf = await makePdf(["text"]);
    const copy = pdf.slice();
    await readPdf(pdf);
    await expect(readPdf(pdf.subarray(0, 300))).rejects.toThrow("damaged");
    expect(pdf).toEqual(copy);
    expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([]);
    vi.restoreAllMocks();
  });
});
