// A hundred questions to results, each put to the tool before the cut and to the archive after it: are the answers
// those that plain JavaScript computes, and how many tokens and calls do they take beside reading everything. Then one
// question to an archive of 50 MB, from read and hash to answer, against one JSON.parse of it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "../src/core/json/json-value.ts";
import { payloads } from "../test/journeys/payloads.fixture.ts";
import { questionKinds, questionSet } from "./harness/ask/ask-question.ts";
import { orderQuestions } from "./harness/ask/order-questions.ts";
import { makeOrders } from "./harness/ask/order-records.ts";
import { type Asked, type SetResult, putQuestions } from "./harness/ask/put-questions.ts";
import { type Reading, readPages } from "./harness/ask/read-pages.ts";
import { payloadSets } from "./harness/ask/payload-sets.ts";
import { loadServer } from "./harness/built.ts";
import { measureLarge } from "./harness/ask/measure-large.ts";
import { quantile } from "./harness/compare-sides.ts";
import { printTable, writeResults } from "./harness/report.ts";

const ORDERS = 100_000;

const number = (value: number): string => Math.round(value).toLocaleString("en");
const folder = mkdtempSync(join(tmpdir(), "waybill-ask-"));
const archives = join(folder, "archives");
const orders = makeOrders(ORDERS) as unknown as JsonValue;

const { createContract: make, loadCounter } = await loadServer();
const counter = await loadCounter();
const place = { store: archives, make };
const sets = [...payloadSets(payloads), questionSet(`${number(ORDERS)} orders`, orders, orderQuestions)];

type Measured = SetResult & Reading;

function printSets(results: readonly Measured[]): void {
  printTable(
    [
      "over",
      "questions",
      "right, before / after the cut",
      "calls each",
      "tokens read, median (most)",
      "all questions, read and written",
      "reading everything",
      "paging: tokens",
      "paging: calls",
    ],
    results.map(({ name, results: asked, everything, pages }) => {
      const both = asked.flatMap(({ before, after }) => [before, after]);
      const right = (one: readonly Asked[]): number => one.filter(({ isRight }) => isRight).length;
      const reads = both.map(({ read }) => read);
      const about = pages.isEstimate ? "about " : "";
      return [
        name,
        `${asked.length}`,
        `${right(asked.map(({ before }) => before))} / ${right(asked.map(({ after }) => after))}`,
        [...new Set(both.map(({ calls }) => `${calls}`))].join(", "),
        `${number(quantile(reads, 0.5))} (${number(Math.max(...reads))})`,
        number(asked.reduce((sum, { after }) => sum + after.read + after.written, 0)),
        number(everything),
        `${about}${number(pages.tokens)}`,
        `${about}${number(pages.calls)}`,
      ];
    }),
  );
}

function printKinds(results: readonly Measured[]): void {
  const all = results.flatMap(({ results: asked }) => asked);
  printTable(
    ["kind", "questions", "tokens written, median", "read before the cut", "read after the cut"],
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
      ];
    }),
  );
}

try {
  const results: Measured[] = [];
  for (const set of sets) {
    const asked = await putQuestions(set, place, counter);
    results.push({ ...asked, ...(await readPages(set, place, counter)) });
  }
  const all = results.flatMap(({ results: asked }) => asked);
  console.log(`${all.length} questions, each asked before and after the cut\n`);
  printSets(results);
  console.log("");
  printKinds(results);
  const textFile = join(folder, "orders.json");
  writeFileSync(textFile, JSON.stringify(orders));
  const large = measureLarge({ archives, textFile, archive: results.at(-1)?.archive ?? "" });
  writeResults("ask", { sets: results, large });
  const wrong = all.filter(({ before, after }) => !before.isRight || !after.isRight);
  for (const { over, select, before, after } of wrong)
    console.log(`WRONG: ${over}: ${select} (before ${before.isRight}, after ${after.isRight})`);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
