// What a cut keeps of the snapshot of a page, as @playwright/mcp takes it: whether the element that a call names can
// still be used, and, if the call names none, how much of what can be used. 60 recorded pages in real Chromium. And of the
// source of the same pages: how much of their articles.
//   --data <folder>   articles/; default: ../shared/data
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { JsonObject } from "../src/core/json/json-value.ts";
import { type Strategy, connectCorpus } from "./harness/corpus/corpus-server.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { type PageElement, evenly, linesOf, namedElements } from "./harness/snapshots/read-elements.ts";
import { readArticles } from "./harness/snapshots/read-articles.ts";
import { type PageSnapshot, readSnapshots } from "./harness/snapshots/record-snapshots.ts";
import { overlapOf } from "./harness/shingle-score.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";

const { data } = parseArgs({
  options: {
    data: { type: "string", default: fileURLToPath(new URL("../../shared/data", import.meta.url)) },
  },
}).values;
const counter = await loadBenchCounter("waybill");
const budget = 2_000;
const ELEMENTS = 20;

/** How a model could name an element, and of which elements this is asked. */
const wordings: readonly {
  readonly says: string;
  readonly of: (element: PageElement) => boolean;
  readonly word: (element: PageElement) => string;
}[] = [
  { says: "its name and role", of: ({ isUnique }) => isUnique, word: ({ name, role }) => `${name} ${role}` },
  { says: "its name", of: ({ isUnique }) => isUnique, word: ({ name }) => name },
  {
    says: "its name and role, which others have too",
    of: ({ isUnique }) => !isUnique,
    word: ({ name, role }) => `${name} ${role}`,
  },
  {
    says: "the same, and the heading above it",
    of: ({ isUnique, place }) => !isUnique && place !== "",
    word: ({ name, role, place }) => `${name} ${role} under ${place}`,
  },
];

type Cut = Awaited<ReturnType<typeof connectCorpus>>;

async function nameElements(client: Cut, pages: readonly PageSnapshot[], strategy: Strategy) {
  const rows = [];
  for (const { says, of, word } of wordings) {
    const found = { asked: 0, kept: 0, namesake: 0 };
    const missed: string[] = [];
    for (const { page, text } of pages) {
      const all = namedElements(text);
      for (const element of evenly(all, ELEMENTS).filter(of)) {
        const cut = await client.read([text], { element: word(element) });
        const isKept = (one: PageElement): boolean => cut.text.includes(`[ref=${one.ref}]`);
        found.asked++;
        if (isKept(element)) found.kept++;
        else missed.push(`${page} ${element.ref} ${word(element).slice(0, 80)}`);
        const isNamesake = (one: PageElement): boolean =>
          one.name === element.name && one.role === element.role;
        if (all.some((one) => isNamesake(one) && isKept(one))) found.namesake++;
      }
    }
    rows.push({ strategy, says, ...found, missed });
  }
  return rows;
}

const kinds = ["usable", "around", "others"] as const;

async function nameNothing(client: Cut, pages: readonly PageSnapshot[], strategy: Strategy) {
  const whole = { usable: 0, around: 0, others: 0 };
  const kept = { usable: 0, around: 0, others: 0 };
  const sums = { orphans: 0, tokens: 0, sent: 0 };
  for (const { text } of pages) {
    const cut = await client.read([text], {});
    const [all, left] = [linesOf(text), linesOf(text, cut.text)];
    for (const kind of kinds) {
      whole[kind] += all[kind].length;
      kept[kind] += left[kind].length;
    }
    sums.orphans += left.orphans.length;
    sums.tokens += counter.count(text);
    sums.sent += counter.count(cut.text);
  }
  return { strategy, pages: pages.length, whole, kept, ...sums };
}

const USUAL_BUDGET = 8_000;

/** Of a page that a call names as a file, the source is cut by its lines, as where no reader is installed. */
const asFile = { path: "page.html" };

async function cutArticles(tokens: number, strategy: Strategy, args: JsonObject = {}) {
  const client = await connectCorpus({ strategy, budget: tokens, retrieval: tokens });
  const shares: number[] = [];
  const words: number[] = [];
  let [half, sent] = [0, 0];
  for (const { html, article } of readArticles(data)) {
    const { text } = await client.read([html], args);
    const { found, missing } = overlapOf(article, text);
    words.push(shareOfWords(article, text));
    sent += counter.count(text);
    shares.push(found / (found + missing));
    if (found >= missing) half++;
  }
  await client.close();
  return {
    tokens,
    strategy: args === asFile ? `${strategy}, of its source` : strategy,
    pages: shares.length,
    recall: mean(shares),
    words: mean(words),
    half,
    sent: Math.round(sent / shares.length),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** How many of an article's words a text has, each as often as the text has it. */
function shareOfWords(article: string, text: string): number {
  const wordsOf = (said: string): readonly string[] => said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const left = new Map<string, number>();
  for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1);
  const asked = wordsOf(article);
  let kept = 0;
  for (const word of asked) {
    const count = left.get(word) ?? 0;
    if (count > 0) kept++;
    left.set(word, count - 1);
  }
  return kept / Math.max(1, asked.length);
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
const number = (value: number): string => value.toLocaleString("en");

const snapshots = await readSnapshots(data);
if (snapshots !== undefined) {
  const long = snapshots.filter(({ text }) => counter.count(text) > budget);
  const [named, unnamed] = [[], []] as [
    Awaited<ReturnType<typeof nameElements>>,
    Awaited<ReturnType<typeof nameNothing>>[],
  ];
  for (const strategy of ["head", "auto"] as const) {
    const client = await connectCorpus({ strategy, budget, retrieval: budget });
    named.push(...(await nameElements(client, long, strategy)));
    unnamed.push(await nameNothing(client, long, strategy));
    await client.close();
  }
  console.log(
    `${long.length} of ${snapshots.length} snapshots are over ${number(budget)} tokens, and are cut.\n`,
  );
  printTable(
    ["strategy", "`element` says", "elements", "its ref is there", "", "a ref of that name is there"],
    named.map(({ strategy, says, asked, kept, namesake }) => [
      strategy,
      says,
      number(asked),
      number(kept),
      percent(kept, asked),
      percent(namesake, asked),
    ]),
  );
  console.log("");
  printTable(
    [
      "strategy",
      "can be used",
      "contains it",
      "other lines",
      "lines without what holds them",
      "tokens",
      "sent",
    ],
    unnamed.map(({ strategy, whole, kept, orphans, tokens, sent }) => [
      strategy,
      ...kinds.map(
        (kind) => `${number(kept[kind])} of ${number(whole[kind])}, ${percent(kept[kind], whole[kind])}`,
      ),
      number(orphans),
      number(tokens),
      number(sent),
    ]),
  );
  const articles = [];
  for (const tokens of [budget, USUAL_BUDGET])
    for (const [strategy, args] of [["head"], ["auto", asFile], ["auto"]] as const)
      articles.push(await cutArticles(tokens, strategy, args));
  console.log("");
  printTable(
    ["budget", "strategy", "runs of the article", "its words", "half of it or more", "tokens sent"],
    articles.map(({ tokens, strategy, pages, recall, words, half, sent }) => [
      number(tokens),
      strategy,
      percent(recall, 1),
      percent(words, 1),
      `${half} of ${pages} pages`,
      number(sent),
    ]),
  );
  writeResults("snapshots", { budget, named, unnamed, articles });
}
