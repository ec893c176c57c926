import { describe, expect, test } from "vitest";
import { detectType, typeMismatch } from "./detect-type.ts";
import { makePdf } from "./pdf/make-pdf.fixture.ts";

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const page = "<!DOCTYPE html><html><body><p>Hello</p></body></html>";

describe("detectType", () => {
  test("knows a PDF by its header, whatever was said", async () => {
    const pdf = await makePdf(["text"]);
    expect(detectType(pdf, { contentType: "text/html", name: "a.txt" })).toBe("pdf");
    expect(detectType(Uint8Array.from([...bytes("\n\n"), ...pdf]))).toBe("pdf");
    expect(detectType(Uint8Array.from([...bytes("HTTP junk\n"), ...pdf]), { name: "a.pdf" })).toBe("pdf");
  });

  test("takes a text about PDF for a text", () => {
    expect(detectType(bytes("A file begins with %PDF-1.7 and ends with %%EOF."))).toBe("text");
  });

  test("takes a page that was said to be a PDF for a page, with a warning", () => {
    const hints = { contentType: "application/pdf", name: "report.pdf" };
    expect(detectType(bytes(page), hints)).toBe("html");
    expect(typeMismatch("html", hints)).toMatchObject({
      code: "TYPE_MISMATCH",
      message: "The document was said to be pdf and is html: it may be a login or error page",
    });
    expect(typeMismatch("pdf", hints)).toBeUndefined();
  });

  test.each([
    ["text/html; charset=utf-8", undefined, "no tags at all", "html"],
    ["text/markdown", "notes.txt", "# Title", "markdown"],
    ["text/plain", "README.md", "# Title", "markdown"],
    ["text/plain", "page.html", page, "html"],
    ["text/plain", undefined, page, "text"],
    ["application/octet-stream", undefined, page, "html"],
    ["application/json", "data.json", '{"a":1}', "text"],
    [undefined, "page.HTM", "words", "html"],
    [undefined, "report.pdf", "words", "text"],
    [undefined, "constructor", "words", "text"],
    [undefined, undefined, page, "html"],
    [undefined, undefined, "# Title", "text"],
    [undefined, undefined, "a < b and c > d", "text"],
  ] as const)("follows %s, then %s, then the text %j: %4$s", (contentType, name, text, type) => {
    expect(detectType(text, { contentType, name })).toBe(type);
    expect(detectType(bytes(text), { contentType, name })).toBe(type);
  });

  test("sees HTML in UTF-16, with and without a mark", () => {
    const wide = new Uint8Array(Uint16Array.from(page, (letter) => letter.charCodeAt(0)).buffer);
    expect(detectType(wide)).toBe("html");
    expect(detectType(Uint8Array.from([0xff, 0xfe, ...wide]))).toBe("html");
  });

  test.each([
    ["\x89PNG\r\n\x1a\n\0\0", "a PNG image"],
    ["\xff\xd8\xff\xe0", "a JPEG image"],
    ["PK\x03\x04\x14\0\x06\0[Content_Types].xml word/document.xml", "a Word document (docx)"],
    ["PK\x03\x04\x14\0\0\0notes.txt", "a zip archive"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (doc, xls or ppt)"],
    ["\x1f\x8b\x08\0", "gzip-compressed data"],
    ["\x7fELF\x02\x01", "a program (ELF)"],
    ["MZ\x90\0\x03\0", "a program (Windows)"],
    ["{\\rtf1 text}", "a rich text document (rtf)"],
    ["\xff\xfe\0\0H\0\0\0", "text in UTF-32"],
    ["some text\0\0\x01\x02 and NULs", "binary data"],
    ["\x01\x02\x03\x04\x05", "binary data"],
  ])("refuses what is not text: %j is %s", (text, name) => {
    expect(() => detectType(bytes(text), { contentType: "text/plain" })).toThrow(
      expect.objectContaining({
        code: "INVALID_FORMAT",
        message: `The document is ${name}, not text, Markdown, HTML or PDF`,
        details: { reason: "binary_document", looks_like: name },
      }),
    );
  });

  test.each(["The ftyp box comes first.", "ID3 tags hold a title.", "GIF89a was the last version."])(
    "takes %j for a text",
    (text) => {
      expect(detectType(bytes(text))).toBe("text");
    },
  );

  test("refuses a PDF that came as a string", () => {
    expect(() => detectType("%PDF-1.4\n\ufffd\ufffd\n1 0 obj\n<<>>")).toThrow(
      expect.objectContaining({ details: { reason: "pdf_as_text" } }),
    );
  });
});
