import { describe, expect, it } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { parseLocator } from "../../src/core/contract/digest-payload.ts";
import { digestDocument } from "../../src/engine/digest/digest-document.ts";
import { makePdf } from "../../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import { verifyDigest } from "../../src/engine/digest/verify-digest.ts";

const PAGES = 140;
const rivers = ["Aller", "Bode", "Düna", "Elbe", "Fulda", "Garonne", "Havel", "Inn", "Jagst", "Kocher"];

/** A page about one station of its own, among sentences that every page has. */
function pageText(number: number): string {
  const river = rivers[number % rivers.length] ?? "";
  return [
    `Chapter ${number}. Gauging station ${number} on the ${river}`,
    "",
    `The gauge at station ${number} was read every morning for a year. Most readings are of no interest here, since ` +
      "the water stood where it always stands and nobody had to be woken.",
    "",
    `On the highest day the ${river} reached ${200 + number} centimetres at station ${number}, which is the only ` +
      "figure of this chapter that later work has used. The keeper closed the lower gate in the same hour.",
    "",
    "Readings were copied by hand into three books, of which two are lost. What is printed follows the third.",
  ].join("\n");
}

const bytes = await makePdf(
  Array.from({ length: PAGES }, (_, index) => (index === 69 ? { image: true } : pageText(index + 1))),
  { title: "Water levels of one year" },
);

describe.runIf(isFullRun)(`a PDF of ${PAGES} pages`, () => {
  it("is digested with its title, every page, and a word on the page that is a picture", async () => {
    const { document, warnings } = await digestDocument(bytes);
    expect(document).toMatchObject({ type: "pdf", title: "Water levels of one year" });
    expect(document?.pages).toHaveLength(PAGES);
    expect(warnings).toMatchObject([{ code: "PAGES_WITHOUT_TEXT", context: { pages: [70] } }]);
  });

  it.each([3, 58, 69, 71, 104, PAGES])(
    "answers what is on page %i with evidence of that page",
    async (page) => {
      const query = `How high did the river rise at station ${page}?`;
      const { payload, document } = await digestDocument(bytes, { query });
      const [best] = payload?.evidence_snippets ?? [];
      expect(best?.text.replaceAll("\n", " ")).toContain(
        `reached ${200 + page} centimetres at station ${page},`,
      );
      expect(parseLocator(best?.locator ?? "")?.page).toBe(page);
      expect(await verifyDigest(payload, document ?? "")).toMatchObject({
        valid: true,
        pagesChecked: true,
        quotes: { exact: payload?.evidence_snippets.length },
      });
    },
  );

  it("names of every quote the page whose text has it", async () => {
    const { payload, document } = await digestDocument(bytes, {
      query: "high water of the Elbe",
      maxSnippets: 10,
    });
    const found = payload?.evidence_snippets.map(({ text, locator }) => {
      const {
        number = 0,
        start = 0,
        end = 0,
      } = document?.pages?.find(({ number }) => number === parseLocator(locator)?.page) ?? {};
      return number > 0 && document?.text.slice(start, end).includes(text);
    });
    expect(found?.length).toBeGreaterThan(2);
    expect(new Set(found)).toEqual(new Set([true]));
  });

  it("is told from a copy with one page less", async () => {
    const { payload } = await digestDocument(bytes, { query: "station 139" });
    const shorter = await makePdf(Array.from({ length: PAGES - 1 }, (_, index) => pageText(index + 2)));
    const other = await digestDocument(shorter);
    const { valid, problems } = await verifyDigest(payload, other.document ?? "");
    expect(valid).toBe(false);
    expect(problems.map(({ check }) => check)).toContain("hash");
  });
});
