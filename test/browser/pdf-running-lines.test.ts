import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPdf } from "../../src/engine/digest/sources/pdf/read-pdf.ts";
import { isFullRun } from "../arbitrary/law-runs.ts";
import { type Browser, hasChromium, openChromium } from "../services/chromium.fixture.ts";

interface Furniture {
  readonly header?: string;
  readonly footer?: string;
  /** What no page of the text may have. */
  readonly marks: readonly RegExp[];
  readonly isTable?: boolean;
  readonly options?: { readonly landscape?: boolean; readonly format?: string };
}

const small = (inner: string, style = ""): string =>
  `<div style="font-size: 8px; width: 100%; padding: 0 1cm; ${style}">${inner}</div>`;
const number = '<span class="pageNumber"></span>';
const total = '<span class="totalPages"></span>';

const prints: Readonly<Record<string, Furniture>> = {
  "a title above": { header: small("Report of the Northern County"), marks: [/Northern County/] },
  "a number below": { footer: small(`- ${number} -`, "text-align: center"), marks: [/- \d+ -/] },
  "a number of a number": { footer: small(`Page ${number} of ${total}`), marks: [/Page \d+ of \d+/] },
  "title and number beside each other": {
    header: small(
      `<span>River survey</span><span>${number}</span>`,
      "display: flex; justify-content: space-between",
    ),
    marks: [/River survey/],
  },
  "what Chromium itself prints": {
    header: small('<span class="date"></span> <span class="title"></span>'),
    footer: small(`<span class="url"></span> ${number}/${total}`),
    marks: [/Mills of the county/, /about:blank/, /\d+\/\d+$/m],
  },
  "two lines above": {
    header: small("Ministry of Water<br>Confidential draft"),
    marks: [/Ministry/, /Confidential/],
  },
  "above and below": {
    header: small("Annual review 1998"),
    footer: small(`© County press, ${number}`, "text-align: right"),
    marks: [/Annual review/, /County press/],
  },
  "in Chinese": {
    header: small("北方县年度报告"),
    footer: small(`第 ${number} 页`),
    marks: [/年度报告/, /第 ?\d+ ?页/],
  },
  "across a wide page": {
    footer: small(`Appendix B, sheet ${number}`),
    marks: [/Appendix B/],
    options: { landscape: true, format: "A4" },
  },
  "the head of a table that holds the page": { isTable: true, marks: [/Standing notice/] },
};

const paragraph = (index: number): string =>
  `<p>Mill ${index * 7 + 3} was bought in ${1700 + index * 3} for ${index * 131 + 17} coins, and its keeper ` +
  `wrote ${index + 2} letters about the water, the wheel and the ${["road", "bridge", "market"][index % 3]}.</p>`;

const page = ({ isTable = false }: Furniture): string => {
  const body = `<h1>Mills</h1>${Array.from({ length: 90 }, (_, index) => paragraph(index)).join("\n")}`;
  const head = "<thead><tr><td><small>Standing notice of the county</small></td></tr></thead>";
  const whole = isTable ? `<table>${head}<tbody><tr><td>${body}</td></tr></tbody></table>` : body;
  return `<!doctype html><title>Mills of the county</title>${whole}`;
};

describe.skipIf(!hasChromium() || !isFullRun)("running lines of PDFs that Chromium prints", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  it.each(Object.entries(prints))("leaves out %s, and nothing else", async (_name, furniture) => {
    const { header = "<span></span>", footer = "<span></span>", marks, options = {} } = furniture;
    const tab = await browser.context.newPage();
    await tab.setContent(page(furniture));
    const bytes = await tab.pdf({
      displayHeaderFooter: true,
      headerTemplate: header,
      footerTemplate: footer,
      margin: { top: "2cm", bottom: "2cm", left: "2cm", right: "2cm" },
      format: "A5",
      ...options,
    });
    await tab.close();
    const { text } = await readPdf(bytes);
    const pages = typeof text === "string" ? [text] : text;
    expect(pages.length).toBeGreaterThanOrEqual(3);
    const left = pages.filter((one) => marks.some((mark) => mark.test(one)));
    expect(left).toEqual([]);
    const whole = pages.join(" ").replaceAll(/\s+/g, " ");
    for (let index = 0; index < 90; index++) {
      expect(whole).toContain(
        `Mill ${index * 7 + 3} was bought in ${1700 + index * 3} for ${index * 131 + 17} coins`,
      );
    }
    expect(whole.match(/\d+ letters/g)).toHaveLength(90);
  });
});
