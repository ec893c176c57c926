import { describe, expect, test } from "vitest";
import { makePdf } from "./pdf/make-pdf.fixture.ts";
import { readDocument } from "./read-document.ts";

const utf8 = new TextEncoder();

describe("readDocument", () => {
  test("gives a text in its canonical form", async () => {
    const document = { type: "text", text: "one\n\ntwo", warnings: [] };
    expect(await readDocument("  one \r\n\r\n\r\n two\n")).toEqual(document);
    expect(await readDocument(utf8.encode("  one \r\n\r\n\r\n two\n"))).toEqual(document);
  });

  test("reads Markdown as Markdown and names its title", async () => {
    const markdown = "---\ntitle: Notes\n---\n# Heading\n\n*text*";
    expect(await readDocument(markdown, { name: "notes.md" })).toEqual({
      type: "markdown",
      text: "Heading\n\ntext",
      blocks: [
        { kind: "heading", level: 1, start: 0, end: 7 },
        { kind: "prose", start: 9, end: 13 },
      ],
      title: "Notes",
      warnings: [],
    });
  });

  test("reads HTML in the charset that it names", async () => {
    const page = `<!doctype html><meta charset=windows-1251><title>T</title><p>\xcf\xf0\xe8\xe2\xe5\xf2, long enough text.</p>`;
    const { type, text, title } = await readDocument(Uint8Array.from(page, (letter) => letter.charCodeAt(0)));
    expect({ type, text, title }).toEqual({ type: "html", text: "Привет, long enough text.", title: "T" });
  });

  test("keeps the pages of a PDF", async () => {
    const pdf = await makePdf(["First page.", { image: true }, "Third page."], { title: "Book" });
    expect(await readDocument(pdf)).toMatchObject({
      type: "pdf",
      title: "Book",
      text: "First page.\n\nThird page.",
      pages: [
        { number: 1, start: 0, end: 11 },
        { number: 2, start: 11, end: 11 },
        { number: 3, start: 13, end: 24 },
      ],
      warnings: [{ code: "PAGES_WITHOUT_TEXT" }],
    });
  });

  test("warns first that a document is not what it was said to be", async () => {
    const page = "<!doctype html><title>Log in</title><p>Please log in to see the report.</p>";
    const { type, warnings } = await readDocument(utf8.encode(page), { contentType: "application/pdf" });
    expect(type).toBe("html");
    expect(warnings[0]).toMatchObject({ code: "TYPE_MISMATCH" });
  });

  test.each(["", " \n\t ", "\ufeff", "<!doctype html><body> </body>"])("finds %j empty", async (text) => {
    await expect(readDocument(text)).rejects.toMatchObject({
      code: "INVALID_FORMAT",
      details: { reason: "empty_document" },
    });
    await expect(readDocument(utf8.encode(text))).rejects.toMatchObject({
      details: { reason: "empty_document" },
    });
  });

  test("refuses what is over the limit, and takes what is on it", async () => {
    await expect(readDocument("12345", { maxBytes: 4 })).rejects.toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "document_too_large", max_bytes: 4, size: 5 },
    });
    expect((await readDocument("1234", { maxBytes: 4 })).text).toBe("1234");
  });

  test("hands the limit of pages on", async () => {
    const { text } = await readDocument(await makePdf(["one", "two"]), { maxPages: 1 });
    expect(text).toBe("one");
  });

  test.each([0, -1, 1.5, Number.NaN])("tells the programmer that %d is no limit", async (limit) => {
    await expect(readDocument("text", { maxBytes: limit })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(readDocument("text", { maxPages: limit })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  test("does not begin when it was told to stop", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(readDocument("text", { signal })).rejects.toThrow("enough");
  });

  test("makes lone surrogates and stray bytes readable", async () => {
    expect((await readDocument("a\ud800b")).text).toBe("a\ufffdb");
  });
});
