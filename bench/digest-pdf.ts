// What reading a PDF costs over the bare extraction of its text, and the memory that it takes: a PDF of 200 pages of
// prose. Bare is pdf.js page by page, the fastest way found, and unpdf's own function, which reads all pages at once.
// Times are interleaved; memory is that of a process of its own.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { extractText, getDocumentProxy } from "unpdf";
import type { readPdf as ReadPdf } from "../src/engine/digest/sources/pdf/read-pdf.ts";
import { makePdf } from "../src/engine/digest/sources/pdf/make-pdf.fixture.ts";
import { loadDigest, loadModule } from "./harness/built.ts";
import { raceAsync } from "./harness/race-async.ts";
import { printTable, writeResults } from "./harness/report.ts";

const PAGES = 200;
const MEBIBYTE = 1024 * 1024;

const words =
  "the report of a river that ran through every county and of what people had written about it before".split(
    " ",
  );

/** Prose that no page repeats. */
function prose(page: number): string {
  const sentence = (index: number): string => {
    const length = 8 + ((page * 7 + index * 5) % 17);
    const body = Array.from(
      { length },
      (_, word) => words[(page * 31 + index * 13 + word * 7) % words.length],
    );
    return `${body.join(" ")} ${page}-${index}.`;
  };
  const paragraph = (from: number): string =>
    Array.from({ length: 9 }, (_, index) => sentence(from + index)).join(" ");
  return [0, 10, 20, 30].map(paragraph).join("\n\n");
}

async function loadReader(): Promise<typeof ReadPdf> {
  return (await loadModule<{ readonly readPdf: typeof ReadPdf }>("engine/digest/sources/pdf/read-pdf"))
    .readPdf;
}

async function pageByPage(bytes: Uint8Array): Promise<readonly string[]> {
  const pdf = await getDocumentProxy(bytes.slice(), { verbosity: 0, disableFontFace: true });
  const pages: string[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join(""));
    page.cleanup();
  }
  await pdf.destroy();
  return pages;
}

async function allAtOnce(bytes: Uint8Array): Promise<readonly string[]> {
  const pdf = await getDocumentProxy(bytes.slice(), { verbosity: 0 });
  const { text } = await extractText(pdf, { mergePages: false });
  await pdf.destroy();
  return text;
}

const book = await makePdf(Array.from({ length: PAGES }, (_, index) => prose(index + 1)));
const readPdf = await loadReader();
const { digestDocument, readDocument } = await loadDigest();
const query = "What ran through county 77-3?";
const readers: Readonly<Record<string, (bytes: Uint8Array) => Promise<unknown>>> = {
  "pdf.js, page by page": pageByPage,
  "unpdf extractText": allAtOnce,
  "waybill: the text": readPdf,
  "waybill: the canonical text, in this thread": (bytes) => readDocument(bytes, { isolate: false }),
  "waybill: the canonical text, in a worker": (bytes) => readDocument(bytes),
  "waybill: the whole digest, in this thread": (bytes) => digestDocument(bytes, { query, isolate: false }),
  "waybill: the whole digest": (bytes) => digestDocument(bytes, { query }),
};

/** The most memory that a process of its own holds while it reads the book once. */
function peakOf(reader: string): number {
  const script = fileURLToPath(import.meta.url);
  const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, script, "--peak", reader], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Measuring the memory of ${reader} failed.`);
  return Number(stdout);
}

async function measure(): Promise<void> {
  const { text } = await readPdf(book);
  if (text.length !== PAGES) throw new Error(`The book has ${text.length} pages: its prose does not fit.`);
  const candidates = Object.entries(readers).map(([name, run]) => ({ name, run: () => run(book) }));
  const timings = await raceAsync(candidates, { rounds: 15, warmUpRounds: 3, turnMs: 1 });
  const idle = peakOf("nothing");
  const figures = timings.map((timing) => ({ ...timing, peakBytes: peakOf(timing.name), idleBytes: idle }));
  printTable(
    ["reader", "ms (p10-p90)", "to pdf.js", "pages / s", "peak memory, MiB", "of it idle"],
    figures.map(({ name, medianUs, p10Us, p90Us, ratio, ratioP10, ratioP90, peakBytes, idleBytes }) => [
      name,
      `${(medianUs / 1000).toFixed(0)} (${(p10Us / 1000).toFixed(0)}-${(p90Us / 1000).toFixed(0)})`,
      `${ratio.toFixed(2)} (${ratioP10.toFixed(2)}-${ratioP90.toFixed(2)})`,
      ((PAGES * 1e6) / medianUs).toFixed(0),
      (peakBytes / MEBIBYTE).toFixed(0),
      (idleBytes / MEBIBYTE).toFixed(0),
    ]),
  );
  writeResults("digest-pdf", { pages: PAGES, pdfBytes: book.length, figures });
}

const [flag, asked = ""] = process.argv.slice(2);
if (flag === "--peak") {
  await readers[asked]?.(book);
  console.log(process.resourceUsage().maxRSS * 1024);
} else await measure();
