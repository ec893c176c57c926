// What a cut keeps of recorded results: whether the answer to a question is in it, or in one `waybill_retrieve` with the
// question as its `query`; and the tokens and time of results of public benchmarks. Last, what tool lists weigh: those of
// published servers with and without `lean`, and what the gateway adds to lists of servers from npm.
//   --data <folder>   questions/, results/ and definitions/; default: ../shared/data
//   --only <part>     questions, results or definitions
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Strategy, connectCorpus } from "./harness/corpus/corpus-server.ts";
import { measureGateway, measureLists } from "./harness/corpus/measure-definitions.ts";
import {
  type Asked,
  type Recorded,
  readDefinitions,
  readQuestions,
  readResults,
} from "./harness/corpus/read-corpus.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";

const { data, only } = parseArgs({
  options: {
    data: { type: "string", default: fileURLToPath(new URL("../../shared/data", import.meta.url)) },
    only: { type: "string" },
  },
}).values;
const takes = (part: string): boolean => only === undefined || only === part;
const counter = await loadBenchCounter("waybill");

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

const questions = [];
const asked = takes("questions") ? readQuestions(data) : undefined;
for (const budget of asked === undefined ? [] : [256, 400, 800, 2_000])
  for (const strategy of ["head", "auto"] as const)
    questions.push(await putQuestions(asked ?? [], budget, strategy));
const cuts = [];
for (const name of takes("results") ? ["livemcpbench", "tau-airline"] : []) {
  const results = readResults(data, name);
  for (const budget of results === undefined ? [] : [2_000, 8_000])
    for (const strategy of ["head", "relevance", "auto"] as const)
      cuts.push(await cutResults(name, results ?? [], budget, strategy));
}
const lists = takes("definitions") ? readDefinitions(data) : undefined;
const definitions = lists === undefined ? undefined : await measureLists(lists, counter.count);
const behind = [];
for (const server of takes("definitions") ? ["server-everything", "server-filesystem", "server-memory"] : [])
  behind.push(await measureGateway(server, counter.count));

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
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
if (definitions !== undefined) {
  const { before, after } = definitions;
  console.log("");
  printTable(
    [
      "lists",
      "tools",
      "tokens",
      "lean",
      "saved",
      "of a list: 25 %",
      "50 %",
      "75 %",
      "90 %",
      "most",
      "ms in all",
      "most ms",
    ],
    [
      [
        number(definitions.lists),
        number(definitions.tools),
        number(before),
        number(after),
        percent((before - after) / before),
        percent(definitions.savedP25),
        percent(definitions.savedP50),
        percent(definitions.savedP75),
        percent(definitions.savedP90),
        percent(definitions.savedMost),
        number(Math.round(definitions.msInAll)),
        definitions.msMost.toFixed(1),
      ],
    ],
  );
  console.log(`Lists that became larger: ${definitions.largerLists}`);
}
if (behind.length > 0) {
  console.log("");
  printTable(
    ["server", "tools", "tokens", "gateway", "added", "lean", "output schemas", "most added to one"],
    behind.map((row) => [
      row.server,
      number(row.tools),
      number(row.own),
      number(row.gateway),
      number(row.gateway - row.own),
      number(row.lean),
      number(row.outputSchemas),
      number(row.mostGrowth),
    ]),
  );
}
writeResults("corpus", { questions, cuts, definitions, behind });
