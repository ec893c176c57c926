import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type DigestOptions, type DigestSource, digestDocument, verifyDigest } from "waybill/digest";
import { makePdf } from "../../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import { rawPdf } from "../../src/engine/digest/sources/pdf/raw-pdf.fixture.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";

const sentence = "The keeper of the gate wrote down every boat that passed it in the year of the flood. ";
const prose = Array.from({ length: 60 }, (_, index) => `${index}. ${sentence}`).join("\n\n");
const MEGABYTE = 1024 * 1024;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const textPdf = await makePdf(Array.from({ length: 5 }, () => sentence.repeat(10)));
const lockedPdf = await makePdf([sentence], { password: "x" });
const picturePdf = await makePdf([{ image: true }, { image: true }]);

async function faultOf(source: DigestSource, options: DigestOptions = {}): Promise<unknown> {
  return digestDocument(source, { policy: "always", ...options }).then(
    () => "a digest",
    (error: unknown) => error,
  );
}

describe("a document that cannot be digested", () => {
  it.each<[string, DigestSource, string, string]>([
    ["nothing", "", "INVALID_FORMAT", "empty_document"],
    ["white space", bytes(" \n\t\r\n "), "INVALID_FORMAT", "empty_document"],
    [
      "a program",
      Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0]),
      "INVALID_FORMAT",
      "binary_document",
    ],
    ["a packed file", gzipSync(bytes("a".repeat(10 * MEGABYTE))), "INVALID_FORMAT", "binary_document"],
    ["a PDF with a password", lockedPdf, "INVALID_FORMAT", "encrypted_pdf"],
    ["half a PDF", textPdf.subarray(0, textPdf.length / 2), "INVALID_FORMAT", "damaged_pdf"],
    ["a PDF of pictures", picturePdf, "INVALID_FORMAT", "no_text"],
    ["more than the limit", "a".repeat(2 * MEGABYTE), "TOO_LARGE", "document_too_large"],
  ])("says so of %s, and what to do", async (_, source, code, reason) => {
    expect(await faultOf(source, { maxBytes: MEGABYTE })).toMatchObject({
      code,
      details: { reason },
      remediation: expect.stringMatching(/\w/) as string,
    });
  });

  it("says so of a PDF whose content grows a thousandfold", async () => {
    const bomb = rawPdf({
      content: deflateSync(Buffer.alloc(40 * MEGABYTE, "q Q ")),
      filter: "/FlateDecode",
    });
    expect(bomb.length).toBeLessThan(MEGABYTE);
    expect(await faultOf(bomb)).toMatchObject({
      code: "TOO_LARGE",
      details: { reason: "decompression_bomb" },
    });
  });
});

describe("a document with a fault", () => {
  it("of 10,000 pages is digested by its first, and says so", async () => {
    const content = "BT /F1 12 Tf 72 700 Td (The keeper counted every boat that passed.) Tj ET";
    const pdf = rawPdf({ content, pages: 10_000 });
    const maxPages = isFullRun ? 300 : 30;
    const { payload, document, warnings } = await digestDocument(pdf, { maxPages });
    expect(document?.pages).toHaveLength(maxPages);
    expect(warnings).toMatchObject([{ code: "CONTENT_TRUNCATED" }]);
    expect(payload).toBeDefined();
  });

  // 50 MB go through the command itself in src/cli/process.test.ts: code under test here is several times slower.
  it("of megabytes in one line is digested", async () => {
    const bytesOfLine = (isFullRun ? 5 : 1) * MEGABYTE;
    const line = sentence.repeat(Math.ceil(bytesOfLine / sentence.length));
    const { payload } = await digestDocument(line, { query: "Which boats passed the gate?" });
    expect(payload?.compression_ratio).toBeLessThan(0.01);
  });

  it("with half surrogate pairs is digested, and verifies as it was given", async () => {
    const text = `\ud83d${prose}\ude00 \ud83d`;
    const { payload } = await digestDocument(text, { query: "keeper" });
    expect(await verifyDigest(payload, text)).toMatchObject({ valid: true });
  });

  it("in two encodings is digested, and says what could not be read", async () => {
    const mixed = Buffer.concat([
      bytes(`${"Größe und Maß. ".repeat(20)}${prose}`),
      Buffer.from("\u00e9t\u00e9 \u00e0 No\u00ebl", "latin1"),
    ]);
    const { payload, warnings } = await digestDocument(mixed);
    expect(payload).toBeDefined();
    expect(warnings.map(({ code }) => code)).toEqual(["TEXT_UNDECODABLE"]);
  });

  it("of a million nested tags gives its visible text", async () => {
    const html = `<!doctype html><title>Deep</title>${"<div>".repeat(1_000_000)}${prose}`;
    const { payload, warnings } = await digestDocument(html, { query: "keeper of the gate" });
    expect(payload?.evidence_snippets.length).toBeGreaterThan(0);
    expect(warnings.map(({ code }) => code)).toEqual(["MAIN_CONTENT_NOT_FOUND"]);
  });
});

describe("a query that says nothing", () => {
  it.each(["the of and in", "🎉🎉", "?!", "zeppelin", "   "])(
    "%j gives no noise, and says so",
    async (query) => {
      const { payload, warnings } = await digestDocument(prose, { query });
      const codes = warnings.map(({ code }) => code);
      expect(codes).toEqual(query.trim() === "" ? [] : ["QUERY_NOT_FOUND"]);
      expect(payload?.summary).not.toBe("");
    },
  );
});
