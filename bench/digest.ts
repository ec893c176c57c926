// How well and how fast a digest quotes. Recall: all articles of a language as one document, one digest a question, and
// a hit when a snippet covers the whole answer in its place. Speed: against one pass of a word pattern over the same
// text in the same run, growth to 50 MB, memory in processes of its own.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type * as SelectPassages from "../src/engine/digest/evidence/select-passages.ts";
import { loadDigest, loadModule } from "./harness/built.ts";
import { digestTexts, syntheticProse } from "./harness/digest-texts.ts";
import { type Question, type QuestionSet, readQuestions } from "./harness/question-set.ts";
import { raceAsync } from "./harness/race-async.ts";
import { printTable, writeResults } from "./harness/report.ts";

const { canonicalText, digestDocument } = await loadDigest();
const { selectPassages } = await loadModule<typeof SelectPassages>("engine/digest/evidence/select-passages");
const isQuick = process.argv.includes("--quick");
const WORDS = /[\p{L}\p{N}]+/gu;
const goals: Readonly<Record<string, { readonly at1: number; readonly at5: number }>> = {
  en: { at1: 0.87, at5: 0.97 },
  de: { at1: 0.82, at5: 0.94 },
  zh: { at1: 0.94, at5: 0.99 },
  vi: { at1: 0.84, at5: 0.95 },
};

interface Snippet {
  readonly start: number;
  readonly end: number;
}

let snippets = 0;
let misplaced = 0;

/** The snippets of one digest, each checked against the text at its locator. */
async function quote(text: string, points: readonly string[], query: string, maxSnippets: number) {
  const { payload } = await digestDocument(text, {
    query,
    maxSnippets,
    snippetChars: 500,
    contentType: "text/plain",
    policy: "always",
  });
  return (payload?.evidence_snippets ?? []).map((snippet): Snippet => {
    const [, start = "", end = ""] = /^char:(\d+)-(\d+)$/.exec(snippet.locator) ?? [];
    snippets++;
    if (points.slice(Number(start), Number(end)).join("") !== snippet.text) misplaced++;
    return { start: Number(start), end: Number(end) };
  });
}

