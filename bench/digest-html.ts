// Main content of real pages: F1 against the true article bodies, beside Readability.js and defuddle in the same run,
// and what reading costs on top of the parser and the extractor behind it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom/worker";
import type { DomElement } from "../src/engine/digest/sources/html/find-article.ts";
import type * as PrunePage from "../src/engine/digest/sources/html/find-article.ts";
import type * as ReadHtml from "../src/engine/digest/sources/html/read-html.ts";
import type * as SurveyHtml from "../src/engine/digest/sources/html/survey-html.ts";
import type * as TextBlocks from "../src/engine/digest/sources/html/text-writer.ts";
import { loadDigest, loadModule } from "./harness/built.ts";
import { raceAsync } from "./harness/race-async.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { type Overlap, overlapOf, scoreOf } from "./harness/shingle-score.ts";

interface Page {
  readonly url: string;
  readonly html: string;
  readonly truth: string;
}

const at = process.argv.indexOf("--data");
const folder = at < 0 ? new URL("../../shared/data", import.meta.url).pathname : (process.argv[at + 1] ?? "");

function pages(): readonly Page[] {
  const truths = JSON.parse(readFileSync(`${folder}/articles/ground-truth.json`, "utf8")) as Record<
    string,
    { readonly articleBody: string; readonly url: string }
  >;
  return readdirSync(`${folder}/articles/html`)
    .sort()
    .flatMap((file) => {
      const truth = truths[file.replace(".html.gz", "")];
      if (truth === undefined) return [];
      const html = gunzipSync(readFileSync(`${folder}/articles/html/${file}`)).toString("utf8");
      return [{ url: truth.url, html, truth: truth.articleBody }];
    });
}

const { readHtml } = await loadModule<typeof ReadHtml>("engine/digest/sources/html/read-html");
const { surveyHtml } = await loadModule<typeof SurveyHtml>("engine/digest/sources/html/survey-html");
const { prunePage } = await loadModule<typeof PrunePage>("engine/digest/sources/html/find-article");
const { charactersOf } = await loadModule<typeof TextBlocks>("engine/digest/sources/html/text-writer");

const { digestDocument, readDocument } = await loadDigest();

async function ours({ html }: Page): Promise<string> {
  const { text } = await readHtml(html);
  return typeof text === "string" ? text : text.join("\n\n");
}

/** Read and made canonical; in a worker each page travels there, and its text back. */
function canonical(isolate: boolean) {
  return ({ html }: Page) => readDocument(html, { contentType: "text/html", isolate });
}

/** Read, made canonical, hashed, searched and summed up. */
async function wholeDigest({ html }: Page): Promise<void> {
  await digestDocument(html, {
    contentType: "text/html",
    policy: "always",
    query: "What happened, and where?",
  });
}

function readability({ html }: Page): Promise<string> {
  return Promise.resolve(new Readability(parseHTML(html).document).parse()?.textContent ?? "");
}

// Defuddle reports every broken script of a page.
console.error = () => undefined;

/** Defuddle gives HTML; it is laid out by our own reader, so that no words run together. */
async function defuddle({ html, url }: Page): Promise<string> {
  const { content } = await Defuddle(parseHTML(html).document, url);
  const { text } = await readHtml(content);
  return String(text);
}

const extractors = { waybill: ours, "Readability.js": readability, defuddle };

/** The pages in so many parts, each scored by itself: this tells what pages get that no rule was tuned on. */
const FOLDS = 5;

async function score(name: string, extract: (page: Page) => Promise<string>, all: readonly Page[]) {
  const overlaps: Overlap[] = [];
  for (const page of all) overlaps.push(overlapOf(page.truth, await extract(page)));
  return {
    name,
    folds: Array.from({ length: FOLDS }, (_, fold) =>
      scoreOf(overlaps.filter((_overlap, index) => index % FOLDS === fold)),
    ),
    all: scoreOf(overlaps),
    even: scoreOf(overlaps.filter((_, index) => index % 2 === 0)),
    odd: scoreOf(overlaps.filter((_, index) => index % 2 === 1)),
  };
}

