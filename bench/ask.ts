// A hundred questions to results, each put to the tool before the cut and to the archive after it: are the answers
// those that plain JavaScript computes, and how many tokens and calls do they take beside reading everything. Then one
// question to an archive of 50 MB, from read and hash to answer, against one JSON.parse of it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonValue } from "../src/json/json-value.ts";
import { payloads } from "../test/journeys/payloads.fixture.ts";
import { questionKinds, questionSet } from "./harness/ask/ask-question.ts";
import { commitQuestions } from "./harness/ask/commit-questions.ts";
import { issueQuestions } from "./harness/ask/issue-questions.ts";
import { orderQuestions } from "./harness/ask/order-questions.ts";
import { makeOrders } from "./harness/ask/order-records.ts";
import { type Asked, type SetResult, putQuestions } from "./harness/ask/put-questions.ts";
import { fileQuestions, labelQuestions, repositoryQuestions } from "./harness/ask/repository-questions.ts";
import { quantile, showSpread, spreadOf } from "./harness/compare-sides.ts";
import { printTable, writeResults } from "./harness/report.ts";
import { loadBenchCounter } from "./harness/token-counters.ts";

const ORDERS = 100_000;
const COUNT_BY = "count_by(@, &status)";
const GOALS = { timesParse: 2.6, timesRss: 6 };

const number = (value: number): string => Math.round(value).toLocaleString("en");
const counter = await loadBenchCounter("waybill");
const folder = mkdtempSync(join(tmpdir(), "waybill-ask-"));
const archives = join(folder, "archives");
const orders = makeOrders(ORDERS) as unknown as JsonValue;

const payloadQuestions = {
  gh_issues: issueQuestions,
  gh_commits: commitQuestions,
  gh_dir_listing: fileQuestions,
  gh_labels: labelQuestions,
  gh_repo_single: repositoryQuestions,
};
const sets = [
  ...payloads.flatMap(({ name, value }) => {
    const questions = payloadQuestions[name as keyof typeof payloadQuestions];
    return questions === undefined ? [] : [questionSet(name, value, questions as never)];
  }),
  questionSet(`${number(ORDERS)} orders`, orders, orderQuestions),
];

function printSets(results: readonly SetResult[]): void {
  printTable(
    [
      "over",
      "questions",
      "right, before / after the cut",
      "calls each",
      "tokens read, median (most)",
      "reading everything",
      "paging: tokens",
      "paging: calls",
    ],
    results.map(({ name, results: asked, everything, paging }) => {
      const both = asked.flatMap(({ before, after }) => [before, after]);
      const right = (one: readonly Asked[]): number => one.filter(({ isRight }) => isRight).length;
      const reads = both.map(({ read }) => read);
      const about = paging.isEstimate ? "about " : "";
      return [
        name,
        `${asked.length}`,
        `${right(asked.map(({ before }) => before))} / ${right(asked.map(({ after }) => after))}`,
        [...new Set(both.map(({ calls }) => calls))].sort().join(", "),
        `${number(quantile(reads, 0.5))} (${number(Math.max(...reads))})`,
        number(everything),
        `${about}${number(paging.tokens)}`,
        `${about}${number(paging.calls)}`,
      ];
    }),
  );
}

function printKinds(results: readonly SetResult[]): void {
  const all = results.flatMap(({ results: asked }) => asked);
  printTable(
    [
      "kind",
      "questions",
      "tokens written, median",
      "read before the cut",
      "read after the cut",
      "ms, median",
    ],
    questionKinds.map((kind) => {
      const own = all.filter((one) => one.kind === kind);
      const median = (take: (asked: (typeof own)[number]) => number): string =>
        number(quantile(own.map(take), 0.5));
      return [
        kind,
        `${own.length}`,
        median(({ after }) => after.written),
        median(({ before }) => before.read),
        median(({ after }) => after.read),
        median(({ after }) => after.wallMs),
      ];
    }),
  );
}

function runLarge<Figures>(what: string, archive: string, rounds = 7): Figures {
  const script = fileURLToPath(new URL("harness/ask/ask-large.ts", import.meta.url));
  const args = ["--expose-gc", "--import", "tsx", script, what, archives, join(folder, "orders.json")];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...args, archive, COUNT_BY, String(rounds)],
    {
      encoding: "utf8",
      cwd: fileURLToPath(new URL("..", import.meta.url)),
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

interface Turn {
  readonly wallMs: number;
  readonly cpuMs: number;
}
interface Times {
  readonly bytes: number;
  readonly first: Turn;
  readonly turns: readonly { readonly parse: Turn; readonly ask: Turn }[];
}
interface Peak {
  readonly baseMb: number;
  readonly peakMb: number;
}

function measureLarge(archive: string) {
  writeFileSync(join(folder, "orders.json"), JSON.stringify(orders));
  const times = runLarge<Times>("time", archive);
  const memory = runLarge<Peak>("memory", archive);
  const parse = runLarge<Peak>("parse", archive);
  const megabytes = times.bytes / 1024 / 1024;
  const perMb = ({ baseMb, peakMb }: Peak): number => (peakMb - baseMb) / megabytes;
  const wall = spreadOf(times.turns.map((turn) => turn.ask.wallMs / turn.parse.wallMs));
  const cpu = spreadOf(times.turns.map((turn) => turn.ask.cpuMs / turn.parse.cpuMs));
  const median = (take: (turn: Times["turns"][number]) => number): string =>
    number(quantile(times.turns.map(take), 0.5));
  console.log(
    `\n${COUNT_BY} over an archive of ${number(times.bytes)} bytes, from read and hash to answer\n`,
  );
  printTable(
    [
      "work",
      "wall, ms",
      "times JSON.parse",
      "CPU, ms",
      "times JSON.parse",
      "peak RSS over its start / bytes",
    ],
    [
      [
        "JSON.parse",
        median(({ parse: one }) => one.wallMs),
        "1",
        median(({ parse: one }) => one.cpuMs),
        "1",
        perMb(parse).toFixed(1),
      ],
      [
        "the question",
        median(({ ask }) => ask.wallMs),
        showSpread(wall),
        median(({ ask }) => ask.cpuMs),
        showSpread(cpu),
        perMb(memory).toFixed(1),
      ],
      ["the first question of a process", number(times.first.wallMs), "", number(times.first.cpuMs), "", ""],
      ["goal", "", `${GOALS.timesParse}`, "", "", `${GOALS.timesRss}`],
    ],
  );
  return {
    bytes: times.bytes,
    wall,
    cpu,
    first: times.first,
    timesRss: perMb(memory),
    timesRssOfParse: perMb(parse),
    memory,
  };
}

try {
  const results: SetResult[] = [];
  for (const set of sets) results.push(await putQuestions(set, archives, counter));
  const all = results.flatMap(({ results: asked }) => asked);
  console.log(`${all.length} questions, each asked before and after the cut\n`);
  printSets(results);
  console.log("");
  printKinds(results);
  const large = measureLarge(results.at(-1)?.archive ?? "");
  writeResults("ask", { sets: results, large });
  const wrong = all.filter(({ before, after }) => !before.isRight || !after.isRight);
  for (const { over, select, before, after } of wrong)
    console.log(`WRONG: ${over}: ${select} (before ${before.isRight}, after ${after.isRight})`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