function rankOf({ start, end }: Question, found: readonly Snippet[]): number {
  const at = found.findIndex((snippet) => snippet.start <= start && snippet.end >= end);
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

interface Ranks {
  readonly isTuned: boolean;
  /** Among the five of a digest of five, and the ten of a digest of ten. */
  readonly ofFive: number;
  readonly ofTen: number;
}

async function rankAll({ text, questions }: QuestionSet): Promise<Ranks[]> {
  const points = Array.from(text);
  const ranks: Ranks[] = [];
  for (const question of isQuick ? questions.filter((_, index) => index % 10 === 0) : questions) {
    const ofFive = rankOf(question, await quote(text, points, question.text, 5));
    const ofTen = rankOf(question, await quote(text, points, question.text, 10));
    ranks.push({ isTuned: question.isTuned, ofFive, ofTen });
  }
  return ranks;
}

function recallOf(ranks: readonly Ranks[]) {
  const share = (isHit: (one: Ranks) => boolean): number => ranks.filter(isHit).length / ranks.length;
  return {
    questions: ranks.length,
    at1: share(({ ofFive }) => ofFive === 1),
    at5: share(({ ofFive }) => ofFive <= 5),
    at10: share(({ ofTen }) => ofTen <= 10),
  };
}

async function recall(sets: readonly QuestionSet[]) {
  const rows = [];
  for (const set of sets) {
    const ranks = await rankAll(set);
    rows.push({ language: set.language, articles: "all", ...recallOf(ranks) });
    rows.push({
      language: set.language,
      articles: "even (tuned on)",
      ...recallOf(ranks.filter((one) => one.isTuned)),
    });
    rows.push({ language: set.language, articles: "odd", ...recallOf(ranks.filter((one) => !one.isTuned)) });
  }
  console.log("Answers covered by the first 1, 5 and 10 snippets:\n");
  printTable(
    ["language", "articles", "questions", "@1", "@5", "@10", "goal @1 / @5"],
    rows.map(({ language, articles, questions, at1, at5, at10 }) => [
      language,
      articles,
      `${questions}`,
      at1.toFixed(3),
      at5.toFixed(3),
      at10.toFixed(3),
      articles === "all" ? `${goals[language]?.at1} / ${goals[language]?.at5}` : "",
    ]),
  );
  console.log(`\nSnippets that are not at their locators: ${misplaced} of ${snippets}.\n`);
  return { rows, snippets, misplaced };
}

const MB = 1_000_000;
const sizes = {
  maxSnippets: 10,
  snippetChars: 500,
  maxSummaryChars: 2_000,
  maxKeyPoints: 10,
  keyPointChars: 500,
} as const;

async function speedOf(name: string, text: string, query: string) {
  const document = { contentType: "text/plain", policy: "always" } as const;
  const timings = await raceAsync(
    [
      { name: "one pass of words", run: async () => text.match(WORDS)?.length },
      { name: "selection", run: () => selectPassages(text, { ...sizes, query }) },
      { name: "selection, no query", run: () => selectPassages(text, sizes) },
      { name: "digest", run: () => digestDocument(text, { ...document, query }) },
      { name: "digest, no query", run: () => digestDocument(text, document) },
    ],
    { rounds: isQuick ? 5 : 15, warmUpRounds: 2, turnMs: 30 },
  );
  return timings.map((timing) => ({
    text: name,
    work: timing.name,
    us: timing.medianUs,
    ratio: timing.ratio,
  }));
}

async function speed(sets: readonly QuestionSet[]) {
  const rows = [];
  for (const { language, text, questions } of sets) {
    const long = canonicalText(`${text}\n\n`.repeat(Math.ceil(MB / text.length)).slice(0, MB));
    rows.push(...(await speedOf(language, long, questions[100]?.text ?? "")));
  }
  rows.push(...(await speedOf("synthetic", syntheticProse(MB), "Which painter crossed the valley in 1871?")));
  console.log(
    "1,000,000 characters, against one pass of a word pattern (goal: a digest with a query at most 12):\n",
  );
  printTable(
    ["text", "work", "median ms", "x one pass"],
    rows.map(({ text, work, us, ratio }) => [text, work, (us / 1_000).toFixed(1), ratio.toFixed(2)]),
  );
  return rows;
}

async function timeOnce(text: string, query: string | undefined): Promise<number> {
  const start = performance.now();
  await selectPassages(text, { ...sizes, ...(query === undefined ? {} : { query }) });
  return performance.now() - start;
}

async function growth() {
  const rows = [];
  for (const [name, make] of Object.entries(digestTexts)) {
    for (const megabytes of isQuick ? [1, 5] : [1, 10, 50]) {
      const text = make(megabytes * MB);
      // Small ones once before, as the first run of anything is slow.
      if (megabytes === 1) await timeOnce(text, "painter valley 1871");
      const withQuery = await timeOnce(text, "painter valley 1871");
      const without = await timeOnce(text, undefined);
      rows.push({ name, megabytes, msPerMb: withQuery / megabytes, msPerMbWithout: without / megabytes });
    }
  }
  console.log("\nGrowth of the selection, 1 MB being a million characters (goal: linear):\n");
  printTable(
    ["text", "MB", "ms per MB, query", "ms per MB, no query"],
    rows.map(({ name, megabytes, msPerMb, msPerMbWithout }) => [
      name,
      `${megabytes}`,
      msPerMb.toFixed(1),
      msPerMbWithout.toFixed(1),
    ]),
  );
  return rows;
}

interface Memory {
  readonly name: string;
  readonly documentBytes: number;
  readonly peakBytes: number;
  readonly times: number;
}

function measureMemory(name: string, query: string): Memory {
  const script = fileURLToPath(new URL("harness/digest-memory.ts", import.meta.url));
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--expose-gc", "--import", "tsx", script, name, `${(isQuick ? 5 : 50) * MB}`, query],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (status !== 0) throw new Error(`The memory run of "${name}" failed.`);
  return JSON.parse(stdout) as Memory;
}

function memory(): Memory[] {
  const rows = Object.keys(digestTexts).flatMap((name) => [
    measureMemory(name, "painter valley 1871"),
    { ...measureMemory(name, ""), name: `${name}, no query` },
  ]);
  console.log(
    "\nPeak RSS of a process that digests one document, above what it held before (goal: at most 8 times):\n",
  );
  printTable(
    ["text", "document MB", "peak MB", "times the document"],
    rows.map(({ name, documentBytes, peakBytes, times }) => [
      name,
      (documentBytes / MB).toFixed(0),
      (peakBytes / MB).toFixed(0),
      times.toFixed(1),
    ]),
  );
  return rows;
}

const sets = Object.keys(goals).flatMap((language) => readQuestions(language, canonicalText) ?? []);
if (sets.length === 0) console.log("No ../shared/data/xquad (give --data DIR): recall is not measured.\n");
const found = await recall(sets);
writeResults("digest", { recall: found, speed: await speed(sets), growth: await growth(), memory: memory() });
if (found.misplaced > 0) throw new Error(`${found.misplaced} snippets are not at their locators.`);