/** One round over all pages: what reading takes beyond parser and extractor on the same, pruned page, as their share. */
async function ownShare(all: readonly Page[]): Promise<number> {
  let reading = 0;
  let libraries = 0;
  for (const { html } of all) {
    const start = performance.now();
    await readHtml(html);
    const read = performance.now();
    const { document } = parseHTML(html);
    const parsed = performance.now();
    const { blocks } = await surveyHtml(html);
    prunePage(document.documentElement, charactersOf(blocks));
    const pruned = performance.now();
    const serializer = (node: unknown): DomElement => node as DomElement;
    new Readability<DomElement>(document, { keepClasses: true, disableJSONLD: true, serializer }).parse();
    reading += read - start;
    libraries += parsed - read + (performance.now() - pruned);
  }
  return reading / libraries - 1;
}

async function measure(all: readonly Page[]) {
  const scores = [];
  for (const [name, extract] of Object.entries(extractors)) scores.push(await score(name, extract, all));
  const overAll = (extract: (page: Page) => Promise<unknown>) => async (): Promise<void> => {
    for (const page of all) await extract(page);
  };
  const times = await raceAsync(
    [
      { name: "Readability.js", run: overAll(readability) },
      { name: "waybill: the text", run: overAll(ours) },
      { name: "waybill: the canonical text, in this thread", run: overAll(canonical(false)) },
      { name: "waybill: the canonical text, in a worker", run: overAll(canonical(true)) },
      { name: "waybill: the whole digest", run: overAll(wholeDigest) },
    ],
    { rounds: 9, warmUpRounds: 1, turnMs: 1 },
  );
  const shares = [];
  for (let round = 0; round < 9; round++) shares.push(await ownShare(all));
  const share = shares.sort((a, b) => a - b)[4] ?? Number.NaN;
  return {
    share,
    pages: all.length,
    bytes: all.reduce((sum, { html }) => sum + html.length, 0),
    scores,
    times,
  };
}

if (!existsSync(`${folder}/articles`)) {
  console.log(`No articles in ${folder}: nothing is measured. Name a folder with --data.`);
} else {
  const figures = await measure(pages());
  const four = (value: number): string => value.toFixed(4);
  printTable(
    ["extractor", "precision", "recall", "F1", "F1, even pages (tuned on)", "F1, odd pages"],
    figures.scores.map(({ name, all, even, odd }) =>
      [all.precision, all.recall, all.f1, even.f1, odd.f1].reduce<string[]>(
        (row, value) => [...row, four(value)],
        [name],
      ),
    ),
  );
  const spread = (values: readonly number[]): string =>
    `${Math.min(...values).toFixed(3)}-${Math.max(...values).toFixed(3)}`;
  console.log(`\nLeast and best of ${FOLDS} folds:\n`);
  printTable(
    ["extractor", "precision", "recall", "F1"],
    figures.scores.map(({ name, folds }) => [
      name,
      spread(folds.map(({ precision }) => precision)),
      spread(folds.map(({ recall }) => recall)),
      spread(folds.map(({ f1 }) => f1)),
    ]),
  );
  console.log();
  printTable(
    ["reader", "ms a page", "against linkedom and Readability", "p10-p90"],
    figures.times.map(({ name, medianUs, ratio, ratioP10, ratioP90 }) => [
      name,
      (medianUs / 1_000 / figures.pages).toFixed(2),
      ratio.toFixed(2),
      `${ratioP10.toFixed(2)}-${ratioP90.toFixed(2)}`,
    ]),
  );
  console.log(`\nOur own work takes ${figures.share.toFixed(2)} of what parser and extractor take in it.`);
  writeResults("digest-html", figures);
}
