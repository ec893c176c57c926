// What a cut keeps of recorded results: whether the answer to a question is in it, or in one `waybill_retrieve` with the
// question as its `query`; and the tokens and time of results of public benchmarks.
//   --data <folder>   questions/, results/ and payloads/; default: ../shared/data
//   --part lean       only what lean saves, and whether it comes back
//   --part failures   only how many labelled failures are found; the labels fit the results of ../shared/data alone
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Strategy, connectCorpus } from "./harness/corpus/corpus-server.ts";
import { type LeanFigures, leanResults } from "./harness/corpus/lean-results.ts";
import { rulesAlone } from "./harness/corpus/lean-rules-alone.ts";
import { foundFailures } from "./harness/corpus/found-failures.ts";
import { type Asked, type Recorded, readQuestions, readResults } from "./harness/corpus/read-corpus.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";
import { weighDefinitions } from "./harness/corpus/weigh-definitions.ts";

const { data, part } = parseArgs({
  options: {
    part: { type: "string" },
    data: { type: "string", default: fileURLToPath(new URL("../../shared/data", import.meta.url)) },
  },
}).values;
const counter = await loadBenchCounter("waybill");

// Tool lists of definitions/, and those of servers from npm: `--part definitions` weighs nothing else.
if (part === undefined || part === "definitions")
  writeResults("definitions", await weighDefinitions(data, counter.count));
if (part === "definitions") process.exit();

if (part === undefined || part === "failures") {
  const found = foundFailures();
  printTable(
    ["half", "how it arrives", "failures found", "recall", "only noted", "precision", "false invitations"],
    found.map((row) => [
      row.half,
      row.way,
      `${row.found} of ${row.failures}`,
      row.recall.toFixed(3),
      String(row.noted),
      row.precision.toFixed(3),
      String(row.falseInvitations),
    ]),
  );
  writeResults("failures", found);
}
if (part === "failures") process.exit();

/** The budget of the retrieval where it is not that of the tool: the gateway's default. */
const USUAL_BUDGET = 8_000;
const number = (value: number): string => value.toLocaleString("en");

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function putQuestions(asked: readonly Asked[], budget: number, strategy: Strategy) {
  const isIn = ({ answers }: Asked, text: string): boolean =>
    answers.every((answer) => text.toLowerCase().includes(answer.toLowerCase()));
  const found = { inCut: 0, small: 0, usual: 0 };
  const missed: string[] = [];
  const tokens: number[] = [];
  for (const retrieval of [budget, USUAL_BUDGET]) {
    const client = await connectCorpus({ strategy, budget, retrieval });
    for (const one of asked) {
      const { question, output } = one;
      const cut = await client.read([output], { question });
      const more =
        cut.archive === undefined
          ? undefined
          : await client.retrieve({ archive: cut.archive, query: question });
      const isFound = isIn(one, `${cut.text}\n${more?.text ?? ""}`);
      if (retrieval === budget) {
        if (isIn(one, cut.text)) found.inCut++;
        if (isFound) found.small++;
      } else {
        if (isFound) found.usual++;
        else missed.push(one.id);
        tokens.push(counter.count(cut.text) + counter.count(more?.text ?? ""));
      }
    }
    await client.close();
  }
  return { budget, strategy, asked: asked.length, ...found, missed, medianTokens: median(tokens) };
}

async function cutResults(name: string, results: readonly Recorded[], budget: number, strategy: Strategy) {
  const client = await connectCorpus({ strategy, budget, retrieval: USUAL_BUDGET });
  const figures = { tokens: 0, sent: 0, cut: 0 };
  const times: number[] = [];
  for (const { texts, arguments: args } of results) {
    const whole = counter.count(texts.join("\n"));
    const started = performance.now();
    const { text, archive } = await client.read(texts, args);
    if (archive !== undefined) {
      figures.cut++;
      times.push(performance.now() - started);
    }
    figures.tokens += whole;
    figures.sent += counter.count(text);
  }
  await client.close();
  return { name, budget, strategy, results: results.length, ...figures, medianCutMs: median(times) };
}

const isWhole = part !== "lean";
const questions = [];
const asked = isWhole ? readQuestions(data) : undefined;
for (const budget of asked === undefined ? [] : [256, 400, 800, 2_000])
  for (const strategy of ["head", "relevance", "auto"] as const)
    questions.push(await putQuestions(asked ?? [], budget, strategy));
const cuts = [];
for (const name of isWhole ? ["livemcpbench", "tau-airline"] : []) {
  const results = readResults(data, name);
  for (const budget of results === undefined ? [] : [2_000, 8_000])
    for (const strategy of ["head", "relevance", "auto"] as const)
      cuts.push(await cutResults(name, results ?? [], budget, strategy));
}

if (questions.length > 0) {
  printTable(
    [
      "budget",
      "strategy",
      "in the cut",
      "and one retrieval in the same budget",
      "and one retrieval in 8,000 tokens",
      "tokens read",
    ],
    questions.map((row) => [
      number(row.budget),
      row.strategy,
      `${row.inCut} of ${row.asked}`,
      `${row.small} of ${row.asked}`,
      `${row.usual} of ${row.asked}`,
      number(row.medianTokens),
    ]),
  );
  for (const { budget, strategy, missed } of questions)
    if (missed.length > 0) console.log(`Not found at ${budget}, ${strategy}: ${missed.join(", ")}`);
  console.log("");
}
if (cuts.length > 0) {
  printTable(
    ["results of", "budget", "strategy", "results", "cut", "tokens", "sent", "ms for a cut"],
    cuts.map((row) => [
      row.name,
      number(row.budget),
      row.strategy,
      number(row.results),
      number(row.cut),
      number(row.tokens),
      number(row.sent),
      row.cut === 0 ? "" : row.medianCutMs.toFixed(1),
    ]),
  );
}
const lean = await leanResults(data, (text) => counter.count(text));
if (lean.length > 0) {
  console.log("");
  const percent = ({ tokens, sent }: LeanFigures): string => `${(100 * (1 - sent / tokens)).toFixed(1)} %`;
  printTable(
    [
      "results of",
      "arguments learnt",
      "results",
      "lean",
      "tokens",
      "sent",
      "saved",
      "fields left out",
      "given back",
      "taken by a later call",
    ],
    lean.map((row) => [
      row.name,
      row.learns ? "yes" : "no",
      number(row.results),
      number(row.lean),
      number(row.tokens),
      number(row.sent),
      percent(row),
      number(row.fields),
      number(row.retrieved),
      number(row.takenLater),
    ]),
  );
}
const rules = rulesAlone(data);
if (rules.length > 0) {
  console.log("");
  printTable(
    [
      "rules alone, on",
      "fields left out",
      "taken by a later call",
      "texts and numbers kept",
      "taken by a later call",
    ],
    rules.map((row) => [
      row.name,
      number(row.dropped),
      number(row.droppedTaken),
      number(row.kept),
      number(row.keptTaken),
    ]),
  );
}
writeResults("corpus", { questions, cuts, lean, rules });
