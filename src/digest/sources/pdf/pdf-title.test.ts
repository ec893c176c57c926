import { describe, expect, test } from "vitest";
import { pdfTitle } from "./pdf-title.ts";

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
