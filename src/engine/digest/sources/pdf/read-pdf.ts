import { faults } from "../../../../core/contract/faults.ts";
import type { RawDocument } from "../../document.ts";
import { assertLimit, unreadable } from "../unreadable.ts";
import { checkInflation } from "./check-inflation.ts";
import { joinLines, mendHyphens } from "./join-lines.ts";
import { type PdfDocument, type PdfPage, damaged, withPdf } from "./open-pdf.ts";
import { orderLines } from "./order-lines.ts";
import { type PagesRead, pageWarnings } from "./page-warnings.ts";
import { createLineCollector } from "./text-line.ts";

/** Longer than this is a text, not a title. */
const MAX_TITLE_CHARS = 300;
const programPrefix = /^(?:Microsoft (?:Word|PowerPoint|Excel)|PowerPoint Presentation|Word) ?- ?/i;
const noTitle =
  /^(?:untitled|title|document\d*|no title|.*\.(?:docx?|pptx?|xlsx?|odt|rtf|txt|tex|dvi|indd|pages|pdf|qxd|ps))$/i;

/** The title that a PDF's own data gives, unless a program put it there instead of a person. */
export function pdfTitle(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const title = given
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(programPrefix, "")
    .trim();
  return title === "" || title.length > MAX_TITLE_CHARS || noTitle.test(title) ? undefined : title;
}

/** Far beyond any page that is meant to be read; a page that repeats itself a million times ends here. */
const MAX_PAGE_CHARS = 1_000_000;

interface PageReading {
  readonly text: string;
  /** True where the page goes on after what was read of it. */
  readonly isCut: boolean;
}

/** The text of a page in reading order. `check` throws when it is time to stop. */
async function readPage(page: PdfPage, maxChars: number, check: () => void): Promise<PageReading> {
  const { add, lines } = createLineCollector();
  const limit = Math.min(maxChars, MAX_PAGE_CHARS);
  const reader = page.streamTextContent().getReader();
  let length = 0;
  try {
    while (length <= limit) {
      check();
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        if (!("str" in item)) continue;
        add(item, value.styles[item.fontName]?.vertical === true);
        length += item.str.length + 1;
      }
    }
  } finally {
    await reader.cancel(new Error("Enough was read")).catch(() => undefined);
    page.cleanup();
  }
  const text = joinLines(orderLines(lines()));
  const isCut = length > limit;
  return { text: isCut ? text.slice(0, limit) : text, isCut };
}

interface PdfOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Pages after this many are left out, and said to be. */
  readonly maxPages?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

const MAX_PAGES = 2_000;
const TIMEOUT_MS = 60_000;
/** Some thirty books; what is beyond is left out, and said to be. */
const MAX_CHARS = 32_000_000;
/** pdf.js runs in microtasks here, so a signal is heard only when somebody waits for a timer. */
const BREATH_MS = 40;

/** Says when to stop: `check` throws, `breathe` lets others run now and then. */
interface Brake {
  readonly check: () => void;
  readonly breathe: () => Promise<void>;
}

/**
 * Reads the text of a PDF, one string a page. Never runs what the file holds, never fetches; releases what it opened.
 * What could not be read is named in the warnings; when nothing could, it throws a fault.
 */
export async function readPdf(bytes: Uint8Array, options: PdfOptions = {}): Promise<RawDocument> {
  assertLimit("maxPages", options.maxPages);
  assertLimit("timeoutMs", options.timeoutMs);
  const brake = createBrake(options);
  brake.check();
  await checkInflation(bytes, options.signal);
  return withPdf(bytes, async (pdf, missingMaps) => {
    const read = { ...(await readPages(pdf, options, brake)), missingMaps: [...missingMaps].sort() };
    if (read.failed.length === read.pages.length) throw damaged();
    if (read.pages.every((page) => page.trim() === "")) throw withoutText(read);
    return { text: mendHyphens(read.pages), warnings: pageWarnings(read), title: await titleOf(pdf) };
  });
}

async function readPages(
  pdf: PdfDocument,
  { maxPages = MAX_PAGES, onProgress }: PdfOptions,
  brake: Brake,
): Promise<Omit<PagesRead, "missingMaps">> {
  const count = Math.min(pdf.numPages, maxPages);
  const pages: string[] = [];
  const failed: number[] = [];
  const cut: number[] = [];
  let room = MAX_CHARS;
  for (let number = 1; number <= count && room > 0; number++) {
    try {
      const { text, isCut } = await readPage(await pdf.getPage(number), room, brake.check);
      pages.push(text);
      room -= text.length;
      if (isCut) cut.push(number);
    } catch {
      brake.check();
      pages.push("");
      failed.push(number);
    }
    onProgress?.(number, count);
    await brake.breathe();
  }
  return { pages, total: pdf.numPages, failed, cut };
}

function createBrake({ signal, timeoutMs = TIMEOUT_MS }: PdfOptions): Brake {
  const start = performance.now();
  let lastBreath = start;
  const check = (): void => {
    signal?.throwIfAborted();
    if (performance.now() - start <= timeoutMs) return;
    throw faults.timeout(timeoutMs, {
      remediation: "Read fewer pages, allow more time, or split the PDF.",
      details: { reason: "slow_pdf" },
    });
  };
  return {
    check,
    breathe: async () => {
      const now = performance.now();
      if (now - lastBreath < BREATH_MS) return;
      await new Promise((resolve) => setTimeout(resolve));
      lastBreath = performance.now();
      check();
    },
  };
}

async function titleOf(pdf: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await pdf.getMetadata();
    return pdfTitle((info as { readonly Title?: unknown }).Title);
  } catch {
    return undefined;
  }
}

function withoutText({ total, missingMaps }: PagesRead): Error {
  const pages = total === 1 ? "page" : `${total} pages`;
  if (missingMaps.length > 0)
    return unreadable(
      `The text of the PDF cannot be read: its fonts need character maps that it does not hold`,
      {
        reason: "unmapped_fonts",
        remediation:
          "Export the PDF again with its fonts embedded, or run OCR over it, then digest the result.",
        details: { missing: missingMaps.slice(0, 10) },
      },
    );
  return unreadable(`The PDF has no text: its ${pages} ${total === 1 ? "is" : "are"} blank or pictures`, {
    reason: "no_text",
    remediation: "Run OCR over the PDF first, then digest the result.",
    details: { pages: total },
  });
}
